import type { FileState } from '#protocol/checkpoint';
import type { StoredOperation } from '#store/file-operations';

/** A run of operations as one path saw it, first state to last. */
export interface PathEffect {
  readonly path: string;
  readonly before: FileState;
  /** Undefined when Belay died in the middle of the last write and what it left is not known. */
  readonly after: FileState | undefined;
  /** Places of the first and last operation of the run that touched the path. */
  readonly first: number;
  readonly last: number;
  /** Where one operation found another content than the one before it had left: somebody else wrote in between. */
  readonly gaps: readonly Gap[];
  readonly operations: readonly number[];
}

/** A change by somebody else between two operations. */
export interface Gap {
  /** The places after which, and before which, it happened. */
  readonly from: number;
  readonly before: number;
  readonly found: FileState;
}

interface Touch {
  readonly path: string;
  readonly before: FileState;
  readonly after: FileState | undefined;
}

export const ABSENT: FileState = { kind: 'absent' };

/** Folds operations, in the order they happened, into what they did to each path. */
export function composeEffects(operations: readonly StoredOperation[]): Map<string, PathEffect> {
  const effects = new Map<string, PathEffect>();
  for (const operation of operations) {
    for (const touch of touchesOf(operation)) {
      effects.set(touch.path, extend(effects.get(touch.path), touch, operation));
    }
  }
  return effects;
}

/** A rename is two touches: one path loses the file, the other gets it. */
function touchesOf(operation: StoredOperation): readonly Touch[] {
  const { kind, path, from, before, after } = operation;
  if (kind !== 'rename' || from === undefined) return [{ path, before, after }];
  const left = after === undefined ? undefined : ABSENT;
  return [
    { path: from, before, after: left },
    { path, before: ABSENT, after },
  ];
}

function extend(
  effect: PathEffect | undefined,
  touch: Touch,
  { id, place }: Pick<StoredOperation, 'id' | 'place'>,
): PathEffect {
  if (!effect) return { ...touch, first: place, last: place, gaps: [], operations: [id] };
  const isGap = effect.after === undefined || !sameContent(effect.after, touch.before);
  return {
    path: effect.path,
    before: effect.before,
    after: touch.after,
    first: effect.first,
    last: place,
    gaps: isGap ? [...effect.gaps, { from: effect.last, before: place, found: touch.before }] : effect.gaps,
    operations: [...effect.operations, id],
  };
}

/**
 * Paths that renames tie together, and those between which a command moved a file: each group is restored or left as one, so that
 * leaving the old name alone never takes the file away under its new one.
 */
export function groupsOf(operations: readonly StoredOperation[]): ReadonlyMap<string, string> {
  const parents = new Map<string, string>();
  const rootOf = (path: string): string => {
    const parent = parents.get(path);
    return parent === undefined || parent === path ? path : rootOf(parent);
  };
  for (const { path, from } of operations) {
    parents.set(path, parents.get(path) ?? path);
    if (from !== undefined) parents.set(rootOf(from), rootOf(path));
  }
  // This way round thousands of copies of one file hang on it, not one on the other.
  for (const [from, to] of movesByCommands(operations)) parents.set(rootOf(to), rootOf(from));
  return new Map([...parents.keys()].map((path) => [path, rootOf(path)]));
}

/** What a command took away here and made there with the very same content, or the same link. Empty files are all alike, and say nothing. */
function* movesByCommands(operations: readonly StoredOperation[]): Generator<readonly [string, string]> {
  const gone = new Map<string, string>();
  const keyOf = ({ checkpointId, command }: StoredOperation, state: FileState | undefined) => {
    if (state?.kind === 'link') return JSON.stringify([checkpointId, command, 'link', state.target]);
    if (state?.kind !== 'file' || state.bytes === 0) return undefined;
    return JSON.stringify([checkpointId, command, 'file', state.sha256]);
  };
  for (const operation of operations) {
    const { kind, command, before, path } = operation;
    const key = command !== undefined && kind === 'delete' ? keyOf(operation, before) : undefined;
    if (key !== undefined) gone.set(key, path);
  }
  for (const operation of operations) {
    const { kind, command, after, path } = operation;
    const key = command !== undefined && kind === 'create' ? keyOf(operation, after) : undefined;
    const from = key === undefined ? undefined : gone.get(key);
    if (from !== undefined) yield [from, path];
  }
}

/**
 * Same bytes, links with the same target, or absent both. Permission bits of files are compared elsewhere: a chmod by hand is no reason
 * to refuse. Of a folder they are all that is kept.
 */
export function sameContent(a: FileState, b: FileState): boolean {
  if (a.kind === 'file' && b.kind === 'file') return a.sha256 === b.sha256;
  if (a.kind === 'link' && b.kind === 'link') return a.target === b.target;
  return a.kind === b.kind && modeOf(a) === modeOf(b);
}

/** Same content and permission bits. */
export function sameState(a: FileState, b: FileState): boolean {
  return sameContent(a, b) && modeOf(a) === modeOf(b);
}

/** Permission bits; undefined where nothing is, and of a link, which has none. */
export function modeOf(state: FileState | undefined): number | undefined {
  return state?.kind === 'file' || state?.kind === 'folder' ? state.mode : undefined;
}
