import { dirname } from 'node:path';
import { fail, ok, type Result } from '#base/result';
import type { FileProblem, Files } from '#host';
import type { AbsolutePath } from '#protocol/ids';
import { absolutePath } from './look';

/** The folders above a path that don't exist, relative, outermost first; a problem where a file or a link is in the way. */
export async function missingFolders(
  files: Files,
  root: AbsolutePath,
  path: string,
): Promise<Result<string[], FileProblem>> {
  const missing: string[] = [];
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    const stat = await files.stat(absolutePath(root, folder));
    // What is found through a link isn't here.
    const isHere = stat?.kind === 'folder' && (await isReal(files, absolutePath(root, folder)));
    if (isHere) break;
    if (stat)
      return fail({
        kind: 'not-a-file',
        message: `${folder} is not a folder, so nothing can be made below it; choose another path`,
      });
    missing.unshift(folder);
  }
  return ok(missing);
}

/** No link lies on the way to it. */
export async function isReal(files: Files, folder: AbsolutePath): Promise<boolean> {
  return (await files.realPath(folder)) === folder;
}

/** Makes folders, outermost first. */
export async function makeFolders(
  files: Files,
  root: AbsolutePath,
  folders: readonly string[],
): Promise<Result<void, FileProblem>> {
  for (const folder of folders) {
    const made = await files.land({ kind: 'make-folder', path: absolutePath(root, folder) });
    if (!made.ok) return made;
  }
  return ok(undefined);
}

/** Removes those that are empty, innermost first; the others stay. */
export async function removeEmptyFolders(
  files: Files,
  root: AbsolutePath,
  folders: readonly string[],
): Promise<void> {
  for (const folder of [...folders].reverse()) {
    await files.land({ kind: 'remove-empty-folder', path: absolutePath(root, folder) });
  }
}
