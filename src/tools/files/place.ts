import { posix } from 'node:path';
import type { FileKind, FileStat } from '#host';
import type { Touch } from '#protocol/tool-call';
import type { FileOperation } from '#protocol/tool-result';
import { absolutePath, hiddenWords, quotePath, type ResolvedPath, resolveWorkspacePath } from '#tools/paths';
import { rejected } from '#tools/refusal';
import type { ToolPorts } from '#tools/tool';

/** A regular file that is there. */
export interface ExistingFile extends ResolvedPath {
  readonly stat: FileStat;
}

/** Finds a path inside the workspace, there or not; refuses what the person keeps from the agent. */
export async function locate(tool: string, path: string, ports: ToolPorts): Promise<ResolvedPath> {
  const place = await resolveWorkspacePath(path, ports.workspace, ports.files);
  if (!place.ok) throw rejected(tool, place.error);
  const hidden = await hiddenBy(place.value, ports);
  if (hidden) throw rejected(tool, `${quotePath(path)} ${hiddenWords(hidden)}`);
  return place.value;
}

/** By its real path, or by the name it was called by. */
async function hiddenBy(place: ResolvedPath, ports: ToolPorts) {
  const { hidden } = ports.workspace;
  const isFolder = (await statAt(place, ports))?.kind === 'folder';
  return (
    hidden.by(place.absolute, isFolder) ??
    (place.link && hidden.by(absolutePath(ports.workspace, place.link), isFolder))
  );
}

/** Refuses a path that ends in a slash where a file is to be made. */
export function refuseFolderName(tool: string, path: string): void {
  if (/[\\/]$/.test(path)) throw rejected(tool, `${quotePath(path)} names a folder; add the file's name`);
}

/** What stands at a place; undefined when nothing does. */
export async function statAt(place: ResolvedPath, ports: ToolPorts): Promise<FileStat | undefined> {
  return place.exists ? ports.files.stat(place.absolute) : undefined;
}

/** Finds a regular file; says what else is there, or what has a similar name. */
export async function locateFile(tool: string, path: string, ports: ToolPorts): Promise<ExistingFile> {
  return existingFile(tool, path, await locate(tool, path, ports), ports);
}

/** The regular file at a place that was found; `path` is how it was named. */
export async function existingFile(
  tool: string,
  path: string,
  place: ResolvedPath,
  ports: ToolPorts,
): Promise<ExistingFile> {
  const stat = await statAt(place, ports);
  if (stat === undefined)
    throw rejected(tool, `${quotePath(path)} does not exist${await similarName(place, ports)}`);
  if (stat.kind !== 'file') throw rejected(tool, `${quotePath(path)} is ${kindWords(stat.kind)}`);
  return { ...place, stat };
}

/** The same for a file that will be moved or removed: a link in the last place is not followed but refused. */
export async function locateEntry(tool: string, path: string, ports: ToolPorts): Promise<ExistingFile> {
  const file = await locateFile(tool, path, ports);
  if (file.link === undefined) return file;
  const named = await ports.files.stat(absolutePath(ports.workspace, file.link));
  if (named?.kind !== 'symlink') return file;
  throw rejected(
    tool,
    `${quotePath(path)} is a symbolic link to ${quotePath(file.relative)}; name that file, or ask the user`,
  );
}

/** What a call reads or writes there: the real path, and the name it was called by when a link stands between. */
export function touchesAt(
  place: ResolvedPath,
  how: { readonly kind: 'read' } | { readonly kind: 'write'; readonly operation: FileOperation },
): Touch[] {
  const paths = place.link === undefined ? [place.relative] : [place.relative, place.link];
  return paths.map((path) => ({ ...how, path }));
}

/** What something is that isn't the wanted kind, as the rest of a sentence. */
export function kindWords(kind: FileKind): string {
  switch (kind) {
    case 'folder':
      return 'a folder; list it with glob_files';
    case 'symlink':
      return 'a symbolic link; name its target';
    case 'fifo':
      return 'a named pipe; only regular files are read and written';
    case 'socket':
      return 'a socket; only regular files are read and written';
    case 'device':
      return 'a device; only regular files are read and written';
    case 'file':
      return 'a regular file';
    case 'other':
      return 'not a regular file';
  }
}

/** The rest of "does not exist": a name beside it that differs in case or ending only, or how to look. */
async function similarName(place: ResolvedPath, ports: ToolPorts): Promise<string> {
  const folder = posix.dirname(place.relative);
  const wanted = stem(posix.basename(place.relative));
  const entries = await ports.files.list(absolutePath(ports.workspace, folder)).catch(() => []);
  const { hidden } = ports.workspace;
  const similar = entries
    .filter(({ name, kind }) => {
      const path = absolutePath(ports.workspace, posix.join(folder, name));
      return stem(name) === wanted && hidden.by(path, kind === 'folder') === undefined;
    })
    .map(({ name }) => name)[0];
  if (similar === undefined) return '; find it with glob_files';
  return `; did you mean ${quotePath(posix.join(folder, similar))}?`;
}

function stem(name: string): string {
  return name.toLowerCase().replace(/\.[^.]+$/, '');
}
