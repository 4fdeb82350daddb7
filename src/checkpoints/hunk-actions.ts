import { t } from '#base/l10n';
import { fail, ok, type Result } from '#base/result';
import type { FileState } from '#protocol/checkpoint';
import type { KeptHunk } from '#protocol/event';
import type { SessionId } from '#protocol/ids';
import { carryOut } from './carry-out';
import { sameContent } from './chain';
import { turnLines } from './edits';
import { type FoundHunk, findHunk, type HunkPlace, withHunk, withoutHunk } from './hunks';
import { lineStats } from './lines';
import type { RestorePlan } from './plan';
import { nothing, type RestoreReport } from './requests';
import { undo } from './restore';
import type { World } from './world';

/** A session's review: what waits are changes of turns after `since` that weren't kept. */
export interface Review {
  readonly sessionId: SessionId;
  readonly since: number;
}

/**
 * Takes one changed block back, with its own journal and redo. The bytes around it stay as they are; what is written is bound to the
 * content that was looked at.
 */
export async function undoHunk(world: World, review: Review, place: HunkPlace): Promise<RestoreReport> {
  const found = await findHunk(world, review, place);
  if (!found.ok) return nothing(found.error);
  const { file, now } = found.value;
  const content = withoutHunk(found.value);
  const isUntouched = file.after !== undefined && sameContent(file.after, now);
  const isLast = file.baseline.kind !== 'file' || file.baseline.sha256 === content.sha256;
  if (isLast && isUntouched && !file.isPartlyKept) return undoWhole(world, review, found.value);
  if (file.baseline.kind === 'absent')
    return nothing(t('{0} is new and was edited since. Undo the whole file instead.', file.path));
  const to: FileState = { ...now, sha256: content.sha256, bytes: content.bytes.byteLength };
  const plan = await planOf(world, found.value, { to, bytes: content.bytes });
  const { sessionId } = review;
  return carryOut(world, plan, {
    sessionId,
    scope: 'files',
    kind: 'undo',
    redoes: undefined,
    made: [content],
  });
}

/** The last block of a file is the file: its operations count as taken back. */
function undoWhole(world: World, { sessionId, since }: Review, { file }: FoundHunk): Promise<RestoreReport> {
  const turn = file.turns[0] ?? 0;
  return undo(world, { sessionId, turn, scope: 'files', paths: [file.path], reviewedSince: since });
}

async function planOf(
  world: World,
  { file, now, content }: FoundHunk,
  { to, bytes }: { readonly to: FileState; readonly bytes: Uint8Array },
): Promise<RestorePlan> {
  const { path, checkpointId } = file;
  const lines = lineStats(content.bytes, bytes);
  const edit = { checkpointId, path, before: now, after: to, lines };
  return {
    turns: file.turns.slice(-1),
    checkpointIds: [],
    files: [{ path, from: now, to }],
    operations: [],
    makeFolders: [],
    removeFolders: [],
    edits: [{ ...edit, ...(await turnLines(world, edit, bytes)) }],
    touched: [checkpointId],
  };
}

/** Moves one changed block into what the rest is compared with. Changes no file. */
export async function keepHunk(
  world: World,
  review: Review,
  place: HunkPlace,
): Promise<Result<KeptHunk, string>> {
  const found = await findHunk(world, review, place);
  if (!found.ok) return fail(found.error);
  const { file, now, hunk } = found.value;
  const content = withHunk(found.value);
  const mark = { path: file.path, turn: file.turns.at(-1) ?? 0 };
  const isLast = content.sha256 === now.sha256;
  if (!isLast) await world.blobs.keep(content);
  const rest = { content: { sha256: content.sha256, bytes: content.bytes.byteLength } };
  world.store.reviewMarks.put(review.sessionId, isLast ? mark : { ...mark, ...rest });
  const [from, to] = hunk.now;
  return ok({ path: file.path, line: from + 1, lines: to - from });
}
