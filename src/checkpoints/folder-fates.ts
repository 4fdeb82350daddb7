import type { AbsolutePath, CheckpointId } from '#protocol/ids';
import type { FolderFate } from '#store/checkpoints';
import { absolutePath } from './look';
import type { World } from './world';

/** What turns did to folders: those that weren't there before and those that were. */
export interface FolderFates {
  readonly made: readonly string[];
  readonly gone: readonly string[];
}

/** Composes turns, in order: what happened to a folder first tells what was there before. */
export function folderFates({ store }: World, turns: readonly { readonly id: CheckpointId }[]): FolderFates {
  const fates = new Map<string, FolderFate['fate']>();
  for (const { id } of turns)
    for (const { path, fate } of store.checkpoints.folderFates(id))
      if (!fates.has(path)) fates.set(path, fate);
  const pathsOf = (wanted: FolderFate['fate']) =>
    [...fates].flatMap(([path, fate]) => (fate === wanted ? [path] : []));
  return { made: pathsOf('made'), gone: pathsOf('gone') };
}

/** Folders of which nothing is there, not even something else by their name. */
export async function missingOf(
  { files, folder: root }: { readonly files: World['files']; readonly folder: AbsolutePath },
  folders: readonly string[],
): Promise<string[]> {
  const found: string[] = [];
  for (const folder of folders) if (!(await files.stat(absolutePath(root, folder)))) found.push(folder);
  return found;
}
