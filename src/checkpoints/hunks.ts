import { sha256 } from '#base/hash';
import { t } from '#base/l10n';
import { fail, ok, type Result } from '#base/result';
import type { FileState } from '#protocol/checkpoint';
import type { SessionId, Sha256 } from '#protocol/ids';
import type { Content } from './blobs';
import { lookAt } from './look';
import { absolutePath } from './paths';
import { type Hunk, hunksBetween, isSameForm, type Pieces, piecesOf } from './pieces';
import { type ReviewedFile, reviewedFiles } from './review';
import type { World } from './world';

/** A changed block, named by a line in it: of the file as it is now, or of what it is compared with. */
export interface HunkPlace {
  readonly path: string;
  /** 1-based, as the editor counts. */
  readonly line: number;
  readonly side: 'now' | 'before';
  /** The content that the person looked at: another one now, and nothing is done. */
  readonly seen?: Sha256;
}

/** A changed block of a file under review, found in the bytes that are there now. */
export interface FoundHunk {
  readonly file: ReviewedFile;
  readonly now: FileState & { readonly kind: 'file' };
  readonly content: Content;
  readonly baseline: Uint8Array;
  readonly hunk: Hunk;
  readonly old: Pieces;
  readonly new: Pieces;
}

/** Finds a changed block, or says to a person why there is none to act on. */
export async function findHunk(
  world: World,
  { sessionId, since }: { readonly sessionId: SessionId; readonly since: number },
  place: HunkPlace,
): Promise<Result<FoundHunk, string>> {
  const { path } = place;
  const file = reviewedFiles(world, sessionId, since).find((each) => each.path === path);
  if (!file) return fail(t('{0} has no changes to review.', path));
  const at = absolutePath(world.folder, path);
  if (world.documents.dirtyText(at) !== undefined || world.documents.dirtyNotebook?.(at))
    return fail(t('{0} has unsaved changes: save or revert them first.', path));
  const seen = await lookAt(world.files, world.folder, path);
  if (seen.kind !== 'state' || seen.state.kind !== 'file' || !seen.held)
    return fail(t('{0} can’t be read line by line; keep or undo the whole file.', path));
  if (place.seen !== undefined && place.seen !== seen.state.sha256)
    return fail(t('{0} has just changed. Look at it again.', path));
  const baseline = file.baseline.kind === 'link' ? undefined : await baselineOf(world, file);
  const [old, now] = [baseline && piecesOf(baseline), piecesOf(seen.held.bytes)];
  if (!baseline || !old || !now || !isSameForm(baseline, seen.held.bytes))
    return fail(t('{0} can’t be compared line by line; keep or undo the whole file.', path));
  const hunks = hunksBetween(old.lines, now.lines);
  if (!hunks) return fail(t('{0} can’t be compared line by line; keep or undo the whole file.', path));
  const hunk = hunkAt(hunks, place);
  if (!hunk) return fail(t('There is no change at line {0} of {1}.', place.line, path));
  return ok({ file, now: seen.state, content: seen.held, baseline, hunk, old, new: now });
}

/** What the file holds with that block as it was. */
export function withoutHunk({ hunk, old, new: now }: FoundHunk): Content {
  const [from, to] = hunk.now;
  return contentOf(now, [
    ...now.lines.slice(0, from),
    ...old.lines.slice(...hunk.old),
    ...now.lines.slice(to),
  ]);
}

/** What the file is compared with once that block is kept. */
export function withHunk({ hunk, old, new: now }: FoundHunk): Content {
  const [from, to] = hunk.old;
  return contentOf(now, [
    ...old.lines.slice(0, from),
    ...now.lines.slice(...hunk.now),
    ...old.lines.slice(to),
  ]);
}

/** The content that changes of a file are compared with; empty for a file that is new. */
export async function baselineOf(world: World, { baseline }: ReviewedFile): Promise<Uint8Array | undefined> {
  return baseline.kind === 'absent' ? new Uint8Array() : world.blobs.contentOf(baseline);
}

function contentOf(pieces: Pieces, lines: readonly string[]): Content {
  const bytes = pieces.join(lines);
  return { bytes, sha256: sha256(bytes) as Sha256 };
}

/** The block that holds the line; else one that has no line on that side and lies beside it. */
function hunkAt(hunks: readonly Hunk[], { line, side }: HunkPlace): Hunk | undefined {
  const spanOf = (hunk: Hunk) => (side === 'now' ? hunk.now : hunk.old);
  const index = line - 1;
  const holds = hunks.find((hunk) => spanOf(hunk)[0] <= index && index < spanOf(hunk)[1]);
  return (
    holds ??
    hunks.find((hunk) => {
      const [from, to] = spanOf(hunk);
      return from === to && (from === index || from === index + 1);
    })
  );
}
