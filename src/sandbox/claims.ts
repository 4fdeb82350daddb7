import { mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '#base/hash';
import { exists } from './paths';

/** One command's share in what was made for several. */
export interface Claim {
  /** All names that were made by Belay and stay while anybody claims them. */
  readonly made: readonly string[];
  /** The last one to leave removes them. */
  leave(remove: (name: string) => void): void;
}

/** Whoever holds the lock only reads and writes a few small files: after so long it has died in the middle. */
const LOCK_STALE_MS = 2000;
const LOCK_POLL_MS = 1;
const MADE = 'made';
const LOCK = 'lock';
const SPARE = 'spare';

let claims = 0;

/**
 * Which commands, of whatever window, need what Belay made in one workspace: a file for each of them, named by its
 * process, and a list of what was made. All in Belay's own folder, which commands can't see, and changed under a lock.
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
    return !exists(join(this.#folder, MADE));
  }

  /** Claims what is made already and what is `missing` now; `make` is called for the latter, the list being written first. */
  enter(missing: () => readonly string[], make: (name: string) => void): Claim {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const own = `${process.pid}.${beganAt(process.pid)}.${++claims}`;
    const made = this.#locked(() => {
      writeFileSync(join(this.#folder, own), '');
      const before = this.#made();
      const added = missing();
      const all = [...new Set([...before, ...added])];
      // A crash between the two leaves a list that names too much, never a folder that nobody knows of.
      if (added.length > 0) writeFileSync(join(this.#folder, MADE), all.join('\n'));
      for (const name of added) make(name);
      return all;
    });
    return { made, leave: (remove) => this.#leave(own, remove) };
  }

  /** Removes what was made where nobody claims it any more. */
  sweep(remove: (name: string) => void): void {
    if (!this.areFree()) this.#leave(undefined, remove);
  }

  #leave(own: string | undefined, remove: (name: string) => void): void {
    this.#locked(() => {
      if (own !== undefined) rmSync(join(this.#folder, own), { force: true });
      if (this.#living() > 0) return;
      for (const name of this.#made()) remove(name);
      rmSync(join(this.#folder, MADE), { force: true });
    });
  }

  /** Claims of processes that are gone are dropped on the way. */
  #living(): number {
    let living = 0;
    for (const name of readdirSync(this.#folder)) {
      const [, pid, began] = /^(\d+)\.(\d+)\.\d+$/.exec(name) ?? [];
      if (pid === undefined) continue;
      if (beganAt(Number(pid)) === Number(began)) living++;
      else rmSync(join(this.#folder, name), { force: true });
    }
    return living;
  }

  #made(): readonly string[] {
    try {
      return readFileSync(join(this.#folder, MADE), 'utf8').split('\n').filter(Boolean);
    } catch {
      return [];
    }
  }

  #locked<T>(work: () => T): T {
    const lock = join(this.#folder, LOCK);
    while (!taken(lock)) {
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

/** A folder is made by one of all who try. */
function taken(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

function isStale(lock: string): boolean {
  const made = statSync(lock, { throwIfNoEntry: false })?.mtimeMs;
  return made !== undefined && Math.abs(Date.now() - made) > LOCK_STALE_MS;
}

function free(lock: string): void {
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
