import { dirname } from 'node:path';
import type { PathSubject } from '#gates/rules/subject';
import type { AbsolutePath } from '#protocol/ids';
import { resolveWorkspacePath } from '#tools/paths';
import type { ToolPorts } from '#tools/tool';

/** As it was named and as it really is, symlinks resolved; what can't be looked at is judged by its letters. */
export async function realPlaces(
  path: AbsolutePath,
  { files, workspace }: Pick<ToolPorts, 'files' | 'workspace'>,
): Promise<Pick<PathSubject, 'places' | 'folder'>> {
  if (await isMissing(path, { files, workspace })) return { places: [path], folder: false };
  const inside = await resolveWorkspacePath(path, workspace, files);
  const real = inside.ok ? inside.value.absolute : await files.realPath(path).catch(() => undefined);
  const kind = real && (await files.stat(real).catch(() => undefined))?.kind;
  return { places: [...new Set([path, ...(real ? [real] : [])])], folder: kind === 'folder' };
}

/**
 * Nothing is there, and the nearest folder above is really called so: nearly every word of a command that is no file. A name in
 * other letters than ASCII may be there in another form.
 */
async function isMissing(
  path: AbsolutePath,
  { files, workspace }: Pick<ToolPorts, 'files' | 'workspace'>,
): Promise<boolean> {
  if (!ASCII.test(path.startsWith(workspace.root) ? path.slice(workspace.root.length) : path)) return false;
  try {
    if ((await files.stat(path)) !== undefined) return false;
    for (let folder = dirname(path); ; folder = dirname(folder)) {
      // The root is a real path; one that is a folder still is what it was.
      if (folder === workspace.root && (await files.stat(workspace.root))?.kind === 'folder') return true;
      const real = await files.realPath(folder);
      if (real !== undefined || folder === dirname(folder)) return real === folder;
    }
  } catch {
    return false;
  }
}

const ASCII = /^[\x20-\x7e]*$/;
