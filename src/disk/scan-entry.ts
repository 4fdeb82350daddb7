import { lstatSync, readdirSync, type Stats } from 'node:fs';
import type { FileKind } from '#host';
import {
  BYTES,
  CTIME,
  DEVICE,
  INODE,
  LINKS,
  lookInto,
  MODE,
  MTIME,
  numberOf,
  STRIDE,
  statsAt,
} from './scan-rows';
import { kindOf } from './stat';
import { UNREADABLE } from './tree-walk';

/** Enough of lstat to tell that a file was touched. Times in milliseconds. */
export interface ScanEntry {
  readonly kind: FileKind;
  readonly bytes: number;
  readonly mode: number;
  readonly links: number;
  readonly inode: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
}

/** Undefined when nothing is there, or it can't be looked at. */
export function look(path: string): ScanEntry | undefined {
  const stats = statsAt(path);
  return stats && entryOf(stats);
}

/** Of the row that begins at `at`; undefined when nothing was seen there. */
export function entryAt(rows: Float64Array, at: number): ScanEntry | undefined {
  const mode = numberOf(rows, at, MODE);
  if (mode === 0) return undefined;
  return {
    kind: kindOfMode(mode),
    bytes: numberOf(rows, at, BYTES),
    mode: mode & 0o7777,
    links: numberOf(rows, at, LINKS),
    inode: numberOf(rows, at, INODE),
    mtimeMs: numberOf(rows, at, MTIME),
    ctimeMs: numberOf(rows, at, CTIME),
  };
}

/** Something by a listed name. Where no path leads to it since its bytes are no UTF-8, only whether it was touched can be told. */
export function lookByName(rows: Float64Array, at: number, { folder, name }: ListedName): void {
  lookInto(rows, at, `${folder}/${name}`);
  const isFolder = isFolderAt(rows, at);
  // Replaced by a folder since it was listed.
  if (isFolder) rows.fill(0, at, at + STRIDE);
  if (rows[at + MODE] !== 0 || isFolder) return;
  const unnamed = lookUnnamed(folder, name);
  if (unnamed) putEntry(rows, at, unnamed);
}

/** It isn't gone: nobody may look, or its path is too long. */
export function isOutOfReach(path: string): boolean {
  try {
    lstatSync(path, { throwIfNoEntry: false });
    return false;
  } catch {
    return true;
  }
}

interface ListedName {
  /** Its absolute path. */
  readonly folder: string;
  readonly name: string;
}

/** The other way round; the device isn't known. */
export function putEntry(rows: Float64Array, at: number, entry: ScanEntry): void {
  rows[at + MODE] = entry.mode | TYPES[entry.kind];
  rows[at + BYTES] = entry.bytes;
  rows[at + LINKS] = entry.links;
  rows[at + INODE] = entry.inode;
  rows[at + MTIME] = entry.mtimeMs;
  rows[at + CTIME] = entry.ctimeMs;
  rows[at + DEVICE] = 0;
}

export function isFolderAt(rows: Float64Array, at: number): boolean {
  return (numberOf(rows, at, MODE) & TYPE) === TYPES.folder;
}

export function entryOf(stats: Stats): ScanEntry {
  const { size, mode, nlink, ino, mtimeMs, ctimeMs } = stats;
  return {
    kind: kindOf(stats),
    bytes: size,
    mode: mode & 0o7777,
    links: nlink,
    inode: ino,
    mtimeMs,
    ctimeMs,
  };
}

/** What a mode says of the kind: the same everywhere, since Node's library speaks of modes as Unix does. */
const TYPE = 0o170000;
const TYPES = {
  ...{ file: 0o100000, folder: 0o040000, symlink: 0o120000, fifo: 0o010000, socket: 0o140000 },
  ...{ device: 0o060000, other: TYPE },
} as const satisfies Record<FileKind, number>;
const CHARACTER_DEVICE = 0o020000;

function kindOfMode(mode: number): FileKind {
  switch (mode & TYPE) {
    case TYPES.file:
      return 'file';
    case TYPES.folder:
      return 'folder';
    case TYPES.symlink:
      return 'symlink';
    case TYPES.fifo:
      return 'fifo';
    case TYPES.socket:
      return 'socket';
    case TYPES.device:
    case CHARACTER_DEVICE:
      return 'device';
    default:
      return 'other';
  }
}

/** Several that read the same count as one. */
function lookUnnamed(folder: string, name: string): ScanEntry | undefined {
  if (!name.includes(UNREADABLE)) return undefined;
  try {
    const found = readdirSync(folder, { encoding: 'buffer' })
      .filter((bytes) => bytes.toString('utf8') === name)
      .flatMap((bytes) => lstatSync(Buffer.concat([Buffer.from(`${folder}/`), bytes])))
      .filter((stats) => !stats.isDirectory())
      .map(entryOf);
    return found.reduce<ScanEntry | undefined>((sum, entry) => merged(sum, entry), undefined);
  } catch {
    return undefined;
  }
}

function merged(sum: ScanEntry | undefined, entry: ScanEntry): ScanEntry {
  const other = { ...entry, kind: 'other' } as const;
  if (!sum) return other;
  return {
    ...other,
    bytes: sum.bytes + entry.bytes,
    inode: sum.inode + entry.inode,
    mtimeMs: Math.max(sum.mtimeMs, entry.mtimeMs),
    ctimeMs: Math.max(sum.ctimeMs, entry.ctimeMs),
  };
}
