import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A damaged database that was moved out of the way, with its side files. */
export interface SetAside {
  readonly name: string;
  readonly bytes: number;
}

const DATABASE = 'belay.db';
const ASIDE = /^belay\.db\.corrupt-.+$/;

/** Damaged databases in a storage that were set aside, each of their files. */
export function setAsideFiles(storage: string): SetAside[] {
  if (!existsSync(storage)) return [];
  return readdirSync(storage)
    .filter((name) => ASIDE.test(name))
    .sort()
    .map((name) => ({ name, bytes: statSync(join(storage, name), { throwIfNoEntry: false })?.size ?? 0 }));
}

export function deleteSetAside(storage: string): void {
  for (const { name } of setAsideFiles(storage)) rmSync(join(storage, name), { force: true });
}

/** Damage was met in the database, or one was set aside: what it says of what is needed may not be all. */
export function isIncomplete(storage: string): boolean {
  return existsSync(join(storage, `${DATABASE}.doubted`)) || setAsideFiles(storage).length > 0;
}

/** Bytes of the database and its log on the disk. */
export function databaseBytes(storage: string): number {
  return ['', '-wal', '-shm']
    .map((suffix) => statSync(join(storage, DATABASE + suffix), { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, size) => sum + size, 0);
}
