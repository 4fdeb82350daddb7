import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { FileKind } from '#host';
import { kindOf } from './stat';

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

export interface Scan {
  /** By path relative to the root, `/`-separated. Files, links and specials; folders are walked, not listed. */
  readonly entries: ReadonlyMap<string, ScanEntry>;
  /** False when the limit was met: what is missing from `entries` may all the same exist. */
  readonly complete: boolean;
}

export interface ScanOptions {
  /** True leaves out a file, or a folder with all in it. Called with the relative path. */
  skip(relative: string, kind: FileKind): boolean;
  /** Relative paths to look at though `skip` leaves them out. */
  readonly also?: readonly string[];
  /** Most entries to look at, folders included. */
  readonly limit?: number;
  readonly signal?: AbortSignal;
}

const SCAN_LIMIT = 50_000;

/** Milliseconds of synchronous work before other things get their turn: an await per file would cost ten times more. */
const SLICE = 8;

/** Looks at every entry under a folder without following links. Folders that can't be read count as empty. */
export async function scanTree(root: string, options: ScanOptions): Promise<Scan> {
  const entries = new Map<string, ScanEntry>();
  for (const relative of options.also ?? []) {
    const seen = look(join(root, relative));
    if (seen) entries.set(relative, seen);
  }
  const limit = options.limit ?? SCAN_LIMIT;
  const folders = [''];
  let looked = 0;
  let sliceEnd = performance.now() + SLICE;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const name of namesIn(join(root, folder))) {
      if (performance.now() > sliceEnd) {
        await new Promise<void>((resolve) => setImmediate(resolve));
        options.signal?.throwIfAborted();
        sliceEnd = performance.now() + SLICE;
      }
      const relative = folder === '' ? name : `${folder}/${name}`;
      const seen = look(`${root}/${relative}`);
      if (!seen || options.skip(relative, seen.kind)) continue;
      if (++looked > limit) return { entries, complete: false };
      if (seen.kind === 'folder') folders.push(relative);
      else entries.set(relative, seen);
    }
  }
  return { entries, complete: true };
}

/** Names alone: the look that follows tells the kind as well. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function look(path: string): ScanEntry | undefined {
  try {
    const stats = lstatSync(path);
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
  } catch {
    // Gone between the listing and the look.
    return undefined;
  }
}

export interface ScanChange {
  readonly path: string;
  readonly operation: 'create' | 'modify' | 'delete';
}

/** What changed between two scans of one root, by path. Where a scan was cut short only what both saw is compared. */
export function diffScans(before: Scan, after: Scan): readonly ScanChange[] {
  const changes: ScanChange[] = [];
  for (const [path, now] of after.entries) {
    const was = before.entries.get(path);
    if (was === undefined) {
      if (before.complete) changes.push({ path, operation: 'create' });
    } else if (isTouched(was, now)) changes.push({ path, operation: 'modify' });
  }
  if (after.complete) {
    for (const path of before.entries.keys()) {
      if (!after.entries.has(path)) changes.push({ path, operation: 'delete' });
    }
  }
  return changes.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

/** A new ctime alone counts (the mtime can be set back), unless it comes from a link made or removed elsewhere. */
function isTouched(was: ScanEntry, now: ScanEntry): boolean {
  if (was.kind !== now.kind || was.bytes !== now.bytes || was.mode !== now.mode) return true;
  if (was.inode !== now.inode || was.mtimeMs !== now.mtimeMs) return true;
  return was.ctimeMs !== now.ctimeMs && was.links === now.links;
}
