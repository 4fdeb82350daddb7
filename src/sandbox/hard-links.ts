import { lstat, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Mount } from './mounts';
import { isWithin } from './paths';
import { SandboxRefusal } from './sandbox';

/** Entries looked at in a protected folder, and in the workspace when a second name is looked for. */
const MOST_PROTECTED = 5000;
const MOST_ENTRIES = 300_000;

/** A file by what it is, not by its name. */
interface Linked {
  readonly path: string;
  readonly identity: string;
  /** A command must not even see it. */
  readonly hidden: boolean;
}

/**
 * A mount holds a name, not a file: through a second name (a hard link) elsewhere in the workspace a command could change
 * a protected file, or read a hidden one, all the same. Refuses then. Only where such a file has more names than one is
 * the workspace searched.
 */
export async function demandNoSecondNames(root: string, mounts: readonly Mount[]): Promise<void> {
  const held = mounts.filter(
    ({ kind, path }) => (kind === 'read-only' || isHiding(kind)) && isWithin(path, root),
  );
  const linked = new Map<string, Linked>();
  for (const mount of held) for (const one of await filesWithMoreNames(mount)) linked.set(one.identity, one);
  if (linked.size === 0) return;
  const other = await findOther(root, linked, held);
  if (other !== undefined) throw new SandboxRefusal(words(root, linked.get(other.identity), other.path));
}

function isHiding(kind: Mount['kind']): boolean {
  return kind === 'hidden-file' || kind === 'hidden-folder';
}

function words(root: string, first: Linked | undefined, other: string): string {
  const [one, two] = [relative(root, first?.path ?? ''), relative(root, other)];
  return first?.hidden
    ? `${one} is hidden from commands, but ${two} is the same file under a second name (a hard link), by which a command could read it; make ${two} a copy of its own or hide it too, then run the command again`
    : `${one} is protected, but ${two} is the same file under a second name (a hard link), through which a command could change it; make ${two} a copy of its own, then run the command again`;
}

async function filesWithMoreNames({ kind, path: start }: Mount): Promise<readonly Linked[]> {
  const found: Linked[] = [];
  const hidden = isHiding(kind);
  await eachFile(start, MOST_PROTECTED, (path, stat) => {
    if (stat.nlink > 1) found.push({ path, identity: identityOf(stat), hidden });
    return true;
  });
  return found;
}

/** Looks for another name outside of what is mounted read-only; of a hidden file, of what is hidden. */
async function findOther(
  root: string,
  linked: ReadonlyMap<string, Linked>,
  held: readonly Mount[],
): Promise<Linked | undefined> {
  let other: Linked | undefined;
  const whole = await eachFile(root, MOST_ENTRIES, (path, stat) => {
    const first = linked.get(identityOf(stat));
    const isHeld = ({ kind, path: at }: Mount) => isWithin(path, at) && (!first?.hidden || isHiding(kind));
    if (first && !held.some(isHeld)) other = { ...first, path };
    return other === undefined;
  });
  if (other || whole) return other;
  const [first] = linked.values();
  const one = relative(root, first?.path ?? '');
  throw new SandboxRefusal(
    `${one} is protected or hidden, but has a second name (a hard link), and the workspace is too large to look for it; make ${one} a copy of its own, then run the command again`,
  );
}

interface Stat {
  readonly dev: number | bigint;
  readonly ino: number | bigint;
  readonly nlink: number;
}

function identityOf({ dev, ino }: Stat): string {
  return `${dev}:${ino}`;
}

/** Calls back for each regular file at or under `start`, until that says false. False when there were too many entries. */
async function eachFile(
  start: string,
  most: number,
  visit: (path: string, stat: Stat) => boolean,
): Promise<boolean> {
  const queue = [start];
  let seen = 0;
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (++seen > most) return false;
    const stat = await lstat(path).catch(() => undefined);
    if (stat?.isFile() && !visit(path, stat)) return true;
    if (!stat?.isDirectory()) continue;
    const names = await readdir(path).catch(() => []);
    for (const name of names) queue.push(join(path, name));
  }
  return true;
}
