import { dirname } from 'node:path';
import { count } from '#base/text';
import { isLeftover } from '#disk/temporary';
import type { AbsolutePath } from '#protocol/ids';
import { isReal } from './folders';
import { absolutePath } from './look';
import type { World } from './world';

/** Removes the temporary files and links that a killed write left beside its target. */
export async function sweepLeftovers(world: World, paths: readonly string[]): Promise<void> {
  const folders = new Set(paths.map((path) => dirname(absolutePath(world.folder, path))));
  for (const folder of folders) await sweep(world, folder as AbsolutePath);
}

async function sweep(world: World, folder: AbsolutePath): Promise<void> {
  if ((await world.files.stat(folder))?.kind !== 'folder' || !(await isReal(world.files, folder))) return;
  const leftovers = (await world.files.list(folder)).filter(
    ({ name, kind }) => (kind === 'file' || kind === 'symlink') && isLeftover(name),
  );
  for (const { name } of leftovers) {
    const path = `${folder}/${name}` as AbsolutePath;
    const [read, target] = [await world.files.read(path), await world.files.readLink(path)];
    if (read.ok) await world.files.land({ kind: 'delete', path, expected: read.value.sha256 });
    else if (target !== undefined) await world.files.land({ kind: 'remove-link', path, target });
  }
  if (leftovers.length > 0)
    world.log.info(`journal: removed ${count(leftovers.length, 'temporary file')} of a killed write`);
}
