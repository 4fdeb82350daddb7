import { sha256 } from '#base/hash';
import { t } from '#base/l10n';
import type { FileState } from '#protocol/checkpoint';
import type { SessionId, Sha256 } from '#protocol/ids';
import type { Content } from './blobs';
import { causeOf, changedAgain } from './causes';
import { type Gap, sameContent, sameState } from './chain';
import { lookAt } from './look';
import { mergeContents } from './merge';
import { absolutePath, folderIn } from './paths';
import { NOTHING_THERE, type Seen, withoutLinksAbove, withoutTwins } from './seen';
import type { World } from './world';

/** What a restore wants of one path. */
export interface Wanted {
  readonly path: string;
  /** What must be there now; undefined when Belay was killed in the middle of its last write to it. */
  readonly expected: FileState | undefined;
  readonly target: FileState;
  /** The place of the operation that left `expected`. */
  readonly since: number;
  /** Of a folder's bits: the turn that left them. */
  readonly turn?: number;
  readonly gaps: readonly Gap[];
}

/** One change of a restore: `from` is what really stands there. */
export interface FileStep {
  readonly path: string;
  readonly from: FileState;
  readonly to: FileState;
}

/**
 * `idle`: nothing to do. A conflict with a `step` may be overwritten if the person says so; one without would lose
 * something that can't be kept, or can't be done at all.
 */
export type Judged =
  | { readonly kind: 'idle'; readonly path: string }
  | { readonly kind: 'step'; readonly path: string; readonly step: FileStep }
  | {
      readonly kind: 'conflict';
      readonly path: string;
      readonly why: string;
      readonly step?: FileStep;
      readonly merge?: Merge;
    };

/** A way that keeps what was changed since, and the content that it needs. */
export interface Merge {
  readonly step: FileStep;
  readonly content: Content;
}

/** Looks at every path of a restore before any is touched. Changes nothing. `madeFolders`: those that are to go with it. */
export async function preflight(
  world: World,
  sessionId: SessionId,
  wanted: readonly Wanted[],
  madeFolders: readonly string[],
): Promise<Judged[]> {
  const looks = new Map<string, Seen>();
  for (const { path } of wanted) {
    const look = await lookAt(world.files, world.folder, path);
    if (look.kind === 'state' && look.held) world.held?.add(look.held);
    looks.set(path, look);
  }
  const absent = new Set(
    wanted.filter(({ expected }) => expected?.kind === 'absent').map(({ path }) => path),
  );
  const isLeaving = leavingLinks(looks, wanted);
  const seen = withoutTwins(withoutLinksAbove(looks, isLeaving), (path) => absent.has(path));
  const leaving = {
    files: new Set(wanted.filter(({ target }) => target.kind === 'absent').map(({ path }) => path)),
    folders: new Set(madeFolders),
  };
  const judged: Judged[] = [];
  for (const want of wanted) {
    const there = seen.get(want.path);
    if (!there) continue;
    const makesWay = there.kind === 'folder' && (await willVanish(world, want.path, leaving));
    judged.push(await judge(world, sessionId, want, makesWay ? NOTHING_THERE : there));
  }
  return judged;
}

/** Says which links are as they were left, and go. */
function leavingLinks(
  looks: ReadonlyMap<string, Seen>,
  wanted: readonly Wanted[],
): (link: string) => boolean {
  const leaving = new Set(
    wanted.flatMap(({ path, expected, target }) => {
      const look = looks.get(path);
      const isThere =
        look?.kind === 'state' && expected?.kind === 'link' && sameContent(look.state, expected);
      return isThere && target.kind === 'absent' ? [path] : [];
    }),
  );
  return (link) => leaving.has(link);
}

async function judge(world: World, sessionId: SessionId, want: Wanted, there: Seen): Promise<Judged> {
  const { path, expected, target } = want;
  // What the turns did to this path cancels out: whatever is there now is not their doing.
  if (expected && sameState(expected, target)) return { kind: 'idle', path };
  if (there.kind === 'blocked') return { kind: 'conflict', path, why: there.why };
  if (there.kind === 'folder') return { kind: 'conflict', path, why: t('a folder stands there now') };
  if (target.kind === 'folder' && there.state.kind === 'absent') return withoutFolder(world, sessionId, want);
  const step: FileStep = { path, from: there.state, to: withMode(target, expected, there.state) };
  if (sameState(step.from, step.to)) return { kind: 'idle', path };
  if (isUnsaved(world, path)) {
    return { kind: 'conflict', path, why: t('unsaved changes in the editor: save or revert them first') };
  }
  if (target.kind === 'file' && !(await isKept(world, target.sha256))) {
    return {
      kind: 'conflict',
      path,
      why: t("its earlier content is missing from Belay's storage, so it is left as it is"),
    };
  }
  const why = disagreement(world, sessionId, want, there.state);
  if (why === undefined) return { kind: 'step', path, step };
  const merge = await mergeOf(world, want, there);
  return { kind: 'conflict', path, why, step, ...(merge ? { merge } : {}) };
}

/** Bits of a folder that somebody removed can't be lost any more; but where a later turn did, they are part of its way back. */
function withoutFolder({ store }: World, sessionId: SessionId, { path, turn }: Wanted): Judged {
  const later = turn === undefined ? undefined : store.folders.goneIn(sessionId, folderIn(path), turn);
  return later === undefined
    ? { kind: 'idle', path }
    : { kind: 'conflict', path, why: changedAgain([later]) };
}

/** Reads the blob whole: only so is it known to be undamaged, and after a kill there is nothing else. */
async function isKept({ blobs, held }: World, hash: Sha256): Promise<boolean> {
  const bytes = await blobs.get(hash);
  if (bytes) held?.add({ bytes, sha256: hash });
  return bytes !== undefined;
}

function isUnsaved({ documents, folder }: World, path: string): boolean {
  const file = absolutePath(folder, path);
  return documents.dirtyText(file) !== undefined || (documents.dirtyNotebook?.(file) ?? false);
}

/** What is there with Belay's own lines taken back: only where nobody else changed them, nor lines beside them. */
async function mergeOf(
  world: World,
  { path, expected, target, gaps }: Wanted,
  there: Seen & { readonly kind: 'state' },
): Promise<Merge | undefined> {
  const { state, held } = there;
  if (!held || gaps.length > 0 || state.kind !== 'file') return undefined;
  if (expected?.kind !== 'file' || target.kind !== 'file' || sameContent(state, expected)) return undefined;
  const [base, ours] = await Promise.all([world.blobs.get(expected.sha256), world.blobs.get(target.sha256)]);
  const bytes = base && ours && mergeContents({ base, ours, theirs: held.bytes });
  if (!bytes || (isNotebook(path) && !isJson(bytes))) return undefined;
  const content = { bytes, sha256: sha256(bytes) as Sha256 };
  const merged: FileState = {
    kind: 'file',
    sha256: content.sha256,
    bytes: bytes.byteLength,
    mode: state.mode,
  };
  return {
    step: { path, from: state, to: withMode({ ...merged, mode: target.mode }, expected, state) },
    content,
  };
}

function isNotebook(path: string): boolean {
  return path.toLowerCase().endsWith('.ipynb');
}

/** Lines of a notebook can fit together and still be none: a comma too many, and it opens no more. */
function isJson(bytes: Uint8Array): boolean {
  try {
    JSON.parse(new TextDecoder().decode(bytes));
    return true;
  } catch {
    return false;
  }
}

/** Why what is there, or what happened on the way to it, isn't Belay's doing alone. */
function disagreement(
  world: World,
  sessionId: SessionId,
  want: Wanted,
  found: FileState,
): string | undefined {
  const { path, expected, since } = want;
  if (expected === undefined) {
    return t(
      'Belay was stopped in the middle of writing it; what is there is neither the old nor the new content',
    );
  }
  if (!sameContent(found, expected))
    return causeOf(world, sessionId, { path, expected, found, after: since });
  // The content may be back by chance; the later turn's own way back would be lost all the same.
  const later = world.store.operations
    .onPath(world.folder, path, since, sessionId)
    .filter((operation) => operation.sessionId === sessionId);
  if (later.length > 0) return changedAgain(later.map(({ turn }) => turn));
  const gap = want.gaps[0];
  if (!gap) return undefined;
  return causeOf(world, sessionId, { path, expected, found: gap.found, after: gap.from, before: gap.before });
}

/** Permission bits go back only where the turns changed them: a chmod by hand stays. */
function withMode(target: FileState, expected: FileState | undefined, there: FileState): FileState {
  if (target.kind !== 'file' || there.kind !== 'file') return target;
  const isUnchanged = expected?.kind !== 'file' || expected.mode === target.mode;
  return isUnchanged ? { ...target, mode: there.mode } : target;
}

interface Leaving {
  readonly files: ReadonlySet<string>;
  readonly folders: ReadonlySet<string>;
}

/** A folder where a file has to be: fine when the restore takes away all that is in it. */
async function willVanish(world: World, folder: string, leaving: Leaving): Promise<boolean> {
  if (!leaving.folders.has(folder)) return false;
  for (const { name, kind } of await world.files.list(absolutePath(world.folder, folder))) {
    const path = `${folder}/${name}`;
    const goes = kind === 'folder' ? await willVanish(world, path, leaving) : leaving.files.has(path);
    if (!goes) return false;
  }
  return true;
}
