import { dirname, join, resolve } from 'node:path';
import { namesPrograms } from '#commands/classes/git-config';
import type { Files } from '#host';
import type { AbsolutePath } from '#protocol/ids';
import { trackedFiles, trackedRepositories } from './tracked-files';

/** An index that is longer isn't read. */
const LONGEST_INDEX = 64 * 1024 * 1024;

type Disk = Pick<Files, 'stat' | 'read' | 'list'>;

/** A configuration that is longer isn't judged. */
const LONGEST = 256 * 1024;
const MOST_MODULES = 50;
/** Repositories in repositories. */
const DEEPEST = 4;

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
    const found = await repositoryAt(at as AbsolutePath, files);
    if (found !== undefined || dirname(at) === at) return found;
  }
}

/** What that folder itself holds. */
async function repositoryAt(top: AbsolutePath, files: Disk): Promise<Repository | 'unclear' | undefined> {
  const own = join(top, '.git');
  const kind = await kindOf(own, files);
  if (kind === undefined) return undefined;
  if (kind === 'file') return (await linked(top, files)) ?? 'unclear';
  if (kind !== 'folder' || (await isBorrowed(own, files))) return 'unclear';
  return { top, own, common: own };
}

/** A git folder may say that its configuration and objects are another one's, and so open a repository that isn't here. */
async function isBorrowed(folder: string, files: Disk): Promise<boolean> {
  const other = ['commondir', 'objects/info/alternates'].map((name) => kindOf(join(folder, name), files));
  const own = ['objects', 'refs', 'packed-refs', 'index', 'config'].map((name) =>
    kindOf(join(folder, name), files),
  );
  return (
    (await Promise.all(other)).some((kind) => kind !== undefined) ||
    (await Promise.all(own)).includes('symlink')
  );
}

/** A worktree's `.git` names the real folder, which must know of it: git wrote there where that file is. */
async function linked(top: AbsolutePath, files: Disk): Promise<Repository | undefined> {
  const file = join(top, '.git');
  const own = await gitFolderOf(file, files);
  if (own === undefined) return undefined;
  const common = dirname(dirname(own));
  const [named, back] = await Promise.all(
    ['commondir', 'gitdir'].map(async (name) => (await textOf(join(own, name), files))?.trim()),
  );
  if (!named || !back || resolve(own, named) !== common || resolve(own, back) !== file) return undefined;
  return (await isBorrowed(common, files)) ? undefined : { top, own, common };
}

/** Where a `.git` that is a file leads. */
async function gitFolderOf(file: string, files: Disk): Promise<string | undefined> {
  const target = /^gitdir: (.+?)\s*$/.exec((await textOf(file, files)) ?? '')?.[1];
  return target === undefined ? undefined : resolve(dirname(file), target);
}

async function kindOf(path: string, files: Disk) {
  return (await files.stat(path as AbsolutePath))?.kind;
}

/** Whether git, called in that repository, runs no programs that its own configuration names; its submodules included. */
export async function isHarmlessRepository(repository: Repository, files: Disk, depth = 0): Promise<boolean> {
  if (!(await hasHarmlessConfig(repository.common, files))) return false;
  const index = await indexOf(repository, files);
  const inner = index === 'none' ? [] : index && trackedRepositories(index);
  if (inner === undefined || inner.length > MOST_MODULES || depth > DEEPEST) return false;
  for (const name of inner) {
    const found = await repositoryAt(join(repository.top, name) as AbsolutePath, files);
    if (found === 'unclear' || (found && !(await isHarmlessRepository(found, files, depth + 1))))
      return false;
  }
  return true;
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

/** The files that the repository tracks, relative to its top; undefined where they can't be told. None before the first one is added. */
export async function filesOf(repository: Repository, files: Disk): Promise<readonly string[] | undefined> {
  const index = await indexOf(repository, files);
  return index === 'none' ? [] : index && trackedFiles(index);
}

async function indexOf({ own }: Repository, files: Disk): Promise<Uint8Array | 'none' | undefined> {
  const path = join(own, 'index') as AbsolutePath;
  if ((await files.stat(path)) === undefined) return 'none';
  const found = await files.read(path, { maxBytes: LONGEST_INDEX });
  return found.ok && !found.value.more ? found.value.bytes : undefined;
}

async function textOf(path: string, files: Disk): Promise<string | undefined> {
  const found = await files.read(path as AbsolutePath, { maxBytes: LONGEST });
  return found.ok && !found.value.more ? Buffer.from(found.value.bytes).toString('utf8') : undefined;
}
