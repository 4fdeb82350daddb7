import { basename } from 'node:path';
import { fail, ok, type Result } from '#base/result';
import type { FileProblem } from '#host';
import type { AbsolutePath, Sha256 } from '#protocol/ids';
import { knownFormat } from '#tools/file-kinds';
import { WRITE_LIMIT } from '#tools/text-file';
import type { ToolContext } from '#tools/tool';
import { endOfLine, LineWalk, wholeLines, wideOf } from './line-walk';
import { PAGE_BYTES, PAGE_LINES } from './page';

/** What a page is cut from. */
export interface Part {
  readonly bytes: Uint8Array;
  /** Of these bytes: of the file only when this is all of it. */
  readonly hash: Sha256;
  /** There is more behind it. */
  readonly more: boolean;
  /** Number of its first line; beyond 1 only in files that are too large to be read from their beginning. */
  readonly firstLine: number;
  /** Belongs before these bytes to decode them as the file does, one line feed of it; empty at the beginning of the file. */
  readonly lead: Uint8Array;
  /** Bytes of the whole file. */
  readonly size: number;
}

interface Wanted {
  /** All of it, if it has no more bytes than this. */
  readonly whole?: number;
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
}

type Ports = Pick<ToolContext, 'files' | 'signal'>;

/** A page within this many bytes is found by reading all before it: then it's known how many lines there are. */
const FROM_BEGINNING = 16 * 1024 * 1024;
const CHUNK = 4 * 1024 * 1024;

/**
 * Reads as much of a file as a page needs. A file that could be edited is read whole, since an edit is bound to its hash;
 * of a larger one only the beginning, in growing steps until the page is in, and far lines are walked to in pieces that are let go
 * again. It ends with a whole line. Of what is no text by its beginning no page is looked for.
 */
export async function readPart(
  path: AbsolutePath,
  wanted: Wanted,
  ports: Ports,
): Promise<Result<Part, FileProblem>> {
  const first = wanted.offset ?? 1;
  for (let maxBytes = wanted.whole ?? WRITE_LIMIT; maxBytes <= FROM_BEGINNING; maxBytes *= 4) {
    const read = await ports.files.read(path, { maxBytes });
    if (!read.ok) return read;
    const { bytes, sha256: hash, more, stat } = read.value;
    const facts = { hash, more, firstLine: 1, lead: NO_BYTES, size: Math.max(stat.bytes, bytes.length) };
    if (!more || isNoText(bytes)) return ok({ bytes, ...facts });
    const start = endOfLine(bytes, 0, first - 1);
    if (start === undefined) continue;
    const end = endOfLine(bytes, start, wanted.limit ?? PAGE_LINES);
    if (end !== undefined) return ok({ bytes: bytes.subarray(0, end), ...facts });
    if (bytes.length - start > 2 * PAGE_BYTES) return ok({ bytes: wholeLines(bytes, start), ...facts });
  }
  return farPart(path, first, ports);
}

const NO_BYTES = new Uint8Array();

function isNoText(bytes: Uint8Array): boolean {
  return knownFormat(bytes) !== undefined || (wideOf(bytes) === undefined && bytes.includes(0));
}

/** Walks to a line in pieces. What was walked past isn't kept, so the file may be of any size. */
async function farPart(path: AbsolutePath, first: number, ports: Ports): Promise<Result<Part, FileProblem>> {
  let walk: LineWalk | undefined;
  let identity: string | undefined;
  for (let from = 0; ; from += CHUNK) {
    ports.signal.throwIfAborted();
    const read = await ports.files.read(path, { from, maxBytes: CHUNK });
    if (!read.ok) return read;
    const { bytes, more, stat } = read.value;
    identity ??= stat.identity;
    if (identity !== stat.identity) return fail(replaced(path));
    walk ??= new LineWalk(bytes);
    const start = walk.next(bytes, first);
    if (start !== undefined) return partAt(path, { start: from + start, first, walk }, ports);
    if (!more) return ok({ ...NOTHING, firstLine: walk.lines + 1, lead: walk.lead, size: stat.bytes });
  }
}

/** Behind the last line. */
const NOTHING = { bytes: NO_BYTES, hash: '' as Sha256, more: false };

function replaced(path: AbsolutePath): FileProblem {
  return { kind: 'changed', message: `${basename(path)} was replaced while it was read; read it again` };
}

async function partAt(
  path: AbsolutePath,
  { start, first, walk }: { readonly start: number; readonly first: number; readonly walk: LineWalk },
  { files }: Ports,
): Promise<Result<Part, FileProblem>> {
  const read = await files.read(path, { from: start, maxBytes: WRITE_LIMIT });
  if (!read.ok) return read;
  const { bytes, sha256: hash, more, stat } = read.value;
  const size = Math.max(stat.bytes, start + bytes.length);
  const lines = more ? walk.wholeLines(bytes) : bytes;
  return ok({ bytes: lines, hash, more, firstLine: first, lead: walk.lead, size });
}
