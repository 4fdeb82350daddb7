import { dirname, join, resolve } from 'node:path';
import { namesPrograms } from '#commands/classes/git-config';
import type { Files } from '#host';
import type { AbsolutePath } from '#protocol/ids';
import { trackedFiles } from './tracked-files';

type Disk = Pick<Files, 'stat' | 'read' | 'list'>;

/** A configuration that is longer isn't judged. */
const LONGEST = 256 * 1024;
const MOST_MODULES = 50;

/** A repository as git finds it from a folder. */
export interface Repository {
  /** The folder of its files. */
  readonly top: AbsolutePath;
  /** The folder of this work tree's own state: its index. */
  readonly own: string;
  /** The folder of what all work trees share: the configuration. */
  readonly common: string;
}

/** The repository of that folder: undefined where there is none, `unclear` where its `.git` leads nobody knows where. */
export async function repositoryOf(
  folder: AbsolutePath,
  files: Disk,
): Promise<Repository | 'unclear' | undefined> {
  for (let at: string = folder; ; at = dirname(at)) {
    const own = join(at, '.git');
    const found = (await files.stat(own as AbsolutePath))?.kind;
    if (found === 'folder') return { top: at as AbsolutePath, own, common: own };
    if (found === 'file') return (await linked(at as AbsolutePath, files)) ?? 'unclear';
    if (found !== undefined) return 'unclear';
    if (dirname(at) === at) return undefined;
  }
}

/** A worktree's or submodule's `.git` names the real folder. */
async function linked(top: AbsolutePath, files: Disk): Promise<Repository | undefined> {
  const target = /^gitdir: (.+?)\s*$/.exec((await textOf(join(top, '.git'), files)) ?? '')?.[1];
  if (target === undefined) return undefined;
  const own = resolve(top, target);
  const common = (await textOf(join(own, 'commondir'), files))?.trim();
  return { top, own, common: common === undefined ? own : resolve(own, common) };
}

/** Whether git, called in that repository, runs no programs that its own configuration names; its submodules included. */
export async function isHarmlessRepository({ common }: Repository, files: Disk): Promise<boolean> {
  return hasHarmlessConfig(common, files);
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

/** An index that is longer isn't read. */
const LONGEST_INDEX = 16 * 1024 * 1024;

/** The files that the repository tracks, relative to its top; undefined where they can't be told. None before the first one is added. */
export async function filesOf({ own }: Repository, files: Disk): Promise<readonly string[] | undefined> {
  const path = join(own, 'index') as AbsolutePath;
  if ((await files.stat(path)) === undefined) return [];
  const found = await files.read(path, { maxBytes: LONGEST_INDEX });
  return found.ok && !found.value.more ? trackedFiles(found.value.bytes) : undefined;
}

async function textOf(path: string, files: Disk): Promise<string | undefined> {
  const found = await files.read(path as AbsolutePath, { maxBytes: LONGEST });
  return found.ok && !found.value.more ? Buffer.from(found.value.bytes).toString('utf8') : undefined;
}
