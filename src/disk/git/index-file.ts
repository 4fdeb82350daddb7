import type { ScanEntry } from '#disk/scan-entry';

/** What a repository's index says of its files. */
export interface GitIndex {
  /** Whether git has that path under control; relative to the worktree. */
  isTracked(path: string): boolean;
  /** Folders by one of these names that hold files under git's control, relative to the worktree. */
  foldersNamed(names: ReadonlySet<string>): ReadonlySet<string>;
  /** The id of the object that holds a file's content, if the file is surely untouched since git looked at it. */
  cleanObject(path: string, file: ScanEntry): string | undefined;
}

/** Index entries begin with ten numbers of four bytes; object id and flags follow. */
const NUMBERS = 40;
const HEADER = 12;
const IDS = { sha1: 20, sha256: 32 } as const;

const EXTENDED = 0x4000;
const STAGE = 0x3000;
/** Of the second flags: not checked out, or added without content. */
const SKIP_WORKTREE = 0x4000;
const INTENT_TO_ADD = 0x2000;
/** Folders of a sparse index; needs no special care, since no file in them is checked out. */
const HARMLESS = new Set(['sdir']);

/**
 * Reads an index file of version 2 to 4. Undefined for anything that isn't understood whole: another version, a split index, a
 * damaged one. `writtenMs`: the file's own mtime.
 */
export function parseIndex(
  bytes: Buffer,
  { objectFormat, writtenMs }: { readonly objectFormat: keyof typeof IDS; readonly writtenMs: number },
): GitIndex | undefined {
  try {
    const idBytes = IDS[objectFormat];
    const entries = entriesOf(bytes, idBytes);
    return entries && new ParsedIndex(bytes, entries, { idBytes, writtenMs });
  } catch {
    // It ends in the middle of something.
    return undefined;
  }
}

/** Where each path's entry begins. */
type Entries = ReadonlyMap<string, number>;

function entriesOf(bytes: Buffer, idBytes: number): Entries | undefined {
  const version = bytes.readUInt32BE(4);
  if (bytes.toString('latin1', 0, 4) !== 'DIRC' || version < 2 || version > 4) return undefined;
  const count = bytes.readUInt32BE(8);
  const entries = new Map<string, number>();
  let previous: Buffer = Buffer.alloc(0);
  let at = HEADER;
  for (let n = 0; n < count; n++) {
    const nameAt = at + NUMBERS + idBytes + 2 + (isExtended(bytes, at, idBytes) ? 2 : 0);
    const { name, end } = version === 4 ? suffixed(bytes, nameAt, previous) : plain(bytes, nameAt);
    entries.set(name.toString('utf8'), at);
    previous = name;
    // Up to eight NULs end an entry, so that the next one begins at a multiple of eight.
    at = version === 4 ? end + 1 : at + ((end - at + 8) & ~7);
  }
  return areHarmless(bytes, at, bytes.byteLength - idBytes) ? entries : undefined;
}

function isExtended(bytes: Buffer, at: number, idBytes: number): boolean {
  return (bytes.readUInt16BE(at + NUMBERS + idBytes) & EXTENDED) !== 0;
}

function plain(bytes: Buffer, at: number): { readonly name: Buffer; readonly end: number } {
  const end = bytes.indexOf(0, at);
  if (end < 0) throw new RangeError('a name without an end');
  return { name: bytes.subarray(at, end), end };
}

/** Version 4: how many bytes of the name before are left out, then what follows in their place. */
function suffixed(bytes: Buffer, start: number, previous: Buffer) {
  let at = start;
  let byte = bytes.readUInt8(at++);
  let cut = byte & 0x7f;
  while (byte & 0x80) {
    byte = bytes.readUInt8(at++);
    cut = (cut + 1) * 128 + (byte & 0x7f);
  }
  if (cut > previous.byteLength) throw new RangeError('a name shorter than nothing');
  const { name, end } = plain(bytes, at);
  return { name: Buffer.concat([previous.subarray(0, previous.byteLength - cut), name]), end };
}

/** An extension whose name begins with a small letter changes what the entries mean. */
function areHarmless(bytes: Buffer, start: number, end: number): boolean {
  let at = start;
  while (at + 8 <= end) {
    const name = bytes.toString('latin1', at, at + 4);
    if (/^[a-z]/.test(name) && !HARMLESS.has(name)) return false;
    at += 8 + bytes.readUInt32BE(at + 4);
  }
  return at === end;
}

class ParsedIndex implements GitIndex {
  readonly #bytes: Buffer;
  readonly #entries: Entries;
  readonly #idBytes: number;
  readonly #writtenMs: number;
  /** What was last asked for: every look asks for the same. */
  #named: { readonly names: ReadonlySet<string>; readonly folders: ReadonlySet<string> } | undefined;

  constructor(
    bytes: Buffer,
    entries: Entries,
    { idBytes, writtenMs }: { readonly idBytes: number; readonly writtenMs: number },
  ) {
    this.#bytes = bytes;
    this.#entries = entries;
    this.#idBytes = idBytes;
    this.#writtenMs = writtenMs;
  }

  isTracked(path: string): boolean {
    return this.#entries.has(path);
  }

  foldersNamed(names: ReadonlySet<string>): ReadonlySet<string> {
    if (this.#named?.names !== names) this.#named = { names, folders: this.#foldersNamed(names) };
    return this.#named.folders;
  }

  #foldersNamed(names: ReadonlySet<string>): ReadonlySet<string> {
    const found = new Set<string>();
    let last = '';
    for (const path of this.#entries.keys()) {
      const folder = path.slice(0, Math.max(path.lastIndexOf('/'), 0));
      // Sorted by path: the files of a folder mostly follow one another.
      if (folder === last) continue;
      last = folder;
      for (let end = 0, from = 0; folder !== '' && end >= 0; from = end + 1) {
        end = folder.indexOf('/', from);
        if (names.has(folder.slice(from, end < 0 ? undefined : end)))
          found.add(end < 0 ? folder : folder.slice(0, end));
      }
    }
    return found;
  }

  /** Stricter than git, which may be set not to look at ctime and inode: then the file is kept instead. */
  cleanObject(path: string, file: ScanEntry): string | undefined {
    const at = this.#entries.get(path);
    if (at === undefined || !this.#isPlain(at)) return undefined;
    const number = (n: number) => this.#bytes.readUInt32BE(at + n * 4);
    const [ctimeMs, mtimeMs] = [milliseconds(number(0), number(1)), milliseconds(number(2), number(3))];
    // Written in the very tick of the index: it may have been touched again without a trace.
    if (mtimeMs >= this.#writtenMs || ctimeMs >= this.#writtenMs) return undefined;
    const isSame =
      mtimeMs === file.mtimeMs &&
      ctimeMs === file.ctimeMs &&
      number(5) === file.inode % 2 ** 32 &&
      number(9) === file.bytes;
    return isSame ? this.#bytes.toString('hex', at + NUMBERS, at + NUMBERS + this.#idBytes) : undefined;
  }

  /** A regular file, without conflict, whose content was added and is checked out. */
  #isPlain(at: number): boolean {
    const flagsAt = at + NUMBERS + this.#idBytes;
    const flags = this.#bytes.readUInt16BE(flagsAt);
    const more = flags & EXTENDED ? this.#bytes.readUInt16BE(flagsAt + 2) : 0;
    const isFile = this.#bytes.readUInt32BE(at + 24) >>> 12 === 0b1000;
    return isFile && (flags & STAGE) === 0 && (more & (SKIP_WORKTREE | INTENT_TO_ADD)) === 0;
  }
}

/** As Node computes it of the same two numbers. */
function milliseconds(seconds: number, nanoseconds: number): number {
  return seconds * 1000 + nanoseconds / 1_000_000;
}
