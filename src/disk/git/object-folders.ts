import { readdirSync } from 'node:fs';
import {
  areSameRows,
  CTIME,
  DEVICE,
  INODE,
  isSameRow,
  lookInto,
  MTIME,
  STRIDE,
  statsAt,
} from '#disk/scan-rows';
import { type StampClock, StampJudge } from '#disk/stamps';

/** What stats tell of a folder of git's objects: enough to notice later that some are gone. Objects damaged in place aren't noticed. */
export interface ObjectFolder {
  readonly own: Float64Array;
  /** Folders of loose objects, by the first two digits of their ids, and a row of each. */
  readonly digits: readonly string[];
  readonly loose: Float64Array;
  readonly pack: Float64Array;
  /** Name, inode and size of each pack and of its index. */
  readonly packs: readonly string[];
}

/** Which objects may be gone, by the first two digits of their ids. */
export type Doubt = ReadonlySet<string> | 'all';

/** Where the file system stamps by another clock than the kernel's, what was touched so short a time ago may be touched again without a trace. */
const SETTLED_MS = 2000;
const LOOSE = /^[0-9a-f]{2}$/;
const PACK = /^pack-.*\.(pack|idx)$/;

/** Looks at each of these folders. The looks are of microseconds and at once: git has just read there, or did when they were opened. */
export function lookAtObjects(
  folders: readonly string[],
  { clock, last }: { readonly clock: StampClock | undefined; readonly last?: readonly ObjectFolder[] },
): readonly ObjectFolder[] {
  const judge = new StampJudge();
  return folders.map((folder, index) => {
    const stats = statsAt(`${folder}/.`);
    const isExact = stats !== undefined && judge.isExact(folder, stats);
    const settledBefore = (isExact && clock?.tryRead()) || Date.now() - SETTLED_MS;
    return lookAt(folder, settledBefore, last?.[index]);
  });
}

function lookAt(folder: string, settledBefore: number, last: ObjectFolder | undefined): ObjectFolder {
  // By their dot: either may be a link.
  const own = rowsOf([`${folder}/.`], settledBefore);
  const pack = rowsOf([`${folder}/pack/.`], settledBefore);
  const isListed = last !== undefined && areSameRows(last.own, own);
  const digits = isListed ? last.digits : namesIn(folder).filter((name) => LOOSE.test(name));
  const loose = rowsOf(
    digits.map((name) => `${folder}/${name}`),
    settledBefore,
  );
  const packs = last !== undefined && areSameRows(last.pack, pack) ? last.packs : packsIn(`${folder}/pack`);
  return { own, digits, loose, pack, packs };
}

/** What isn't settled is like nothing: the next look finds that it differs, whatever happens until then. */
function rowsOf(paths: readonly string[], settledBefore: number): Float64Array {
  const rows = new Float64Array(paths.length * STRIDE);
  paths.forEach((path, index) => {
    const at = index * STRIDE;
    lookInto(rows, at, path);
    const isSettled = Math.max(rows[at + MTIME] ?? 0, rows[at + CTIME] ?? 0) < settledBefore;
    if (!isSettled) rows[at + MTIME] = Number.NaN;
  });
  return rows;
}

function packsIn(folder: string): readonly string[] {
  return namesIn(folder)
    .filter((name) => PACK.test(name))
    .map((name) => {
      const stats = statsAt(`${folder}/${name}`);
      return `${name} ${stats?.ino} ${stats?.size}`;
    });
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Gone, or nobody may look: then git can't either.
    return [];
  }
}

/** What may have gone between two looks at the same folders. What was added counts too: it could have come and gone unseen. */
export function doubtBetween(was: readonly ObjectFolder[], now: readonly ObjectFolder[]): Doubt {
  const doubt = new Set<string>();
  for (const [index, before] of was.entries()) {
    const after = now[index];
    if (!after || !isSamePlace(before, after) || hasLostPack(before, after)) return 'all';
    for (const name of touchedDigits(before, after)) doubt.add(name);
  }
  return doubt;
}

function isSamePlace({ own: a }: ObjectFolder, { own: b }: ObjectFolder): boolean {
  return a[INODE] === b[INODE] && a[DEVICE] === b[DEVICE];
}

function hasLostPack(before: ObjectFolder, after: ObjectFolder): boolean {
  if (before.packs === after.packs) return false;
  const packs = new Set(after.packs);
  return before.packs.some((pack) => !packs.has(pack));
}

function touchedDigits(before: ObjectFolder, after: ObjectFolder): readonly string[] {
  const isTouched = (a: number, b: number) =>
    a < 0 || b < 0 || !isSameRow(before.loose, a * STRIDE, after.loose, b * STRIDE);
  if (before.digits === after.digits) return after.digits.filter((_, index) => isTouched(index, index));
  const all = [...new Set([...before.digits, ...after.digits])];
  const [inBefore, inAfter] = [placesOf(before.digits), placesOf(after.digits)];
  return all.filter((name) => isTouched(inBefore.get(name) ?? -1, inAfter.get(name) ?? -1));
}

function placesOf(names: readonly string[]): ReadonlyMap<string, number> {
  return new Map(names.map((name, index) => [name, index]));
}
