import { existsSync, lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';

/** A path with its symlinks resolved, and what is there; undefined when nothing is, or nobody may look. */
export function realPlace(path: string): { readonly path: string; readonly isFolder: boolean } | undefined {
  // Most of the paths asked for aren't there: this is the quickest no.
  if (!existsSync(path)) return undefined;
  try {
    return { path: realpathSync.native(path), isFolder: statSync(path).isDirectory() };
  } catch {
    return undefined;
  }
}

/** True when `path` is `folder` or lies in it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}

/** The text of a small file; empty when it can't be read. */
export function smallText(path: string): string {
  try {
    return statSync(path).isFile() ? readFileSync(path, 'utf8').slice(0, 65_536) : '';
  } catch {
    return '';
  }
}

/** True when something has that name, a link that leads nowhere included, and when nobody may look. */
export function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}
