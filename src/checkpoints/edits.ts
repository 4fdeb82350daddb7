import type { FileState } from '#protocol/checkpoint';
import type { CheckpointId } from '#protocol/ids';
import type { Store } from '#store/store';
import { sameState } from './chain';
import { type LineStats, lineStats } from './lines';
import { netEffects } from './net-changes';
import type { World } from './world';

/**
 * A change that a restore makes without taking a whole operation back: some lines of a file. It becomes an operation of the turn
 * that it corrects, so that what follows composes with it.
 */
export interface PlannedEdit {
  readonly checkpointId: CheckpointId;
  readonly path: string;
  readonly before: FileState;
  readonly after: FileState;
  /** Of this change alone. */
  readonly lines: LineStats;
  /** What the turn says about the file from then on, and said before. */
  readonly becomes: LineStats;
  readonly was: LineStats;
}

/** What the turn's own line counts for a file are, and will be once it holds `bytes`. */
export async function turnLines(
  { store, blobs }: World,
  { checkpointId, path }: Pick<PlannedEdit, 'checkpointId' | 'path'>,
  bytes: Uint8Array | undefined,
): Promise<Pick<PlannedEdit, 'was' | 'becomes'>> {
  const was = store.checkpoints.get(checkpointId)?.files?.find((change) => change.path === path);
  const net = netEffects(store.operations.list(checkpointId)).find(({ effect }) => effect.path === path);
  const before = net?.origin?.before ?? net?.effect.before;
  return {
    was: { added: was?.added ?? 0, removed: was?.removed ?? 0 },
    becomes: lineStats(await blobs.contentOf(before), bytes),
  };
}

/** Records edits as operations that have happened. */
export function recordEdits(store: Store, edits: readonly PlannedEdit[]): void {
  for (const { checkpointId, path, before, after, lines, becomes } of edits) {
    const operation = {
      checkpointId,
      kind: 'modify',
      path,
      from: undefined,
      before,
      planned: after,
    } as const;
    store.operations.settle(store.operations.add(operation), after, lines);
    store.checkpoints.recount(checkpointId, path, becomes);
  }
}

/** Takes their records away again: nothing has happened to these files since, so each is the last one of its path. */
export function dropEdits(store: Store, edits: readonly PlannedEdit[]): void {
  for (const { checkpointId, path, after, was } of edits) {
    const last = store.operations.list(checkpointId).findLast((operation) => operation.path === path);
    if (last?.after && sameState(last.after, after)) store.operations.drop(last.id);
    store.checkpoints.recount(checkpointId, path, was);
  }
}
