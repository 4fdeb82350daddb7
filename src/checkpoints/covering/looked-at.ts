import { relative, sep } from 'node:path';
import type { FileKind } from '#host';
import { BUILD_FOLDERS } from '#protocol/build-folders';

/** Whoever keeps versions: read by git itself, and never written by Belay. */
const VERSIONS = new Set(['.git', '.hg', '.svn']);
/** What Belay itself is just writing. */
const TEMPORARY = /^\.belay-\d+-[0-9a-f]+\.tmp$/;

/**
 * What no look goes into: build folders that hold nothing under git's control, whatever is named `.git` (in a submodule or worktree that is a file), Belay's own
 * storage where it lies in the folder, its temporary files.
 */
export function skips(
  root: string,
  storage: string | undefined,
  isTracked: (folder: string) => boolean = () => false,
): (name: string, kind: FileKind, folder: string) => boolean {
  const own = storage === undefined ? '' : relative(root, storage).split(sep).join('/');
  return (name, kind, folder) => {
    if (VERSIONS.has(name)) return true;
    if (kind !== 'folder') return name.startsWith('.belay-') && TEMPORARY.test(name);
    const path = folder === '' ? name : `${folder}/${name}`;
    return path === own || (BUILD_FOLDERS.has(name) && !isTracked(path));
  };
}

/** Belay's own settings: never restored. Nor is what takes the place of their folder, such as a link to other settings. */
export function isOwn(path: string): boolean {
  return path.split('/').includes('.belay');
}
