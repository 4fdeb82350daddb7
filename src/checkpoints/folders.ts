import { fail, ok, type Result } from '#base/result';
import type { FileProblem, Files } from '#host';
import type { AbsolutePath } from '#protocol/ids';
import { absolutePath, foldersAbove } from './paths';

/** The folders above a path that don't exist, relative, outermost first; a problem where a file or a link is in the way. */
export async function missingFolders(
  files: Files,
  root: AbsolutePath,
  path: string,
): Promise<Result<string[], FileProblem>> {
  const missing: string[] = [];
  // From the root on: what is found through a link isn't here.
  for (const folder of foldersAbove(path)) {
    const stat = missing.length > 0 ? undefined : await files.stat(absolutePath(root, folder));
    if (!stat) missing.push(folder);
    else if (stat.kind !== 'folder')
      return fail({
        kind: 'not-a-file',
        message: `${folder} is not a folder, so nothing can be made below it; choose another path`,
      });
  }
  return ok(missing);
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
