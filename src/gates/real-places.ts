import type { PathSubject } from '#gates/rules/subject';
import type { AbsolutePath } from '#protocol/ids';
import { resolveWorkspacePath } from '#tools/paths';
import type { ToolPorts } from '#tools/tool';

/** As it was named and as it really is, symlinks resolved; what can't be looked at is judged by its letters. */
export async function realPlaces(
  path: AbsolutePath,
  { files, workspace }: Pick<ToolPorts, 'files' | 'workspace'>,
): Promise<Pick<PathSubject, 'places' | 'folder'>> {
  const inside = await resolveWorkspacePath(path, workspace, files);
  const real = inside.ok ? inside.value.absolute : await files.realPath(path).catch(() => undefined);
  const kind = real && (await files.stat(real).catch(() => undefined))?.kind;
  return { places: [...new Set([path, ...(real ? [real] : [])])], folder: kind === 'folder' };
}
