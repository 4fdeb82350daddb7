import { t } from '#base/l10n';
import { messageOf } from '#base/result';
import type { Files } from '#host';
import type { FileState } from '#protocol/checkpoint';
import type { AbsolutePath } from '#protocol/ids';
import { absolutePath, folderIn } from './paths';
import { NOTHING_THERE, type Seen } from './seen';
import { wayTo } from './way';

/** Largest file whose content is kept for undo; a larger one isn't changed. */
export const CONTENT_LIMIT = 64 * 1024 * 1024;
/** Contents up to this size stay in memory between the look and the change. */
const HELD_LIMIT = 1024 * 1024;

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
