/** More tracked files than this aren't looked at one by one. */
const MOST_ENTRIES = 50_000;
const HEADER = 12;
/** Times, device, inode, mode, owner, size; then the object's name and the flags. */
const STAT = 40;
const MODE = 24;
const NAME = 20;
const EXTENDED = 0x4000;
const LENGTH = 0xfff;
/** Files, links, submodules; a folder's own entry stands for what isn't written out. */
const KNOWN_MODES = new Set([0o100644, 0o100755, 0o100664, 0o120000, 0o160000]);

/** A submodule, and how an index says that the rest of it is in another file. */
const REPOSITORY = 0o160000;
const REPOSITORY_BYTES = Buffer.from([0, 0, REPOSITORY >> 8, 0]);
const SPLIT_BYTES = Buffer.from('link\0');

/**
 * The paths in a repository's index, relative to its top; undefined where they can't all be told: it is too long, split, sparse,
 * of another format, or broken.
 */
export function trackedFiles(index: Uint8Array): readonly string[] | undefined {
  return entriesOf(index)?.map(({ path }) => path.toString('utf8'));
}

/** The paths of the repositories that another one tracks; undefined where they can't be told. Quick where there are none. */
export function trackedRepositories(index: Uint8Array): readonly string[] | undefined {
  const bytes = Buffer.from(index.buffer, index.byteOffset, index.byteLength);
  if (!mayHoldRepositories(bytes) && !bytes.includes(SPLIT_BYTES)) return [];
  const inner = entriesOf(index)?.filter(({ mode }) => mode === REPOSITORY);
  return inner?.map(({ path }) => path.toString('utf8'));
}

/** Up to version 3 entries begin at every eighth byte behind the header, so that a file's size isn't taken for a mode. */
function mayHoldRepositories(bytes: Buffer): boolean {
  const isAligned = bytes.length >= HEADER && bytes.readUInt32BE(4) < 4;
  let at = bytes.indexOf(REPOSITORY_BYTES);
  while (at >= 0 && isAligned && at % 8 !== (HEADER + MODE) % 8) at = bytes.indexOf(REPOSITORY_BYTES, at + 1);
  return at >= 0;
}

function entriesOf(index: Uint8Array): readonly Entry[] | undefined {
  const bytes = Buffer.from(index.buffer, index.byteOffset, index.byteLength);
  if (bytes.length < HEADER || bytes.toString('latin1', 0, 4) !== 'DIRC') return undefined;
  const version = bytes.readUInt32BE(4);
  const count = bytes.readUInt32BE(8);
  if (version < 2 || version > 4 || count > MOST_ENTRIES) return undefined;
  const entries: Entry[] = [];
  let at = HEADER;
  let last: Buffer = Buffer.alloc(0);
  for (let entry = 0; entry < count; entry++) {
    const found = readEntry(bytes, at, version, last);
    if (found === undefined) return undefined;
    entries.push(found);
    last = found.path;
    at = found.next;
  }
  return isWhole(bytes, at) ? entries : undefined;
}

interface Entry {
  readonly mode: number;
  readonly path: Buffer;
  readonly next: number;
}

function readEntry(bytes: Buffer, start: number, version: number, last: Buffer): Entry | undefined {
  const flags = start + STAT + NAME;
  if (flags + 2 >= bytes.length) return undefined;
  const mode = bytes.readUInt32BE(start + MODE);
  if (!KNOWN_MODES.has(mode)) return undefined;
  const from = flags + ((bytes.readUInt16BE(flags) & EXTENDED) === 0 ? 2 : 4);
  const kept = version === 4 ? readKept(bytes, from) : { drop: last.length, from };
  const end = bytes.indexOf(0, kept.from);
  if (end < 0 || kept.drop > last.length) return undefined;
  const path = Buffer.concat([last.subarray(0, last.length - kept.drop), bytes.subarray(kept.from, end)]);
  // The length stands in the flags too, up to what fits there: an object's name of another length shows by it.
  if (path.length !== (bytes.readUInt16BE(flags) & LENGTH) && path.length < LENGTH) return undefined;
  // Up to version 3 an entry is filled up with one to eight zeros to a multiple of eight.
  const next = version === 4 ? end + 1 : start + Math.floor((end - start + 8) / 8) * 8;
  return path.length > 0 ? { mode, path, next } : undefined;
}

/** Version 4 says how many bytes of the path before fall away. */
function readKept(bytes: Buffer, from: number): { readonly drop: number; readonly from: number } {
  let at = from;
  let byte = bytes[at++] ?? 0;
  let drop = byte & 0x7f;
  while ((byte & 0x80) !== 0 && at < bytes.length && at < from + 5) {
    byte = bytes[at++] ?? 0;
    drop = (drop + 1) * 128 + (byte & 0x7f);
  }
  return { drop, from: at };
}

/** What follows are extensions and a checksum; one that holds more entries is said by its name. */
function isWhole(bytes: Buffer, from: number): boolean {
  let at = from;
  while (at + 8 <= bytes.length - NAME) {
    const name = bytes.toString('latin1', at, at + 4);
    // Names of extensions that may be left out begin with a capital letter.
    if (!/^[A-Z][A-Za-z]{3}$/.test(name)) return false;
    at += 8 + bytes.readUInt32BE(at + 4);
  }
  return at <= bytes.length;
}
