import { messageOf } from '#base/result';
import type { CheckpointId } from '#protocol/ids';
import { removeEmptyFolders } from './folders';
import { absolutePath } from './paths';
import { fateOf } from './settle';
import type { World } from './world';

/** A change that the host refused: the row of what was intended, and the folders that were to be made for it. */
interface Refused {
  readonly operation: number;
  readonly folders: readonly string[];
}

/** A refused change is none. Only a host that reports a failure it didn't have leaves the new content on the disk. */
export async function dropRefused(
  { store, files, folder, log }: World,
  checkpointId: CheckpointId,
  { operation, folders }: Refused,
): Promise<void> {
  try {
    const stored = store.operations.list(checkpointId).find(({ id }) => id === operation);
    const fate = stored && (await fateOf(stored, files, folder));
    if (fate?.kind === 'happened')
      return store.operations.settle(operation, fate.after, { added: 0, removed: 0 });
    store.operations.drop(operation);
    await removeEmptyFolders(files, folder, folders);
    for (const path of folders) {
      const isLeft = await files.stat(absolutePath(folder, path));
      if (!isLeft) store.folders.drop(checkpointId, path);
    }
  } catch (error) {
    log.warn(
      `journal: the refused change ${operation} is settled at the end of the turn: ${messageOf(error)}`,
    );
  }
}
