// What lstat says of many files, as numbers side by side: threads can share them, and to compare two looks costs next to nothing.
// The thread that looks along is run by Node as it stands, too: so this imports nothing but Node's own.
import { lstatSync, type Stats } from 'node:fs';

/** Numbers of one thing that was looked at. All are 0 where nothing was, or where nobody may look. */
export const STRIDE = 7;
/** Which of them is which. The mode has the kind in it, and is never 0 of what exists. Times are in milliseconds. */
export const [MODE, BYTES, LINKS, INODE, MTIME, CTIME, DEVICE] = [0, 1, 2, 3, 4, 5, 6] as const;

const NOTHING_IS_FINE = { throwIfNoEntry: false } as const;

/** lstat; undefined where nothing is, or where nobody may look. */
export function statsAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, NOTHING_IS_FINE);
  } catch {
    return undefined;
  }
}

/** Looks at a path without following a link; `at` is the place of the first number. */
export function lookInto(rows: Float64Array, at: number, path: string): void {
  const stats = statsAt(path);
  if (!stats) {
    rows.fill(0, at, at + STRIDE);
    return;
  }
  rows[at + MODE] = stats.mode;
  rows[at + BYTES] = stats.size;
  rows[at + LINKS] = stats.nlink;
  rows[at + INODE] = stats.ino;
  rows[at + MTIME] = stats.mtimeMs;
  rows[at + CTIME] = stats.ctimeMs;
  rows[at + DEVICE] = stats.dev;
}

/** The number of a row that begins at `at`. */
export function numberOf(rows: Float64Array, at: number, which: number): number {
  return rows[at + which] ?? 0;
}

/** Whether two rows say the very same of a thing, the device it is on aside. */
export function isSameRow(a: Float64Array, atA: number, b: Float64Array, atB: number): boolean {
  for (let which = MODE; which <= CTIME; which++) if (a[atA + which] !== b[atB + which]) return false;
  return true;
}

/** The same of rows of the same things, in the same order. */
export function areSameRows(a: Float64Array, b: Float64Array): boolean {
  for (let at = 0; at < a.length; at += STRIDE) if (!isSameRow(a, at, b, at)) return false;
  return a.length === b.length;
}
