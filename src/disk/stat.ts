import { type BigIntStats, lstatSync, type Stats } from 'node:fs';
import type { FileKind, FileStat } from '#host';

/** lstat; undefined when nothing is there (ENOENT, ENOTDIR). Every other error throws. */
export async function statOf(path: string): Promise<FileStat | undefined> {
  try {
    const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    return stats && toFileStat(stats);
  } catch (error) {
    if (isNothing(error)) return undefined;
    throw error;
  }
}

export function toFileStat(stats: BigIntStats): FileStat {
  return {
    kind: kindOf(stats),
    bytes: Number(stats.size),
    mode: Number(stats.mode & 0o7777n),
    links: Number(stats.nlink),
    mtimeNs: stats.mtimeNs,
    identity: `${stats.dev}:${stats.ino}`,
    owner: Number(stats.uid),
  };
}

export function kindOf(
  entry: Pick<
    Stats,
    | 'isFile'
    | 'isDirectory'
    | 'isSymbolicLink'
    | 'isFIFO'
    | 'isSocket'
    | 'isBlockDevice'
    | 'isCharacterDevice'
  >,
): FileKind {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  if (entry.isSymbolicLink()) return 'symlink';
  if (entry.isFIFO()) return 'fifo';
  if (entry.isSocket()) return 'socket';
  if (entry.isBlockDevice() || entry.isCharacterDevice()) return 'device';
  return 'other';
}

/** The path doesn't lead to anything: the only two errors that count as "nothing there". */
export function isNothing(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** The system's error code (`EACCES`), or an empty string. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
