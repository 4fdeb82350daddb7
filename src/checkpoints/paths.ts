import { join, relative as relativeTo, sep } from 'node:path';
import type { AbsolutePath } from '#protocol/ids';

/** `/`-separated path of a file under the root; undefined when it isn't under it. */
export function relativePath(root: AbsolutePath, path: string): string | undefined {
  const relative = relativeTo(root, path);
  if (relative === '' || relative === '..' || relative.startsWith(`..${sep}`) || relative === path)
    return undefined;
  return sep === '/' ? relative : relative.replaceAll(sep, '/');
}

export function absolutePath(root: AbsolutePath, relative: string): AbsolutePath {
  return join(root, relative) as AbsolutePath;
}

/** The path of a folder whose permission bits are meant, without the `/` that says so. */
export function folderIn(path: string): string {
  return path.slice(0, -1);
}

/** Those between the root and a relative path, outermost first. */
export function foldersAbove(path: string): string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}
