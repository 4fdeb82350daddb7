import type { CheckpointId } from '#protocol/ids';
import type { StoredOperation } from '#store/file-operations';
import type { FolderRecord } from '#store/folders';
import { type Gap, modeOf } from './chain';
import { absolutePath } from './paths';
import type { Wanted } from './preflight';
import { wayTo } from './way';
import type { World } from './world';

/** What turns did to folders: those that weren't there before, those that were, and whose permission bits they changed. */
export interface FolderFates {
  readonly made: readonly string[];
  /** With the bits that they had before; undefined where nobody knows. */
  readonly gone: ReadonlyMap<string, number | undefined>;
  readonly bits: readonly Wanted[];
}

/** Permission bits before and after; `absent` where there was no folder, undefined where nobody knows. */
interface Trail {
  readonly before: number | 'absent' | undefined;
  readonly after: number | 'absent' | undefined;
  /** The place of the last operation on it. */
  readonly since: number;
  readonly turn: number;
  readonly gaps: readonly Gap[];
}

interface Turn {
  readonly id: CheckpointId;
  readonly turn: number;
}

/**
 * Composes turns, in order: what happened to a folder first tells what was there before. `operations`: those that are to be taken back;
 * `isWhole`: so are folders that came and went.
 */
export function folderFates(
  { store }: World,
  turns: readonly Turn[],
  { operations, isWhole }: { readonly operations: readonly StoredOperation[]; readonly isWhole: boolean },
): FolderFates {
  const fates = new Map<string, FolderRecord['fate']>();
  const trails = new Map<string, Trail>();
  for (const { id, turn } of turns) {
    const records = store.folders.fates(id);
    for (const { path, fate } of records) if (!fates.has(path)) fates.set(path, fate);
    const recordOf = new Map((isWhole ? records : []).map((record) => [`${record.path}/`, record]));
    const own = byPath(operations.filter((one) => one.checkpointId === id && isOfFolder(one)));
    for (const path of new Set([...recordOf.keys(), ...own.keys()])) {
      const next = trailOf(recordOf.get(path), own.get(path) ?? [], turn);
      trails.set(path, joined(trails.get(path), next, own.get(path)?.[0]));
    }
  }
  const pathsOf = (wanted: FolderRecord['fate']) =>
    [...fates].flatMap(([path, fate]) => (fate === wanted ? [path] : []));
  const before = (path: string) => trails.get(`${path}/`)?.before;
  return {
    made: pathsOf('made'),
    gone: new Map(isWhole ? pathsOf('gone').map((path) => [path, numberIn(before(path))]) : []),
    bits: [...trails].flatMap(([path, trail]) => wantedOf(path, trail)),
  };
}

/** Folders of which nothing is there, not even something else by their name, or nothing but what goes. `leaving`: paths of that. */
export async function missingOf(
  { files, folder: root }: Pick<World, 'files' | 'folder'>,
  folders: Iterable<string>,
  leaving: ReadonlySet<string>,
): Promise<string[]> {
  const found: string[] = [];
  for (const folder of folders) {
    const path = absolutePath(root, folder);
    const way = await wayTo(files, root, path);
    const isUnderLink = way?.kind === 'blocked' && (way.link === undefined || !leaving.has(way.link));
    if (isUnderLink) continue;
    if (way || leaving.has(folder) || !(await files.stat(path))) found.push(folder);
  }
  return found;
}

/** The operation is on permission bits of a folder. */
export function isOfFolder({ before }: Pick<StoredOperation, 'before'>): boolean {
  return before.kind === 'folder';
}

function byPath(operations: readonly StoredOperation[]): Map<string, StoredOperation[]> {
  const found = new Map<string, StoredOperation[]>();
  for (const operation of operations) {
    const list = found.get(operation.path);
    if (list) list.push(operation);
    else found.set(operation.path, [operation]);
  }
  return found;
}

/** What one turn did to one folder. */
function trailOf(
  record: FolderRecord | undefined,
  operations: readonly StoredOperation[],
  turn: number,
): Trail {
  const [first, last] = [operations[0], operations.at(-1)];
  // Made anew without an operation: nobody's later one is known.
  const common = { turn, since: last?.place ?? Number.MAX_SAFE_INTEGER, gaps: gapsIn(operations) };
  if (record?.fate === 'made')
    return { ...common, before: 'absent', after: last ? modeOf(last.after) : record.mode };
  if (!record) return { ...common, before: modeOf(first?.before), after: modeOf(last?.after) };
  const { mode, remade } = record;
  if (remade === undefined) return { ...common, before: mode, after: 'absent' };
  const isChangedSince = last !== undefined && modeOf(last.before) === remade;
  return { ...common, gaps: [], before: mode, after: isChangedSince ? modeOf(last.after) : remade };
}

function gapsIn(operations: readonly StoredOperation[]): Gap[] {
  return operations.flatMap((operation, index) => {
    const earlier = operations[index - 1];
    return earlier && modeOf(earlier.after) !== modeOf(operation.before)
      ? [{ from: earlier.place, before: operation.place, found: operation.before }]
      : [];
  });
}

/** `first`: the later turn's first operation. */
function joined(earlier: Trail | undefined, later: Trail, first: StoredOperation | undefined): Trail {
  if (!earlier) return later;
  const isGap = first && numberIn(earlier.after) !== undefined && earlier.after !== later.before;
  const gap = isGap ? [{ from: earlier.since, before: first.place, found: first.before }] : [];
  return { ...later, before: earlier.before, gaps: [...earlier.gaps, ...gap, ...later.gaps] };
}

/** Bits of a folder that goes, or that isn't there, needn't be looked at. */
function wantedOf(path: string, { before, after, since, turn, gaps }: Trail): readonly Wanted[] {
  const [target, expected] = [numberIn(before), numberIn(after)];
  if (target === undefined || expected === undefined) return [];
  const state = (mode: number) => ({ kind: 'folder', mode }) as const;
  return [{ path, expected: state(expected), target: state(target), since, turn, gaps }];
}

function numberIn(bits: Trail['before']): number | undefined {
  return typeof bits === 'number' ? bits : undefined;
}
