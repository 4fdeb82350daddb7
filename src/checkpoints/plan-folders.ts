import { dirname } from 'node:path';
import { folderBits } from '#disk/folder-bits';
import { missingFolders } from './folders';
import { folderIn, foldersAbove } from './paths';
import type { Bits, RestorePlan } from './plan';
import type { FileStep } from './preflight';
import { folderAt } from './way';
import type { World } from './world';

/** Folders that must be made for what the steps put there. */
export async function foldersFor(world: World, files: readonly FileStep[]): Promise<string[]> {
  const missing = new Set<string>();
  // One path of each folder will do.
  const byFolder = new Map(targetsOf(files).map((path) => [dirname(path), path]));
  for (const path of byFolder.values()) {
    const found = await missingFolders(world.files, world.folder, path);
    // A file or a link in the way is either about to go or a conflict that the step itself meets.
    for (const folder of found.ok ? found.value : foldersAbove(path)) missing.add(folder);
  }
  return [...missing].sort();
}

/** Paths at which the steps leave a file or a link. */
export function targetsOf(files: readonly FileStep[]): string[] {
  return files.filter(({ to }) => to.kind === 'file' || to.kind === 'link').map(({ path }) => path);
}

/** Folders that are there and needn't stay for one of the given files, outermost first, with their permission bits. */
export async function existing(
  world: World,
  folders: readonly string[],
  files: readonly string[],
): Promise<ReadonlyMap<string, number | undefined>> {
  const found = new Map<string, number | undefined>();
  for (const folder of [...folders].sort()) {
    if (files.some((path) => path.startsWith(`${folder}/`))) continue;
    const stat = await folderAt(world.files, world.folder, folder);
    if (stat) found.set(folder, folderBits(stat.mode));
  }
  return found;
}

/** What is to be done to folders, with the permission bits that belong to it. */
export async function folderPlan(
  world: World,
  files: readonly FileStep[],
  { make, remove }: Record<'make' | 'remove', ReadonlyMap<string, number | undefined>>,
): Promise<Pick<RestorePlan, 'makeFolders' | 'removeFolders' | 'bits' | 'opened'>> {
  const made = [...make.keys()].sort();
  const bits = bitsOf([...make, ...remove]);
  const opened = await toOpen(world, [...files.map(({ path }) => path), ...made, ...remove.keys()], made);
  return {
    makeFolders: made,
    removeFolders: [...remove.keys()],
    ...(Object.keys(bits).length > 0 ? { bits } : {}),
    ...(Object.keys(opened).length > 0 ? { opened } : {}),
  };
}

function bitsOf(folders: Iterable<readonly [path: string, bits: number | undefined]>): Bits {
  return Object.fromEntries(
    [...folders].flatMap(([path, bits]) => (bits === undefined ? [] : [[path, bits]])),
  );
}

/** Folders in which something is to be done, and in which nobody may: they are opened for it. */
async function toOpen(world: World, paths: readonly string[], made: readonly string[]): Promise<Bits> {
  const own = new Set([...made, ...paths.filter((path) => path.endsWith('/')).map(folderIn)]);
  const found: [string, number | undefined][] = [];
  for (const folder of new Set(paths.map((path) => dirname(path)))) {
    if (own.has(folder)) continue;
    const stat = await folderAt(world.files, world.folder, folder);
    if (stat && isClosed(stat.mode)) found.push([folder, folderBits(stat.mode)]);
  }
  return bitsOf(found);
}

/** To whoever it belongs: where others may still write, its owner may be one of those who needn't be asked. */
function isClosed(mode: number): boolean {
  return (mode & 0o222) === 0 || (mode & 0o111) === 0;
}
