import type { StoredCheckpoint } from '#store/checkpoints';
import type { StoredOperation } from '#store/file-operations';
import type { World } from './world';

/** What the turns did and nobody took back, in the order it happened. */
export function standingOperations(
  { store }: World,
  turns: readonly StoredCheckpoint[],
): readonly StoredOperation[] {
  return turns
    .flatMap(({ id }) => store.operations.list(id))
    .filter(({ undoneBy }) => undoneBy === undefined)
    .sort((a, b) => a.id - b.id);
}
