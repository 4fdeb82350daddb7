import type { Dirent } from 'node:fs';
import {
  entryOf,
  look,
  lookUnnamed,
  type Scan,
  type ScanEntry,
  type ScannedFolder,
  type ScanOptions,
  statsAt,
} from './scan';
import { stampedSince } from './stamps';
import { kindOf } from './stat';
import { type FolderOnWalk, TreeWalk, under } from './tree-walk';

/** What became of one file. */
export interface ScanChange {
  readonly path: string;
  readonly operation: 'create' | 'modify' | 'delete';
  /** As the scan saw it; absent when it wasn't there, or only its name was seen. */
  readonly before?: ScanEntry;
  /** As it is now; absent when it is gone. */
  readonly after?: ScanEntry;
}

export interface ScanChanges {
  /** By path. */
  readonly changes: readonly ScanChange[];
  /** False when the limit was met, now or by the scan: only what both saw was compared. */
  readonly complete: boolean;
  /** Folders that can't be read: what became of the files in them isn't known. */
  readonly unread: readonly string[];
  /** Outermost first; what became of folders isn't known when not all was seen. */
  readonly madeFolders: readonly string[];
  readonly goneFolders: readonly string[];
}

/** What has changed since a scan, by lstat alone: what keeps size, times and identity isn't seen. `skip` must be the scan's. */
export async function changesSince(
  scan: Scan,
  options: Pick<ScanOptions, 'skip' | 'limit'>,
): Promise<ScanChanges> {
  const walk = new TreeWalk(scan.root, options);
  const comparison = new Comparison(scan);
  for (let at = walk.next(); at; at = walk.next()) {
    const folder = comparison.enter(at);
    const names = folder.namesAsBefore ?? namesIn(at.relative, walk.entries(at), options);
    if (!names) continue;
    for (const name of names.files) {
      if (walk.isTired) await walk.rest();
      if (!walk.meet()) break;
      folder.meet(name);
    }
    for (const name of names.folders) if (walk.meet()) walk.enter(under(at.relative, name));
    if (walk.isComplete) folder.missing(names);
  }
  const { unread, isComplete } = walk;
  if (isComplete) comparison.missingFolders(unread);
  comparison.also();
  const complete = scan.complete && isComplete;
  return {
    changes: comparison.changes(),
    complete,
    unread: unread.sort(),
    madeFolders: complete ? comparison.madeFolders.sort() : [],
    goneFolders: complete ? comparison.goneFolders.sort() : [],
  };
}

interface Names {
  readonly files: Iterable<string>;
  readonly folders: readonly string[];
}

function namesIn(
  folder: string,
  entries: readonly Dirent[] | undefined,
  { skip }: Pick<ScanOptions, 'skip'>,
) {
  if (!entries) return undefined;
  const names = { files: [] as string[], folders: [] as string[] };
  for (const entry of entries) {
    const kind = kindOf(entry);
    if (!skip(entry.name, kind, folder)) names[kind === 'folder' ? 'folders' : 'files'].push(entry.name);
  }
  return names;
}

/** Compares folder by folder what a scan saw with what is met now. */
class Comparison {
  readonly #scan: Scan;
  readonly #found = new Map<string, ScanChange>();
  readonly #notMet: Set<string>;
  readonly madeFolders: string[] = [];
  readonly goneFolders: string[] = [];
  readonly #isStampedSince: (ctimeMs: number) => boolean;

  constructor(scan: Scan) {
    this.#scan = scan;
    this.#notMet = new Set(scan.folders.keys());
    this.#isStampedSince = scan.end ? stampedSince(scan.end) : () => false;
  }

  enter({ relative, path, stats }: FolderOnWalk) {
    const was = this.#scan.folders.get(relative);
    this.#notMet.delete(relative);
    if (!was) this.madeFolders.push(relative);
    // Another folder has come to this path: its files may be old and yet are others than before.
    const isOther = was !== undefined && (was.device !== stats.dev || was.inode !== stats.ino);
    const isAsBefore = was?.byName && this.#scan.complete && !isOther && !this.#isStampedSince(stats.ctimeMs);
    let known = 0;
    return {
      /** A folder is stamped when something is made, removed or renamed in it. */
      namesAsBefore: isAsBefore ? { files: was.files.keys(), folders: was.folders } : undefined,
      meet: (name: string) => {
        const stats = statsAt(`${path}/${name}`);
        const before = was?.files.get(name);
        const isKnown = before !== undefined || was?.files.has(name);
        if (isKnown) known++;
        const now = stats ? entryOf(stats) : lookUnnamed(path, name);
        // Gone or replaced by a folder since it was listed.
        if (!now || now.kind === 'folder') return;
        if (isKnown && !before && !isOther && !this.#isStampedSince(now.ctimeMs)) return;
        if (!isKnown) this.#created(under(relative, name), now);
        else if (!before || isTouched(before, now)) this.#add(under(relative, name), 'modify', before, now);
      },
      missing: (names: Names) => {
        if (!was || known === was.files.size) return;
        const there = new Set(names.files);
        for (const [name, before] of was.files)
          if (!there.has(name)) this.#add(under(relative, name), 'delete', before);
      },
    };
  }

  /** Folders that weren't met are gone, unless they lie where nobody may look. */
  missingFolders(unread: readonly string[]): void {
    for (const relative of this.#notMet) {
      if (unread.some((folder) => folder === '' || `${relative}/`.startsWith(`${folder}/`))) continue;
      if (relative !== '') this.goneFolders.push(relative);
      for (const [name, before] of (this.#scan.folders.get(relative) as ScannedFolder).files)
        this.#add(under(relative, name), 'delete', before);
    }
  }

  /** What was looked at by path is known best. */
  also(): void {
    for (const [path, was] of this.#scan.also) {
      const before = notFolder(was);
      const now = notFolder(look(`${this.#scan.root}/${path}`));
      this.#found.delete(path);
      if (!before && now) this.#add(path, 'create', undefined, now);
      else if (before && !now) this.#add(path, 'delete', before);
      else if (before && now && isTouched(before, now)) this.#add(path, 'modify', before, now);
    }
  }

  changes(): readonly ScanChange[] {
    return [...this.#found.values()].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  }

  #created(path: string, now: ScanEntry): void {
    if (this.#scan.complete) this.#add(path, 'create', undefined, now);
  }

  #add(path: string, operation: ScanChange['operation'], before?: ScanEntry, after?: ScanEntry): void {
    this.#found.set(path, { path, operation, ...(before && { before }), ...(after && { after }) });
  }
}

/** Where a folder stands, no file does. */
function notFolder(entry: ScanEntry | undefined): ScanEntry | undefined {
  return entry?.kind === 'folder' ? undefined : entry;
}

/** A new ctime alone counts (the mtime can be set back), unless it comes from a link made or removed elsewhere. */
function isTouched(was: ScanEntry, now: ScanEntry): boolean {
  if (was.kind !== now.kind || was.bytes !== now.bytes || was.mode !== now.mode) return true;
  if (was.inode !== now.inode || was.mtimeMs !== now.mtimeMs) return true;
  return was.ctimeMs !== now.ctimeMs && was.links === now.links;
}
