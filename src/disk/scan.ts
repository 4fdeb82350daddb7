import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import type { FileKind } from '#host';
import { type Moment, StampClock, StampJudge } from './stamps';
import { kindOf } from './stat';
import { type FolderOnWalk, TreeWalk, UNREADABLE, under } from './tree-walk';

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

/** One folder as it was. */
export interface ScannedFolder {
  readonly device: number;
  readonly inode: number;
  /** Files, links and specials by name; undefined where only the name was seen. */
  readonly files: ReadonlyMap<string, ScanEntry | undefined>;
  /** Names of the folders in it that weren't skipped. */
  readonly folders: readonly string[];
  /** Names were enough: its own ctime tells whether they are still the same. */
  readonly byName: boolean;
  /** It holds something named `.git`, looked at or skipped. */
  readonly isRepository: boolean;
}

export interface Scan {
  readonly root: string;
  /** By path relative to the root, `/`-separated; '' is the root. */
  readonly folders: ReadonlyMap<string, ScannedFolder>;
  /** What was asked for by path; undefined where nothing was. */
  readonly also: ReadonlyMap<string, ScanEntry | undefined>;
  /** False when the limit was met: what is missing from `folders` may all the same exist. */
  readonly complete: boolean;
  /** When it ended: what was seen by name alone has been touched since if its ctime isn't earlier. */
  readonly end?: Moment;
  /** The latest ctime of all that was looked at closely. */
  readonly newest: number;
}

export interface ScanOptions {
  /** True leaves out what has that name in that folder (relative, '' the root): a file, or a folder with all in it. */
  skip(name: string, kind: FileKind, folder: string): boolean;
  /** Relative paths to look at though `skip` leaves them out. */
  readonly also?: readonly string[];
  /** Most entries to look at, folders included. */
  readonly limit?: number;
  /** So many entries are looked at one by one; of the others names are enough where ctimes can be trusted. */
  readonly closely?: number;
  readonly signal?: AbortSignal;
}

/** Looking at more than these costs more than reading the clock. */
const CLOSELY = 1000;

/** Looks at every entry under a folder without following links. Folders that can't be read count as empty. */
export async function scanTree(root: string, options: ScanOptions): Promise<Scan> {
  const { closely = CLOSELY, skip, signal } = options;
  signal?.throwIfAborted();
  const also = new Map(options.also?.map((relative) => [relative, look(join(root, relative))]));
  const walk = new TreeWalk(root, options);
  const folders = new Map<string, ScannedFolder>();
  const names = new NamesOnly();
  let newest = 0;
  try {
    for (let at = walk.next(); at; at = walk.next()) {
      const byName = walk.met >= closely && names.areEnough(at);
      const files = new Map<string, ScanEntry | undefined>();
      const inside: string[] = [];
      const entries = walk.entries(at) ?? [];
      const isRepository = entries.some(({ name }) => name === '.git');
      const { dev: device, ino: inode } = at.stats;
      folders.set(at.relative, { device, inode, files, folders: inside, byName, isRepository });
      for (const entry of entries) {
        if (walk.isTired) await walk.rest();
        const kind = kindOf(entry);
        if (skip(entry.name, kind, at.relative)) continue;
        if (!walk.meet()) break;
        if (kind === 'folder') {
          inside.push(entry.name);
          walk.enter(under(at.relative, entry.name));
        } else if (byName) files.set(entry.name, undefined);
        else {
          const seen = look(`${at.path}/${entry.name}`) ?? lookUnnamed(at.path, entry.name);
          if (!seen) continue;
          files.set(entry.name, seen);
          if (seen.ctimeMs > newest) newest = seen.ctimeMs;
        }
      }
    }
    const end = await names.end();
    // Names alone say nothing once the clock can't be read.
    if (end === 'unknown') return await scanTree(root, { ...options, closely: Number.POSITIVE_INFINITY });
    return { root, folders, also, complete: walk.isComplete, newest, ...(end ? { end } : {}) };
  } finally {
    names.dispose();
  }
}

/** Decides where names are enough, and reads the clock that makes them so. */
class NamesOnly {
  readonly #judge = new StampJudge();
  #clock: StampClock | undefined;
  #begin: number | undefined;
  #isWithoutClock = false;

  areEnough({ path, stats }: FolderOnWalk): boolean {
    if (this.#isWithoutClock || !this.#judge.isExact(path, stats)) return false;
    this.#clock ??= StampClock.open();
    if (this.#clock) this.#begin ??= this.#clock.read();
    else this.#isWithoutClock = true;
    return !this.#isWithoutClock;
  }

  /** Undefined when everything was looked at. */
  async end(): Promise<Moment | 'unknown' | undefined> {
    if (!this.#clock || this.#begin === undefined) return undefined;
    return (await this.#clock.momentAfter(this.#begin)) ?? 'unknown';
  }

  dispose(): void {
    this.#clock?.dispose();
  }
}

/** Undefined when nothing is there, or it can't be looked at. */
export function look(path: string): ScanEntry | undefined {
  const stats = statsAt(path);
  return stats && entryOf(stats);
}

/**
 * Something by a listed name that no path leads to, since its bytes are no UTF-8: only whether it was touched can be told. Several that
 * read the same count as one.
 */
export function lookUnnamed(folder: string, name: string): ScanEntry | undefined {
  if (!name.includes(UNREADABLE)) return undefined;
  try {
    const found = readdirSync(folder, { encoding: 'buffer' })
      .filter((bytes) => bytes.toString('utf8') === name)
      .flatMap((bytes) => lstatSync(Buffer.concat([Buffer.from(`${folder}/`), bytes]), NOTHING_IS_FINE) ?? [])
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

/** lstat alone: of thousands of files few are worth an entry. */
export function statsAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, NOTHING_IS_FINE);
  } catch {
    return undefined;
  }
}

const NOTHING_IS_FINE = { throwIfNoEntry: false } as const;

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
