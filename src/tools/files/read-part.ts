import { fail, ok, type Result } from '#base/result';
import type { FileProblem } from '#host';
import type { AbsolutePath, Sha256 } from '#protocol/ids';
import { WRITE_LIMIT } from '#tools/text-file';
import type { ToolPorts } from '#tools/tool';
import { markOf, unmarkedUtf16 } from '#tools/unicode';
import { PAGE_BYTES, PAGE_LINES } from './page';

/** What a page is cut from. */
export interface Part {
  readonly bytes: Uint8Array;
  /** Of these bytes: of the file only when there is no more. */
  readonly hash: Sha256;
  readonly more: boolean;
  /** Bytes of the whole file. */
  readonly size: number;
}

const LINE_FEED = 10;

/** Beyond this many bytes no page is looked for. */
const FARTHEST = 64 * 1024 * 1024;

/**
 * Reads as much of a file as a page needs. A file that could be edited is read whole, since an edit is bound to its hash;
 * of a larger one only the beginning, in growing steps until the page is in, and it ends with a whole line.
 */
export async function readPart(
  path: AbsolutePath,
  wanted: { readonly offset?: number | undefined; readonly limit?: number | undefined },
  ports: Pick<ToolPorts, 'files'>,
): Promise<Result<Part, FileProblem>> {
  const first = wanted.offset ?? 1;
  for (let maxBytes = WRITE_LIMIT; ; maxBytes *= 4) {
    const read = await ports.files.read(path, { maxBytes });
    if (!read.ok) return read;
    const { bytes, sha256: hash, more, stat } = read.value;
    const size = Math.max(stat.bytes, bytes.length);
    if (!more) return ok({ bytes, hash, more, size });
    const start = endOfLine(bytes, 0, first - 1);
    if (start !== undefined) {
      const end = endOfLine(bytes, start, wanted.limit ?? PAGE_LINES);
      if (end !== undefined) return ok({ bytes: bytes.subarray(0, end), hash, more, size });
      if (bytes.length - start > 2 * PAGE_BYTES)
        return ok({ bytes: wholeLines(bytes, start), hash, more, size });
    }
    if (maxBytes >= FARTHEST) return fail({ kind: 'too-large', message: TOO_FAR });
  }
}

const TOO_FAR =
  'these lines are beyond the first 64 MB of the file; use search_files, or run_command with sed -n';

/** Where the line begins that comes `lines` after the one that begins at `from`; undefined when it isn't in yet. */
function endOfLine(bytes: Uint8Array, from: number, lines: number): number | undefined {
  const wide = wideOf(bytes);
  let at = from;
  for (let line = 0; line < lines; line++) {
    const end = bytes.indexOf(LINE_FEED, at);
    if (end < 0) return undefined;
    at = end + 1;
    if (wide === undefined) continue;
    if (isWideLineFeed(bytes, end, wide)) at = wide === 'utf16le' ? end + 2 : end + 1;
    else line--;
  }
  return at;
}

/** Without the piece of a line at the end, unless that line is the only one: then the end may be a piece of a character. */
function wholeLines(bytes: Uint8Array, start: number): Uint8Array {
  const wide = wideOf(bytes);
  for (let end = bytes.lastIndexOf(LINE_FEED); end >= start; end = bytes.lastIndexOf(LINE_FEED, end - 1)) {
    if (wide === undefined) return bytes.subarray(0, end + 1);
    if (isWideLineFeed(bytes, end, wide)) return bytes.subarray(0, wide === 'utf16le' ? end + 2 : end + 1);
    if (end === 0) break;
  }
  return bytes;
}

/** In all encodings but these a byte of 10 is a line feed and nothing else. */
function wideOf(bytes: Uint8Array): 'utf16le' | 'utf16be' | undefined {
  const encoding = markOf(bytes)?.encoding ?? unmarkedUtf16(bytes.subarray(0, bytes.length & ~1));
  return encoding === 'utf16le' || encoding === 'utf16be' ? encoding : undefined;
}

/** Whether the byte of 10 there is one half of a line feed. */
function isWideLineFeed(bytes: Uint8Array, at: number, wide: 'utf16le' | 'utf16be'): boolean {
  return wide === 'utf16le' ? at % 2 === 0 && bytes[at + 1] === 0 : at % 2 === 1 && bytes[at - 1] === 0;
}
