import { folderBits } from '#disk/folder-bits';
import { modeOf } from './chain';
import { opened } from './folder-actions';
import { absolutePath, folderIn } from './paths';
import type { RestorePlan } from './plan';
import { folderAt } from './way';
import type { World } from './world';

/** Those that are there, are folders, and are no other place's. */
export async function thereOf({ files, folder }: World, folders: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of folders) if (await folderAt(files, folder, path)) found.push(path);
  return found;
}

/**
 * A restore that died when it had closed a folder to its owner can't see what is in it: it is opened again, as long as its bits are
 * of the restore's own making.
 */
export async function openFolders(world: World, plan: RestorePlan): Promise<void> {
  const { files, folder, log } = world;
  for (const [path, modes] of [...modesIn(plan)].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const at = absolutePath(folder, path);
    const stat = await folderAt(files, folder, path).catch(() => undefined);
    const mode = stat && folderBits(stat.mode);
    if (mode === undefined || !modes.includes(mode) || opened(mode) === mode) continue;
    const done = await files.land({ kind: 'folder-bits', path: at, expected: mode, mode: opened(mode) });
    if (!done.ok) log.warn(`restore: ${path} could not be opened: ${done.error.message}`);
  }
}

/** Bits that the restore found or sets, by folder. */
function modesIn({ files, bits = {}, opened: closed = {} }: RestorePlan): Map<string, number[]> {
  const modes = new Map<string, number[]>();
  const add = (path: string, mode: number | undefined) => {
    if (mode !== undefined) modes.set(path, [...(modes.get(path) ?? []), mode]);
  };
  for (const { path, from, to } of files)
    if (from.kind === 'folder') for (const state of [from, to]) add(folderIn(path), modeOf(state));
  for (const [path, mode] of [...Object.entries(bits), ...Object.entries(closed)]) add(path, mode);
  return modes;
}
