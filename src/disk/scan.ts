import { type FolderAgain, lookAgain } from './scan-again';
import { look, type ScanEntry } from './scan-entry';
import { FolderReader, type SkipRule } from './scan-folder';
import { CTIME, numberOf, STRIDE } from './scan-rows';
import type { ScanThreads } from './scan-threads';
import type { Scan, ScannedFolder } from './scanned';
import type { StampClock } from './stamps';
import { TreeWalk, under, type WalkOptions } from './tree-walk';

export interface ScanOptions extends WalkOptions {
  readonly skip: SkipRule;
  /** Relative paths to look at though `skip` leaves them out. */
  readonly also?: Iterable<string>;
  /** An earlier scan of the same root by the same rule: names that nobody can have touched since aren't read again. */
  readonly last?: Scan | undefined;
  /** By which the kernel stamps; without it all names are read again. */
  readonly clock?: StampClock | undefined;
  /** To share the work with, where there is much of it. */
  readonly threads?: ScanThreads | undefined;
}

/** Looks at every entry under a folder without following links: with each look at all files, and at the names that may have changed. */
export async function scanTree(root: string, options: ScanOptions): Promise<Scan> {
  const { signal, last, clock, threads, skip } = options;
  signal?.throwIfAborted();
  const began = clock?.tryRead();
  const again = last && (await lookAgain(last, { signal, threads }));
  const walk = new TreeWalk(root, options);
  const reader = new FolderReader(walk, { skip, began });
  const folders = new Map<string, ScannedFolder>();
  let newest = 0;
  for (let relative = walk.pop(); relative !== undefined; relative = walk.pop()) {
    const before = again?.get(relative);
    const folder = asBefore(before, walk) ?? (await reader.read(relative, before));
    if (!folder) continue;
    folders.set(relative, folder);
    newest = Math.max(newest, newestIn(folder));
    for (const name of folder.names.folders) walk.enter(under(relative, name));
  }
  const also = new Map<string, ScanEntry | undefined>();
  for (const path of options.also ?? []) also.set(path, look(`${root}/${path}`));
  return { root, folders, also, complete: walk.isComplete, unread: walk.unread.sort(), newest };
}

/** Undefined when its names have to be read. */
function asBefore(before: FolderAgain | undefined, walk: TreeWalk): ScannedFolder | undefined {
  if (!before?.isAsBefore) return undefined;
  const { names } = before.folder;
  return walk.meetAll(names.files.length + names.folders.length) ? before.folder : undefined;
}

function newestIn({ rows }: ScannedFolder): number {
  let newest = 0;
  for (let at = 0; at < rows.length; at += STRIDE) newest = Math.max(newest, numberOf(rows, at, CTIME));
  return newest;
}
