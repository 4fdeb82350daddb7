import { lstatSync } from 'node:fs';
import type { Mount } from './mounts';

/**
 * Remembers which files stand behind mounts that hold single files, and tells later which of them are no longer the same. A mount goes
 * with the file that it lies on: when another program replaces or removes that, a command that runs meets the new one as it is.
 */
export function replacedFiles(mounts: readonly Mount[]): () => readonly string[] {
  const held = mounts.flatMap(({ kind, path }) => {
    const identity = kind === 'read-only' || kind === 'hidden-file' ? identityOf(path) : undefined;
    return identity === undefined ? [] : [{ path, identity }];
  });
  return () => held.filter(({ path, identity }) => identityOf(path) !== identity).map(({ path }) => path);
}

/** Of a file, by what it is and not by its name; a folder's entries come and go, its mount stays. */
function identityOf(path: string): string | undefined {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    return stat === undefined || stat.isDirectory() ? undefined : `${stat.dev}:${stat.ino}`;
  } catch {
    return undefined;
  }
}

const MOST_NAMED = 5;

/** For the model, and for the person behind it. `paths`: those that may be named. */
export function replacedNote(paths: readonly string[], all: number): string {
  const named = paths.slice(0, MOST_NAMED);
  const rest = all - named.length;
  const names = [...named, ...(rest > 0 ? [rest === 1 ? 'one file' : `${rest} files`] : [])].join(', ');
  return `protected or hidden files were replaced by another program while the command ran, and it may have read or changed the new ones: ${names}; tell the user to look at them before they are used`;
}
