import type { FileChange } from '#protocol/checkpoint';
import type { StoredOperation } from '#store/file-operations';
import { composeEffects, type PathEffect, sameState } from './chain';
import type { LineStats } from './lines';

/**
 * What a turn came to, path by path: the first state and the last, renames as one entry, what cancels out left away.
 * `linesOf` may know better line counts than the sum over the operations.
 */
export function netChanges(
  operations: readonly StoredOperation[],
  linesOf: (effect: PathEffect, from: PathEffect | undefined) => LineStats | undefined = () => undefined,
): FileChange[] {
  const effects = composeEffects(operations);
  const origins = originsOf(operations);
  const moved = new Map<string, PathEffect>();
  for (const effect of effects.values()) {
    const origin = effects.get(origins.get(effect.path) ?? '');
    if (origin && origin.path !== effect.path && isMove(origin, effect)) moved.set(effect.path, origin);
  }
  const left = new Set([...moved.values()].map(({ path }) => path));
  return [...effects.values()]
    .filter((effect) => !left.has(effect.path))
    .flatMap((effect) => changeOf(effect, { origin: moved.get(effect.path), operations, linesOf }));
}

interface Context {
  readonly origin: PathEffect | undefined;
  readonly operations: readonly StoredOperation[];
  readonly linesOf: (effect: PathEffect, from: PathEffect | undefined) => LineStats | undefined;
}

function changeOf(effect: PathEffect, { origin, operations, linesOf }: Context): FileChange[] {
  const before = origin?.before ?? effect.before;
  const after = effect.after ?? plannedAfter(effect, operations);
  if (!origin && effect.after && sameState(before, after)) return [];
  const own = operations.filter(
    ({ id }) => effect.operations.includes(id) || origin?.operations.includes(id),
  );
  const undone = own.every(({ undoneBy }) => undoneBy !== undefined);
  return [
    {
      path: effect.path,
      operation: origin
        ? 'rename'
        : before.kind === 'absent'
          ? 'create'
          : after.kind === 'absent'
            ? 'delete'
            : 'modify',
      ...(origin ? { from: origin.path } : {}),
      before,
      after,
      ...(linesOf(effect, origin) ?? sum(own)),
      ...(undone ? { undone } : {}),
    },
  ];
}

/** Where a write was cut off, what it meant to leave is the best that can be shown. */
function plannedAfter(effect: PathEffect, operations: readonly StoredOperation[]): FileChange['after'] {
  return operations.find(({ id }) => id === effect.last)?.planned ?? { kind: 'absent' };
}

function isMove(origin: PathEffect, effect: PathEffect): boolean {
  return (
    origin.before.kind === 'file' &&
    origin.after?.kind === 'absent' &&
    effect.before.kind === 'absent' &&
    effect.after?.kind !== 'absent'
  );
}

/** For every path written to: the path where its file was when the turn began; undefined for a file made in the turn. */
function originsOf(operations: readonly StoredOperation[]): Map<string, string | undefined> {
  const origins = new Map<string, string | undefined>();
  for (const { kind, path, from } of operations) {
    if (kind === 'create') origins.set(path, undefined);
    else if (kind === 'rename' && from !== undefined)
      origins.set(path, origins.has(from) ? origins.get(from) : from);
  }
  return origins;
}

function sum(operations: readonly StoredOperation[]): LineStats {
  return operations.reduce(
    (lines, { added, removed }) => ({ added: lines.added + added, removed: lines.removed + removed }),
    {
      added: 0,
      removed: 0,
    },
  );
}
