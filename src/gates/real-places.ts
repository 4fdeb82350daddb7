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
  if (await isMissing(path, files)) return { places: [path], folder: false };
  const inside = await resolveWorkspacePath(path, workspace, files);
  const real = inside.ok ? inside.value.absolute : await files.realPath(path).catch(() => undefined);
  const kind = real && (await files.stat(real).catch(() => undefined))?.kind;
  return { places: [...new Set([path, ...(real ? [real] : [])])], folder: kind === 'folder' };
}

/**
 * Nothing is there, in a folder that is really called so: nearly every word of a command that is no file. A name in other letters
 * than ASCII may be there in another form.
 */
async function isMissing(path: AbsolutePath, files: ToolPorts['files']): Promise<boolean> {
  const folder = dirname(path) as AbsolutePath;
  if (!ASCII.test(path.slice(folder.length))) return false;
  try {
    return (await files.stat(path)) === undefined && (await files.realPath(folder)) === folder;
  } catch {
    return false;
  }
}

const ASCII = /^[\x20-\x7e]+$/;
