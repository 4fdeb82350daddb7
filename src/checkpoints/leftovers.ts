import { dirname } from 'node:path';
import { count } from '#base/text';
import { isLeftover } from '#disk/temporary';
import type { AbsolutePath } from '#protocol/ids';
import { absolutePath } from './paths';
import { folderAt } from './way';
import type { World } from './world';

/** Removes the temporary files and links that a killed write left beside its target. */
export async function sweepLeftovers(world: World, paths: readonly string[]): Promise<void> {
  for (const folder of new Set(paths.map((path) => dirname(path)))) await sweep(world, folder);
}

async function sweep(world: World, relative: string): Promise<void> {
  if (!(await folderAt(world.files, world.folder, relative))) return;
  const folder = absolutePath(world.folder, relative);
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
