import { entryAt, putEntry, type ScanEntry } from '#disk/scan-entry';
import { areSameRows, BYTES, isSameRow, numberOf, STRIDE } from '#disk/scan-rows';
import type { Scan, ScannedFolder } from '#disk/scanned';
import { under } from '#disk/tree-walk';
import { type Held, isSameEntry, type Known, type Source, type Unknown } from './sources';

/** What is known of the files of one folder, in the order of their names; of a folder in which nothing changed it is handed on whole. */
interface KnownFolder {
  readonly scanned: ScannedFolder;
  readonly held: (Held | undefined)[];
  /** Nothing in it has to be asked for again while it is the same. */
  isLasting: boolean;
}

/** What is known of the contents of all files that a look saw. */
export class KnownFiles {
  readonly #scan: Scan;
  readonly #isDoubted: ((source: Source) => boolean) | undefined;
  readonly #folders = new Map<string, KnownFolder>();
  /** Files that were looked at by their path, and aren't among those of a folder. */
  readonly #also = new Map<string, Known>();
  readonly #places = new Map<readonly string[], ReadonlyMap<string, number>>();
  /** Nothing is known of these yet. */
  readonly unknown: Unknown[] = [];
  /** Paths of which something was known, and that no longer hold a file. */
  readonly gone: string[] = [];

  /** What an earlier look saw and nobody touched since stays known, unless its source is doubted. */
  constructor(scan: Scan, last?: KnownFiles, isDoubted?: (source: Source) => boolean) {
    this.#scan = scan;
    this.#isDoubted = isDoubted;
    for (const [folder, scanned] of scan.folders) this.#enter(folder, scanned, last?.folder(folder));
    for (const [path, entry] of scan.also) this.#meet(path, entry, last);
    if (last) this.#miss(last);
  }

  folder(path: string): KnownFolder | undefined {
    return this.#folders.get(path);
  }

  byPath(path: string): Known | undefined {
    return this.#also.get(path);
  }

  /** What is known of the file at that relative path. */
  at(path: string): Known | undefined {
    const place = this.#placeOf(path);
    if (!place) return this.#also.get(path);
    const { folder, index } = place;
    const held = folder.held[index];
    const entry = held && entryAt(folder.scanned.rows, index * STRIDE);
    return entry && { ...held, entry };
  }

  /** `found.entry` counts as what the look saw, should the file have been touched between the look and its reading. */
  learn({ path, entry }: Unknown, found: Known): void {
    const place = this.#placeOf(path);
    if (!place) {
      this.#also.set(path, found);
      return;
    }
    const { folder, index } = place;
    if (found.entry !== entry) putEntry(folder.scanned.rows, index * STRIDE, found.entry);
    folder.held[index] = { source: found.source, isLasting: found.isLasting };
    if (!found.isLasting) folder.isLasting = false;
  }

  /** Bytes of all files whose contents are kept. */
  get keptBytes(): number {
    let total = 0;
    for (const { held, scanned } of this.#folders.values())
      for (let index = 0; index < held.length; index++)
        if (held[index]?.source.kind === 'blob') total += numberOf(scanned.rows, index * STRIDE, BYTES);
    for (const { source, entry } of this.#also.values()) if (source.kind === 'blob') total += entry.bytes;
    return total;
  }

  #enter(folder: string, scanned: ScannedFolder, last: KnownFolder | undefined): void {
    const { names, rows } = scanned;
    if (
      last?.isLasting &&
      isSameFolder(last.scanned, scanned) &&
      last.held.every((held) => this.#holds(held))
    ) {
      this.#folders.set(folder, { scanned, held: last.held, isLasting: true });
      return;
    }
    const known: KnownFolder = { scanned, held: new Array(names.files.length), isLasting: true };
    this.#folders.set(folder, known);
    const placeOf = last && placesIn(last.scanned.names.files, names.files);
    names.files.forEach((name, index) => {
      const [at, place] = [index * STRIDE, placeOf?.(name, index) ?? -1];
      const held = last?.held[place];
      if (last && this.#holds(held) && isSameRow(last.scanned.rows, place * STRIDE, rows, at)) {
        known.held[index] = held;
        return;
      }
      const entry = entryAt(rows, at);
      if (entry) this.unknown.push({ folder, path: under(folder, name), entry });
    });
  }

  #meet(path: string, entry: ScanEntry | undefined, last: KnownFiles | undefined): void {
    if (!entry || entry.kind === 'folder' || this.#placeOf(path)) return;
    const was = last?.byPath(path);
    if (this.#holds(was) && was?.entry.kind === entry.kind && isSameEntry(was.entry, entry))
      this.#also.set(path, was);
    else this.unknown.push({ folder: folderOf(path), path, entry });
  }

  #miss(last: KnownFiles): void {
    for (const [folder, { scanned }] of last.#folders) {
      const { files } = scanned.names;
      const now = this.#folders.get(folder)?.scanned.names.files;
      if (now === files) continue;
      const there = new Set(now);
      for (const name of files) if (!there.has(name)) this.gone.push(under(folder, name));
    }
    for (const path of last.#also.keys()) if (!this.#scan.also.get(path)) this.gone.push(path);
  }

  #holds(held: Held | undefined): boolean {
    return held?.isLasting === true && !this.#isDoubted?.(held.source);
  }

  #placeOf(path: string): { readonly folder: KnownFolder; readonly index: number } | undefined {
    const slash = path.lastIndexOf('/');
    const folder = this.#folders.get(folderOf(path));
    if (!folder) return undefined;
    const { files } = folder.scanned.names;
    const places = this.#places.get(files) ?? new Map(files.map((name, index) => [name, index]));
    this.#places.set(files, places);
    const index = places.get(path.slice(slash + 1));
    return index === undefined ? undefined : { folder, index };
  }
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0));
}

function isSameFolder(was: ScannedFolder, now: ScannedFolder): boolean {
  return was.names.files === now.names.files && areSameRows(was.rows, now.rows);
}

/** Where a name stood in the list before. */
function placesIn(before: readonly string[], now: readonly string[]) {
  if (before === now) return (_: string, index: number) => index;
  const places = new Map(before.map((name, index) => [name, index]));
  return (name: string) => places.get(name) ?? -1;
}
