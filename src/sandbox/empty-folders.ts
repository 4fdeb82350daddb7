import { lstatSync, mkdirSync, readdirSync, renameSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';

/** More are not kept. */
const MOST_KEPT = 64;

let kept = 0;

/** Folders that this process has kept and seen to be empty then: nobody else writes where they are. */
const EMPTY = new Set<string>();

/**
 * Empty folders for places in the workspace. Moving one from a folder of Belay's own, and back, takes a tenth of the time
 * of making and removing one, above all while something is still mounted over it. Where the two lie on different disks
 * they are made and removed.
 */
export class EmptyFolders {
  readonly #folder: string;
  #spares: string[] | undefined;
  #room: number | undefined;

  /** `folder`: where they are kept; commands can't see it. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Puts one there, and says whether it did; not when something is there already, or nobody may. */
  put(path: string): boolean {
    this.#spares ??= namesIn(this.#folder).map((name) => join(this.#folder, name));
    for (let spare = this.#spares.pop(); spare !== undefined; spare = this.#spares.pop()) {
      // What isn't empty is somebody's who was quicker than `take`: it stays where it is.
      if ((EMPTY.delete(spare) || isEmpty(spare)) && moved(spare, path)) return true;
    }
    return attempt(() => mkdirSync(path, 0o755));
  }

  /** Takes away what is there if it is an empty folder; what was put in is somebody's. */
  take(path: string): void {
    if (!isEmptyFolder(path)) return;
    const spare = join(this.#folder, `${process.pid}-${Date.now()}-${++kept}`);
    if (!this.#hasRoom() || !moved(path, spare)) attempt(() => rmdirSync(path));
    else if (isEmpty(spare)) EMPTY.add(spare);
    else moved(spare, path);
  }

  #hasRoom(): boolean {
    if (this.#room === undefined) {
      attempt(() => mkdirSync(this.#folder, { recursive: true, mode: 0o700 }));
      this.#room = MOST_KEPT - namesIn(this.#folder).length;
    }
    return this.#room-- > 0;
  }
}

/** A link to one isn't one. */
export function isEmptyFolder(path: string): boolean {
  try {
    return lstatSync(path).isDirectory() && isEmpty(path);
  } catch {
    return false;
  }
}

function isEmpty(folder: string): boolean {
  try {
    return readdirSync(folder).length === 0;
  } catch {
    return false;
  }
}

/** False across disks, and where something other than an empty folder is in the way. */
function moved(from: string, to: string): boolean {
  return attempt(() => renameSync(from, to));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** False when it couldn't be done: something came into being or went meanwhile, or nobody may. */
function attempt(change: () => void): boolean {
  try {
    change();
    return true;
  } catch {
    return false;
  }
}
