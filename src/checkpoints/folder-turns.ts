import type { CheckpointId } from '#protocol/ids';
import type { FolderFate } from '#store/folders';
import type { Draft } from './draft';
import { folderAt } from './way';
import type { World } from './world';

/** Turns that did something to folders alone, and of which all goes back or is back already. `changing`: folders that come or go. */
export async function turnsOfFolders(
  world: World,
  draft: Draft,
  changing: ReadonlySet<string>,
): Promise<CheckpointId[]> {
  const { store } = world;
  const withFiles = new Set(draft.standing.map(({ checkpointId }) => checkpointId));
  const found: CheckpointId[] = [];
  for (const { id } of draft.turns) {
    if (withFiles.has(id)) continue;
    const folders = store.folders.fates(id);
    if (folders.length === 0 || store.operations.list(id).length > 0) continue;
    if (await areAllBack(world, draft, folders, changing)) found.push(id);
  }
  return found;
}

/** As they were before the first of the turns. */
async function areAllBack(
  { files, folder }: World,
  { goneFolders }: Draft,
  fates: readonly FolderFate[],
  changing: ReadonlySet<string>,
): Promise<boolean> {
  for (const { path } of fates) {
    if (changing.has(path)) continue;
    const isThere = (await folderAt(files, folder, path)) !== undefined;
    if (isThere !== goneFolders.has(path)) return false;
  }
  return true;
}
