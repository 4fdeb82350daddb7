import { dirname } from 'node:path';
import { t } from '#base/l10n';
import type { FileStat, Files } from '#host';
import type { AbsolutePath } from '#protocol/ids';
import { absolutePath, foldersAbove, relativePath } from './paths';
import { NOTHING_THERE, type Seen } from './seen';

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
