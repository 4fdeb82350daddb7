import type { FileChange, FileState } from '#protocol/checkpoint';
import type { FileOperation } from '#protocol/tool-result';
import type { StoredOperation } from '#store/file-operations';
import { ABSENT, composeEffects, type PathEffect, sameState } from './chain';
import type { LineStats } from './lines';

/** What a turn came to at one path. */
export interface NetEffect {
  readonly effect: PathEffect;
  /** With a rename: what the turn did to the path where the file came from. */
  readonly origin: PathEffect | undefined;
  /** The operations that made it so, in order. */
  readonly operations: readonly StoredOperation[];
}

/**
 * What a turn came to, path by path: the first state and the last, renames as one entry, what cancels out left away.
 * `linesOf` may know better line counts than the sum over the operations.
 */
export function netChanges(
  operations: readonly StoredOperation[],
  linesOf: (path: string) => LineStats | undefined = () => undefined,
): FileChange[] {
  return netEffects(operations).map((net) => changeOf(net, linesOf(net.effect.path)));
}

/** The same before it is put into words and counts. */
export function netEffects(operations: readonly StoredOperation[]): NetEffect[] {
  const effects = composeEffects(operations);
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  const origins = originsOf(operations);
  const moved = new Map<string, PathEffect>();
  for (const effect of effects.values()) {
    const origin = effects.get(origins.get(effect.path) ?? '');
    if (origin && origin.path !== effect.path && isMove(origin, effect)) moved.set(effect.path, origin);
  }
  const left = new Set([...moved.values()].map(({ path }) => path));
  return [...effects.values()]
    .filter(({ path, before, after }) => {
      const isNothing = after && !moved.has(path) && sameState(before, after);
      return !left.has(path) && !isNothing;
    })
    .map((effect) => {
      const origin = moved.get(effect.path);
      const ids = [...new Set([...effect.operations, ...(origin?.operations ?? [])])].sort((a, b) => a - b);
      return { effect, origin, operations: ids.flatMap((id) => byId.get(id) ?? []) };
    });
}

function changeOf({ effect, origin, operations }: NetEffect, lines: LineStats | undefined): FileChange {
  const before = origin?.before ?? effect.before;
  const after = effect.after ?? plannedAfter(effect, operations);
  const command = operations.findLast((operation) => operation.command !== undefined)?.command;
  const undone = operations.every(({ undoneBy }) => undoneBy !== undefined);
  return {
    path: effect.path,
    operation: origin ? 'rename' : operationOf(before, after),
    ...(origin ? { from: origin.path } : {}),
    before,
    after,
    ...(lines ?? sum(operations)),
    ...(command === undefined ? {} : { command }),
    ...(undone ? { undone } : {}),
  };
}

/** What turns one state into the other, when it is no rename. */
export function operationOf(before: FileState, after: FileState): FileOperation {
  if (before.kind === 'absent') return 'create';
  return after.kind === 'absent' ? 'delete' : 'modify';
}

/** Where a write was cut off, what it meant to leave is the best that can be shown. */
function plannedAfter(effect: PathEffect, operations: readonly StoredOperation[]): FileState {
  return operations.find(({ place }) => place === effect.last)?.planned ?? ABSENT;
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
    { added: 0, removed: 0 },
  );
}
