import { dirname, join, relative, resolve } from 'node:path';
import { count } from '#base/text';
import type { AbsolutePath, RelativePath } from '#protocol/ids';
import { absolutePath, lexicalPath, showPath } from '#tools/paths';
import type { ToolPorts } from '#tools/tool';
import { ignoredFolder } from './ignored-folder';
import { pathIn, type Repository, targetOf } from './repository';

type Ports = Pick<ToolPorts, 'files' | 'workspace'>;

/** Linked worktrees that are looked at. */
const MOST = 200;

/**
 * Linked worktrees of the workspace's own repository below a folder, which therefore hold copies of its files. Git's own list gives the
 * places, so nothing is walked; a place counts when its `.git` points back to that list. What the list names elsewhere is never touched.
 */
export async function worktreesBelow(
  folder: RelativePath,
  repository: Repository | undefined,
  ports: Ports,
): Promise<readonly RelativePath[]> {
  if (repository?.shared === undefined) return [];
  const list = join(repository.shared, 'worktrees');
  try {
    const names = (await ports.files.list(list as AbsolutePath)).filter(({ kind }) => kind === 'folder');
    const found = names.slice(0, MOST).map(({ name }) => worktreeOf(join(list, name), folder, ports));
    return (await Promise.all(found)).flat().sort();
  } catch {
    // No such list, or one that can't be read: then nothing is left out.
    return [];
  }
}

/** Those of them that a search would have gone into: neither ignored anyway nor hidden. */
export async function missedWorktrees(
  worktrees: readonly RelativePath[],
  countsIgnored: boolean,
  ports: ToolPorts,
): Promise<readonly RelativePath[]> {
  const { workspace } = ports;
  const open = worktrees.filter((path) => !workspace.hidden.by(absolutePath(workspace, path), true));
  if (countsIgnored) return open;
  const ignored = await Promise.all(open.map((path) => ignoredFolder(path, ports)));
  return open.filter((_, index) => !ignored[index]?.isIgnored);
}

/** For the model, as a note: empty when none was left out. */
export function worktreeNotes(missed: readonly RelativePath[]): readonly string[] {
  if (missed.length === 0) return [];
  const more = missed.length > 3 ? ', …' : '';
  const named = missed.slice(0, 3).map(showPath).join(', ');
  return [
    `${count(missed.length, 'linked git worktree')} of this repository left out (${named}${more}); set path to one to look in it`,
  ];
}

/** `own` is git's folder for one worktree: its place, when it lies below the folder and is really that worktree. */
async function worktreeOf(own: string, folder: RelativePath, { files, workspace }: Ports) {
  const named = await pathIn(join(own, 'gitdir'), files);
  if (named === undefined) return [];
  const git = resolve(own, named);
  const place = lexicalPath(dirname(git), workspace.root);
  if (!place.ok || !isBelow(place.value, folder)) return [];
  const target = await targetOf(git, files);
  return target !== undefined && relative(target, own) === '' ? [place.value] : [];
}

function isBelow(path: RelativePath, folder: RelativePath): boolean {
  return path !== '.' && (folder === '.' || path.startsWith(`${folder}/`));
}
