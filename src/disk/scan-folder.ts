import type { Dirent, Stats } from 'node:fs';
import type { FileKind } from '#host';
import { folderBits } from './folder-bits';
import type { FolderAgain } from './scan-again';
import { isFolderAt, isOutOfReach, lookByName } from './scan-entry';
import { MODE, STRIDE } from './scan-rows';
import type { FolderNames, ScannedFolder } from './scanned';
import { StampJudge } from './stamps';
import { kindOf } from './stat';
import type { FolderOnWalk, TreeWalk } from './tree-walk';

/** True leaves out what has that name in that folder (relative, '' the root): a file, or a folder with all in it. */
export type SkipRule = (name: string, kind: FileKind, folder: string) => boolean;

/** Reads the names in folders, and looks at what has them. */
export class FolderReader {
  readonly #walk: TreeWalk;
  readonly #skip: SkipRule;
  readonly #judge = new StampJudge();
  readonly #began: number | undefined;

  /** `began`: a reading of the kernel's clock before anything was looked at; undefined where there is none. */
  constructor(
    walk: TreeWalk,
    { skip, began }: { readonly skip: SkipRule; readonly began: number | undefined },
  ) {
    this.#walk = walk;
    this.#skip = skip;
    this.#began = began;
  }

  /** Undefined when it is no folder any more. `before`: what has been found in it by names that were known already. */
  async read(relative: string, before: FolderAgain | undefined): Promise<ScannedFolder | undefined> {
    const at = this.#walk.visit(relative);
    if (!at) return undefined;
    const entries = this.#walk.entries(at);
    const found = await this.#named(entries ?? [], at);
    const files = sameNames(before?.folder.names.files, found.files);
    const isWhole = found.isWhole && entries !== undefined;
    const names = {
      ...found,
      ...stampsOf(at.stats),
      files,
      isWhole,
      isSettled: isWhole && this.#isSettled(at),
    };
    return { names, rows: await this.#rows(at, files, before?.folder) };
  }

  async #named(entries: readonly Dirent[], { relative }: FolderOnWalk) {
    const files: string[] = [];
    const folders: string[] = [];
    const skipped: string[] = [];
    const isRepository = entries.some(({ name }) => name === '.git');
    let isWhole = true;
    for (const entry of entries) {
      if (this.#walk.isTired) await this.#walk.rest();
      const kind = kindOf(entry);
      if (this.#skip(entry.name, kind, relative)) {
        if (kind === 'folder') skipped.push(entry.name);
        continue;
      }
      isWhole = this.#walk.meet();
      if (!isWhole) break;
      (kind === 'folder' ? folders : files).push(entry.name);
    }
    return { files, folders, skipped, isRepository, isWhole };
  }

  async #rows(at: FolderOnWalk, files: readonly string[], before: ScannedFolder | undefined) {
    const rows = new Float64Array(files.length * STRIDE);
    const placeOf = before && placesOf(before.names, files);
    let isClosed = false;
    for (let index = 0; index < files.length; index++) {
      const [to, from] = [index * STRIDE, (placeOf?.(index) ?? -1) * STRIDE];
      if (before && from >= 0 && before.rows[from + MODE] !== 0 && !isFolderAt(before.rows, from)) {
        rows.set(before.rows.subarray(from, from + STRIDE), to);
        continue;
      }
      if (this.#walk.isTired) await this.#walk.rest();
      const name = files[index] ?? '';
      lookByName(rows, to, { folder: at.path, name });
      isClosed ||= rows[to + MODE] === 0 && isOutOfReach(`${at.path}/${name}`);
    }
    // Its names can be listed and nothing more.
    if (isClosed) this.#walk.unread.push(at.relative);
    return rows;
  }

  /** In the clock's present tick the folder could be touched again without a trace. */
  #isSettled({ path, stats }: FolderOnWalk): boolean {
    return this.#began !== undefined && stats.ctimeMs < this.#began && this.#judge.isExact(path, stats);
  }
}

function stampsOf({ dev, ino, mtimeMs, ctimeMs, mode }: Stats) {
  return { device: dev, inode: ino, mtimeMs, ctimeMs, mode: folderBits(mode) };
}

/** The old list where it says the same. */
function sameNames(before: readonly string[] | undefined, now: readonly string[]): readonly string[] {
  const isSame = before?.length === now.length && now.every((name, index) => name === before[index]);
  return isSame && before ? before : now;
}

/** Where a file of the list now stood in the one before; -1 where it didn't. */
function placesOf({ files }: FolderNames, now: readonly string[]): (index: number) => number {
  if (files === now) return (index) => index;
  const places = new Map(files.map((name, index) => [name, index]));
  return (index) => places.get(now[index] ?? '') ?? -1;
}
