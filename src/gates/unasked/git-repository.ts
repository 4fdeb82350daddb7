import { dirname, join, resolve } from 'node:path';
import { namesPrograms } from '#commands/classes/git-config';
import type { Files } from '#host';
import type { AbsolutePath } from '#protocol/ids';

type Disk = Pick<Files, 'stat' | 'read' | 'list'>;

/** A configuration that is longer isn't judged. */
const LONGEST = 256 * 1024;
const MOST_MODULES = 50;

/**
 * Whether git, called in that folder, reads a repository whose own configuration names no programs; the repository's submodules
 * included. A folder without a repository has none.
 */
export async function isHarmlessRepository(folder: AbsolutePath, files: Disk): Promise<boolean> {
  for (let at: string = folder; ; at = dirname(at)) {
    const found = (await files.stat(join(at, '.git') as AbsolutePath))?.kind;
    if (found === 'folder') return hasHarmlessConfig(join(at, '.git'), files);
    if (found === 'file') return isHarmlessLink(at, files);
    if (found !== undefined) return false;
    if (dirname(at) === at) return true;
  }
}

/** A worktree's or submodule's `.git` names the real folder. */
async function isHarmlessLink(folder: string, files: Disk): Promise<boolean> {
  const target = /^gitdir: (.+?)\s*$/.exec((await textOf(join(folder, '.git'), files)) ?? '')?.[1];
  if (target === undefined) return false;
  const own = resolve(folder, target);
  const common = (await textOf(join(own, 'commondir'), files))?.trim();
  return hasHarmlessConfig(common === undefined ? own : resolve(own, common), files);
}

async function hasHarmlessConfig(git: string, files: Disk): Promise<boolean> {
  const config = await textOf(join(git, 'config'), files);
  if (config === undefined || namesPrograms(config) !== undefined) return false;
  const modules = join(git, 'modules') as AbsolutePath;
  if ((await files.stat(modules)) === undefined) return true;
  const names = await files.list(modules);
  if (names.length > MOST_MODULES) return false;
  const each = await Promise.all(names.map(({ name }) => hasHarmlessConfig(join(modules, name), files)));
  return each.every(Boolean);
}

async function textOf(path: string, files: Disk): Promise<string | undefined> {
  const found = await files.read(path as AbsolutePath, { maxBytes: LONGEST });
  return found.ok && !found.value.more ? Buffer.from(found.value.bytes).toString('utf8') : undefined;
}
