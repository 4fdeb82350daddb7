import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '#base/hash';
import { exists } from './paths';

/** One command's share in what was made for several. */
export interface Claim {
  /** Names that were made by Belay, for this command or before, and stay while anybody claims them. */
  readonly made: readonly string[];
  /** The last one to leave removes them. */
  leave(remove: (name: string) => void): void;
}

/** Whoever holds the lock only reads and writes a few small files: after so long it has died in the middle. */
const LOCK_STALE_MS = 2000;
const LOCK_POLL_MS = 1;
const LOCK = 'lock';
const SPARE = 'spare';
/** Files that stay: the lock and the claims are further names of them, which cost a twentieth of what a new file does. */
const KEY = 'key';
const LIST = 'list.';
/** A claim of `process.began.number`; whatever else lies there was left by somebody who went before others did. */
const LIVING = /^(\d+)\.(\d+)\.\d+$/;

const NO_CLAIMS: ReadonlySet<string> = new Set([LOCK, SPARE, KEY]);

let claims = 0;
let ownBegin: number | undefined;

/**
 * Which commands, of whatever window, need what Belay made in one workspace: a file for each of them, named by its
 * process, that lists what was made. All in Belay's own folder, which commands can't see, and changed under a lock.
 * Everything is done at once, without waiting for other work, so the lock is held for a moment only.
 */
export class Claims {
  readonly #folder: string;

  constructor(storage: string, workspaceRoot: string) {
    this.#folder = join(storage, 'held', sha256(workspaceRoot).slice(0, 16));
  }

  /** Where what is made for this workspace may be kept between commands. */
  get spareFolder(): string {
    return join(this.#folder, SPARE);
  }

  /** Nothing made by Belay is there. */
  areFree(): boolean {
    return !exists(this.#folder) || this.#files().length === 0;
  }

  /** Claims what is made already and what is `missing` now; `make` is called for the latter, the list being written first. */
  enter(missing: () => readonly string[], make: (name: string) => void): Claim {
    ownBegin ??= beganAt(process.pid);
    const own = join(this.#folder, `${process.pid}.${ownBegin}.${++claims}`);
    const made = this.#locked(() => {
      const before = this.#files().flatMap((name) => namesIn(join(this.#folder, name)));
      const added = missing();
      const all = [...new Set([...before, ...added])];
      // A crash between the two leaves a list that names too much, never a folder that nobody knows of.
      this.#write(own, all.join('\n'));
      for (const name of added) make(name);
      return all;
    });
    return { made, leave: (remove) => this.#locked(() => this.#leave(own, made, remove)) };
  }

  /** Removes what was made where nobody claims it any more. */
  sweep(remove: (name: string) => void): void {
    if (this.areFree()) return;
    this.#locked(() => {
      if (this.#files().some(isLiving)) return;
      for (const file of this.#files()) this.#drop(join(this.#folder, file), remove);
    });
  }

  /** The file that lists the same for an earlier claim under one more name, or a new one. */
  #write(own: string, text: string): void {
    const list = join(this.#folder, `${LIST}${sha256(text).slice(0, 16)}`);
    // What was cut short by a power cut is written anew, under all its names.
    if (linked(list, own) && statSync(own).size === Buffer.byteLength(text)) return;
    writeFileSync(own, text);
    linked(own, list);
  }

  #leave(own: string, made: readonly string[], remove: (name: string) => void): void {
    const name = own.slice(this.#folder.length + 1);
    const others = this.#files().filter((file) => file !== name);
    // Whoever came before this one doesn't know what was made since.
    if (others.some(isLiving)) {
      renameSync(own, `${own}.left`);
      return;
    }
    for (const one of made) remove(one);
    rmSync(own, { force: true });
    for (const file of others) this.#drop(join(this.#folder, file), remove);
  }

  #drop(file: string, remove: (name: string) => void): void {
    for (const name of namesIn(file)) remove(name);
    rmSync(file, { force: true });
  }

  #files(): readonly string[] {
    return readdirSync(this.#folder).filter((name) => !NO_CLAIMS.has(name) && !name.startsWith(LIST));
  }

  #locked<T>(work: () => T): T {
    const lock = join(this.#folder, LOCK);
    while (!taken(lock, this.#folder)) {
      if (isStale(lock)) free(lock);
      else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOCK_POLL_MS);
    }
    try {
      return work();
    } finally {
      free(lock);
    }
  }
}

function isLiving(name: string): boolean {
  const [, pid, began] = LIVING.exec(name) ?? [];
  if (pid === undefined) return false;
  return Number(pid) === process.pid || beganAt(Number(pid)) === Number(began);
}

function namesIn(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split('\n').filter(Boolean);
  } catch {
    return [];
  }
}

/** A name is made by one of all who try: a further one of the key, or of a folder where the disk knows no further names. */
function taken(lock: string, folder: string): boolean {
  try {
    linkSync(join(folder, KEY), lock);
    return true;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EEXIST') return false;
    if (code !== 'ENOENT') return folderMade(lock);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, KEY), '');
    return false;
  }
}

function folderMade(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    return false;
  }
}

/** False when it has no such file, or no further names. */
function linked(file: string, name: string): boolean {
  try {
    linkSync(file, name);
    return true;
  } catch {
    return false;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** A further name changes its file's ctime, and nothing else does here. */
function isStale(lock: string): boolean {
  const made = statSync(lock, { throwIfNoEntry: false })?.ctimeMs;
  return made !== undefined && Math.abs(Date.now() - made) > LOCK_STALE_MS;
}

function free(lock: string): void {
  try {
    unlinkSync(lock);
  } catch {
    freeFolder(lock);
  }
}

function freeFolder(lock: string): void {
  try {
    rmdirSync(lock);
  } catch {
    // Somebody else took it for stale.
  }
}

/** When a process began, in the kernel's ticks: numbers of processes come again, the two together don't. 0: it is gone. */
function beganAt(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in brackets may hold anything: the fields begin after the last one.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
  } catch {
    return 0;
  }
}
