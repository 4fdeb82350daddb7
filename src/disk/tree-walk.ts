import { type Dirent, lstatSync, readdirSync, type Stats } from 'node:fs';
import { Slices } from './slices';
import { isNothing } from './stat';

const LIMIT = 200_000;

/** What stands in a listed name for bytes that are no UTF-8: no path leads to such a thing. */
export const UNREADABLE = '\u{FFFD}';

/** Entries between two looks at the time. */
const STRIDE = 16;

/** One folder on the way. */
export interface FolderOnWalk {
  /** Relative to the root, `/`-separated; '' is the root. */
  readonly relative: string;
  readonly path: string;
  readonly stats: Stats;
}

/** A signal that ends the walk, and the most entries to meet. */
export interface WalkOptions {
  readonly limit?: number;
  readonly signal?: AbortSignal | undefined;
}

/** Goes through the folders under a root, without following links, and keeps count of what is met. */
export class TreeWalk {
  readonly #root: string;
  readonly #limit: number;
  readonly #slices: Slices;
  readonly #ahead = [''];
  /** Folders that can't be read. */
  readonly unread: string[] = [];
  #met = 0;
  #strides = 0;

  constructor(root: string, options: WalkOptions) {
    this.#root = root;
    this.#limit = options.limit ?? LIMIT;
    this.#slices = new Slices(options.signal);
  }

  /** False when the limit stopped the walk. */
  get isComplete(): boolean {
    return this.#met <= this.#limit;
  }

  /** The next folder; undefined at the end. What is no folder any more is passed over. */
  next(): FolderOnWalk | undefined {
    for (let relative = this.pop(); relative !== undefined; relative = this.pop()) {
      const at = this.visit(relative);
      if (at) return at;
    }
    return undefined;
  }

  /** The relative path of the next one, not yet looked at. */
  pop(): string | undefined {
    return this.isComplete ? this.#ahead.pop() : undefined;
  }

  /** Undefined when it is no folder any more, or nobody may look. */
  visit(relative: string): FolderOnWalk | undefined {
    const path = this.pathOf(relative);
    try {
      const stats = lstatSync(path, { throwIfNoEntry: false });
      if (stats?.isDirectory()) return { relative, path, stats };
      if (!stats && relative.includes(UNREADABLE)) this.unread.push(relative);
    } catch {
      this.unread.push(relative);
    }
    return undefined;
  }

  pathOf(relative: string): string {
    return relative === '' ? this.#root : `${this.#root}/${relative}`;
  }

  /** What is in it; undefined when it can't be read. */
  entries({ relative, path }: FolderOnWalk): readonly Dirent[] | undefined {
    try {
      return readdirSync(path, { withFileTypes: true });
    } catch (error) {
      if (isNothing(error)) return [];
      this.unread.push(relative);
      return undefined;
    }
  }

  /** Counts one entry; false when it is one too many. */
  meet(): boolean {
    this.#met++;
    return this.isComplete;
  }

  /** Counts so many at once, or none when they are too many. */
  meetAll(count: number): boolean {
    if (this.#met + count > this.#limit) return false;
    this.#met += count;
    return true;
  }

  /** Goes into that folder later. */
  enter(relative: string): void {
    this.#ahead.push(relative);
  }

  /** True when others are waiting: then `await rest()`. Ask at every entry. */
  get isTired(): boolean {
    return ++this.#strides % STRIDE === 0 && this.#slices.isOver;
  }

  rest(): Promise<void> {
    return this.#slices.rest();
  }
}

/** Joins a folder's relative path and a name. */
export function under(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}
