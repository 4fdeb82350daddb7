import { type Dirent, lstatSync, readdirSync, type Stats } from 'node:fs';
import { isNothing } from './stat';

const LIMIT = 200_000;

/** What stands in a listed name for bytes that are no UTF-8: no path leads to such a thing. */
export const UNREADABLE = '\u{FFFD}';

/** Milliseconds of synchronous work before other things get their turn: an await per file would cost ten times more. */
const SLICE = 8;
/** Entries between two looks at the time. */
const STRIDE = 16;

/** One folder on the way. */
export interface FolderOnWalk {
  /** Relative to the root, `/`-separated; '' is the root. */
  readonly relative: string;
  readonly path: string;
  readonly stats: Stats;
}

/** Goes through the folders under a root, without following links, and keeps count of what is met. */
export class TreeWalk {
  readonly #root: string;
  readonly #limit: number;
  readonly #signal: AbortSignal | undefined;
  readonly #ahead = [''];
  /** Folders that can't be read. */
  readonly unread: string[] = [];
  #met = 0;
  #strides = 0;
  #sliceEnd = performance.now() + SLICE;

  constructor(root: string, options: { readonly limit?: number; readonly signal?: AbortSignal }) {
    this.#root = root;
    this.#limit = options.limit ?? LIMIT;
    this.#signal = options.signal;
  }

  /** How many entries were met, folders included. */
  get met(): number {
    return this.#met;
  }

  /** False when the limit stopped the walk. */
  get isComplete(): boolean {
    return this.#met <= this.#limit;
  }

  /** The next folder; undefined at the end. What is no folder any more is passed over. */
  next(): FolderOnWalk | undefined {
    while (this.isComplete) {
      const relative = this.#ahead.pop();
      if (relative === undefined) return undefined;
      const path = relative === '' ? this.#root : `${this.#root}/${relative}`;
      try {
        const stats = lstatSync(path, { throwIfNoEntry: false });
        if (stats?.isDirectory()) return { relative, path, stats };
        if (!stats && relative.includes(UNREADABLE)) this.unread.push(relative);
      } catch {
        this.unread.push(relative);
      }
    }
    return undefined;
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

  /** Goes into that folder later. */
  enter(relative: string): void {
    this.#ahead.push(relative);
  }

  /** True when others are waiting: then `await rest()`. Ask at every entry. */
  get isTired(): boolean {
    return ++this.#strides % STRIDE === 0 && performance.now() > this.#sliceEnd;
  }

  async rest(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.#signal?.throwIfAborted();
    this.#sliceEnd = performance.now() + SLICE;
  }
}

/** Joins a folder's relative path and a name. */
export function under(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}
