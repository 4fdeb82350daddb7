import { dirname, join, relative as relativeTo, sep } from 'node:path';
import { t } from '#base/l10n';
import { messageOf } from '#base/result';
import { foldName } from '#base/text';
import type { FileStat, Files } from '#host';
import type { FileState } from '#protocol/checkpoint';
import type { AbsolutePath } from '#protocol/ids';
import type { Content } from './blobs';
import { ABSENT } from './chain';

/** Largest file whose content is kept for undo; a larger one isn't changed. */
export const CONTENT_LIMIT = 64 * 1024 * 1024;
/** Contents up to this size stay in memory between the look and the change. */
const HELD_LIMIT = 1024 * 1024;

/** What stands at a path now. `blocked`: something that Belay must not write over or through, with why. */
export type Seen =
  | { readonly kind: 'state'; readonly state: FileState; readonly held?: Content; readonly identity?: string }
  | { readonly kind: 'folder' }
  /** `link`: the relative path of a link above it, which leads elsewhere. */
  | { readonly kind: 'blocked'; readonly why: string; readonly link?: string };

export const NOTHING_THERE: Seen = { kind: 'state', state: ABSENT };

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

/** Looks without following any link: a folder on the way that has become one blocks. A path that ends in `/` asks for a folder's bits. */
export async function lookAt(files: Files, root: AbsolutePath, relative: string): Promise<Seen> {
  if (relative.endsWith('/')) return lookAtFolder(files, root, folderIn(relative));
  const path = absolutePath(root, relative);
  try {
    const way = await wayTo(files, root, path);
    if (way) return way;
    const stat = await files.stat(path);
    if (!stat) return NOTHING_THERE;
    if (stat.kind === 'folder') return { kind: 'folder' };
    const target = stat.kind === 'symlink' ? await files.readLink(path) : undefined;
    if (target !== undefined)
      return { kind: 'state', state: { kind: 'link', target }, identity: stat.identity };
    if (stat.kind !== 'file')
      return {
        kind: 'blocked',
        why: t('something that is no regular file stands there now ({0})', stat.kind),
      };
    const read = await files.read(path, { maxBytes: CONTENT_LIMIT });
    if (!read.ok) return { kind: 'blocked', why: read.error.message };
    if (read.value.more)
      return { kind: 'blocked', why: t('it is larger than {0} MB now', CONTENT_LIMIT / 1024 / 1024) };
    const { bytes, sha256 } = read.value;
    const state: FileState = { kind: 'file', sha256, bytes: bytes.byteLength, mode: stat.mode };
    const held = bytes.byteLength <= HELD_LIMIT ? { held: { bytes, sha256 } } : {};
    return { kind: 'state', state, identity: stat.identity, ...held };
  } catch (error) {
    return { kind: 'blocked', why: messageOf(error) };
  }
}

/** The path of a folder whose permission bits are meant, without the `/` that says so. */
export function folderIn(path: string): string {
  return path.slice(0, -1);
}

async function lookAtFolder(files: Files, root: AbsolutePath, relative: string): Promise<Seen> {
  const path = absolutePath(root, relative);
  try {
    const way = path === root ? undefined : await wayTo(files, root, path);
    if (way) return way;
    const stat = await files.stat(path);
    if (!stat) return NOTHING_THERE;
    if (stat.kind !== 'folder') return { kind: 'blocked', why: t('no folder stands there now') };
    return { kind: 'state', state: { kind: 'folder', mode: stat.mode } };
  } catch (error) {
    return { kind: 'blocked', why: messageOf(error) };
  }
}

/** A folder that is really there: not one that is only found through a link. */
export async function folderAt(
  files: Files,
  root: AbsolutePath,
  relative: string,
): Promise<FileStat | undefined> {
  const path = absolutePath(root, relative);
  if (path !== root && (await wayTo(files, root, path))) return undefined;
  const stat = await files.stat(path);
  return stat?.kind === 'folder' ? stat : undefined;
}

/** Undefined when the nearest existing folder above a path is really where it claims to be; else what is to be said. */
export async function wayTo(files: Files, root: AbsolutePath, path: AbsolutePath): Promise<Seen | undefined> {
  const way = await nearestAbove(files, root, path).catch((error: Error) => error);
  if (!(way instanceof Error) && way?.kind !== 'blocked') return way;
  const link = await linkAbove(files, root, path);
  if (link !== undefined) return { kind: 'blocked', link, why: linkAboveWords() };
  if (way instanceof Error) throw way;
  return way;
}

async function nearestAbove(files: Files, root: AbsolutePath, path: AbsolutePath): Promise<Seen | undefined> {
  for (let folder = dirname(path); folder.length >= root.length; folder = dirname(folder)) {
    const stat = await files.stat(folder as AbsolutePath);
    if (!stat) continue;
    if (stat.kind === 'file') return NOTHING_THERE;
    const real = await files.realPath(folder);
    if (stat.kind === 'folder' && real === folder)
      return folder === dirname(path) ? undefined : NOTHING_THERE;
    return { kind: 'blocked', why: linkAboveWords() };
  }
  return { kind: 'blocked', why: t('the workspace folder is gone') };
}

/** The outermost one, relative. Looked for from the root on, so that no look goes through it: it may lead to itself. */
async function linkAbove(files: Files, root: AbsolutePath, path: AbsolutePath): Promise<string | undefined> {
  for (const folder of foldersAbove(relativePath(root, path) ?? '')) {
    const stat = await files.stat(absolutePath(root, folder));
    if (stat?.kind === 'symlink') return folder;
    if (stat?.kind !== 'folder') return undefined;
  }
  return undefined;
}

/** For people: why nothing is done at a path below it. */
export function linkAboveWords(): string {
  return t('a folder above it is a link to another place now');
}

/** Those between the root and a relative path, outermost first. */
export function foldersAbove(path: string): string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}

/**
 * Where a link stands above a path that a restore takes away, or has just put there, nothing is at the path itself: whatever is found
 * through it is another place's. `isLeaving`: says it of that link, by its relative path.
 */
export function withoutLinksAbove(
  seen: ReadonlyMap<string, Seen>,
  isLeaving: (link: string) => boolean,
): Map<string, Seen> {
  return new Map(
    [...seen].map(([path, look]) => {
      const isUnder = look.kind === 'blocked' && look.link !== undefined && isLeaving(look.link);
      return [path, isUnder ? NOTHING_THERE : look];
    }),
  );
}

/** On a disk that ignores case, `A.txt` is found although only `a.txt` is there: then it is the other one that was seen. */
export function withoutTwins(
  seen: ReadonlyMap<string, Seen>,
  expectedAbsent: (path: string) => boolean,
): Map<string, Seen> {
  const cleaned = new Map(seen);
  for (const [path, look] of seen) {
    if (look.kind !== 'state' || look.identity === undefined || !expectedAbsent(path)) continue;
    for (const [other, twin] of seen) {
      const isTwin =
        other !== path &&
        foldName(other) === foldName(path) &&
        twin.kind === 'state' &&
        twin.identity === look.identity;
      if (isTwin && !expectedAbsent(other)) cleaned.set(path, NOTHING_THERE);
    }
  }
  return cleaned;
}
