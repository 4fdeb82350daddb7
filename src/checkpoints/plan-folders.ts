import { dirname } from 'node:path';
import { missingFolders } from './folders';
import { absolutePath } from './look';
import type { FileStep } from './preflight';
import type { World } from './world';

/** Folders that must be made for what the steps put there. */
export async function foldersFor(world: World, files: readonly FileStep[]): Promise<string[]> {
  const missing = new Set<string>();
  for (const path of targetsOf(files)) {
    const found = await missingFolders(world.files, world.folder, path);
    // A file in the way is either about to go or a conflict that the step itself meets.
    for (const folder of found.ok ? found.value : ancestorsOf(path)) missing.add(folder);
  }
  return [...missing].sort();
}

function ancestorsOf(path: string): string[] {
  const ancestors: string[] = [];
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) ancestors.push(folder);
  return ancestors;
}

/** Paths at which the steps leave a file. */
export function targetsOf(files: readonly FileStep[]): string[] {
  return files.filter(({ to }) => to.kind === 'file').map(({ path }) => path);
}

/** Folders that are there and needn't stay for one of the given files. */
export async function existing(
  world: World,
  folders: readonly string[],
  files: readonly string[],
): Promise<string[]> {
  const found: string[] = [];
  for (const folder of [...folders].sort()) {
    if (files.some((path) => path.startsWith(`${folder}/`))) continue;
    if ((await world.files.stat(absolutePath(world.folder, folder)))?.kind === 'folder') found.push(folder);
  }
  return found;
}
