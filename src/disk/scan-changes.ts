import { entryAt, type ScanEntry } from './scan-entry';
import { isSameRow, MODE, STRIDE } from './scan-rows';
import type { Scan, ScannedFolder } from './scanned';
import { under } from './tree-walk';

/** What became of one file, or of the permission bits of a folder: its path ends in `/`, and that of the root is `./`. */
export interface ScanChange {
  readonly path: string;
  readonly operation: 'create' | 'modify' | 'delete';
  /** As it was; absent when it wasn't there, or only its name is known. */
  readonly before?: ScanEntry;
  /** As it is now; absent when it is gone. */
  readonly after?: ScanEntry;
}

export interface ScanChanges {
  /** By path. */
  readonly changes: readonly ScanChange[];
  /** False when one of the scans met the limit: only what both saw was compared. */
  readonly complete: boolean;
  /** Folders that can't be read: what became of the files in them isn't known. */
  readonly unread: readonly string[];
  /** Outermost first; what became of folders isn't known when not all was seen. */
  readonly madeFolders: readonly string[];
  readonly goneFolders: readonly string[];
}

/** What differs between two scans of a folder by the same rule: what keeps size, times and identity isn't seen. */
export function changesBetween(before: Scan, after: Scan): ScanChanges {
  const comparison = new Comparison(before, after);
  const madeFolders: string[] = [];
  const goneFolders: string[] = [];
  const bits: ScanChange[] = [];
  for (const [relative, now] of after.folders) {
    const was = before.folders.get(relative);
    if (!was) madeFolders.push(relative);
    else if (was.names.mode !== now.names.mode) bits.push(bitsChange(relative, was, now));
    comparison.folder(relative, was, now);
  }
  // Folders that weren't met are gone, unless they lie where nobody may look.
  for (const [relative, was] of after.complete ? before.folders : []) {
    if (after.folders.has(relative) || isUnread(relative, after.unread)) continue;
    if (relative !== '') goneFolders.push(relative);
    comparison.gone(relative, was);
  }
  comparison.also();
  const complete = before.complete && after.complete;
  return {
    changes: [...comparison.changes(), ...bits].sort(byPath),
    complete,
    unread: after.unread,
    madeFolders: complete ? madeFolders.sort() : [],
    goneFolders: complete ? goneFolders.sort() : [],
  };
}

function bitsChange(relative: string, was: ScannedFolder, now: ScannedFolder): ScanChange {
  const path = `${relative === '' ? '.' : relative}/`;
  return { path, operation: 'modify', before: folderEntry(was), after: folderEntry(now) };
}

function folderEntry({ names: { mode = 0, inode, mtimeMs, ctimeMs } }: ScannedFolder): ScanEntry {
  return { kind: 'folder', bytes: 0, mode, links: 0, inode, mtimeMs, ctimeMs };
}

function byPath(a: ScanChange, b: ScanChange): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}

function isUnread(relative: string, unread: readonly string[]): boolean {
  return unread.some((folder) => folder === '' || `${relative}/`.startsWith(`${folder}/`));
}

class Comparison {
  readonly #before: Scan;
  readonly #after: Scan;
  readonly #found = new Map<string, ScanChange>();

  constructor(before: Scan, after: Scan) {
    this.#before = before;
    this.#after = after;
  }

  folder(relative: string, was: ScannedFolder | undefined, now: ScannedFolder): void {
    const { files } = now.names;
    // What was listed there and couldn't be looked at isn't new.
    const wasClosed = this.#before.unread.includes(relative);
    if (was?.names.files === files) {
      for (let at = 0, index = 0; at < now.rows.length; at += STRIDE, index++)
        if (!isSameRow(was.rows, at, now.rows, at) && !(wasClosed && was.rows[at + MODE] === 0))
          this.#met(under(relative, files[index] ?? ''), entryAt(was.rows, at), entryAt(now.rows, at));
      return;
    }
    const places = new Map(was?.names.files.map((name, index) => [name, index * STRIDE]));
    files.forEach((name, index) => {
      const place = places.get(name);
      const before = was && place !== undefined ? entryAt(was.rows, place) : undefined;
      if (place !== undefined && !before && wasClosed) return;
      this.#met(under(relative, name), before, entryAt(now.rows, index * STRIDE));
    });
    // The others' names are gone, if all names are known. Only now: names that are no UTF-8 may read the same.
    for (const name of files) places.delete(name);
    if (was && now.names.isWhole) this.#lost(relative, was, places);
  }

  gone(relative: string, was: ScannedFolder): void {
    this.#lost(relative, was, new Map(was.names.files.map((name, index) => [name, index * STRIDE])));
  }

  /** What was looked at by path is known best. */
  also(): void {
    for (const [path, was] of this.#before.also) {
      const before = notFolder(was);
      const now = notFolder(this.#after.also.get(path));
      this.#found.delete(path);
      if (!before && now) this.#add(path, 'create', undefined, now);
      else if (before && !now) this.#add(path, 'delete', before);
      else if (before && now && isTouched(before, now)) this.#add(path, 'modify', before, now);
    }
  }

  changes(): readonly ScanChange[] {
    return [...this.#found.values()];
  }

  /** A name that is there now. */
  #met(path: string, before: ScanEntry | undefined, now: ScanEntry | undefined): void {
    // It has gone again since it was listed.
    if (!now) return;
    if (before) {
      if (isTouched(before, now)) this.#add(path, 'modify', before, now);
    } else if (this.#before.complete) this.#add(path, 'create', undefined, now);
  }

  #lost(relative: string, { rows }: ScannedFolder, places: ReadonlyMap<string, number>): void {
    for (const [name, place] of places)
      if (rows[place + MODE] !== 0) this.#add(under(relative, name), 'delete', entryAt(rows, place));
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
