import { diffArrays } from 'diff';
import { commonEnds } from '#base/text';

/** Largest content that is compared line by line, in bytes; larger ones go back whole or not at all. */
const MAX_BYTES = 2 * 1024 * 1024;
/** Edits beyond which two contents are too different to be compared line by line. */
const MAX_EDITS = 1000;
/** A NUL in the first bytes makes a file binary, as git and ripgrep judge; a byte order mark says better. */
const SNIFFED = 8000;

/** Lines of one content that stand in the place of lines of another: [from, to) in both, counted from 0. */
export interface Hunk {
  readonly old: Span;
  readonly now: Span;
}
export type Span = readonly [from: number, to: number];

/** How a content is cut into lines and put together again, byte for byte. */
export interface Pieces {
  readonly lines: readonly string[];
  readonly join: (lines: readonly string[]) => Uint8Array;
}

/**
 * Cuts a content into lines where the editor sees line ends (`\r\n`, `\n`, `\r`), so that its line numbers are these. Each line keeps
 * its end. Bytes stand for themselves, 16-bit units where a mark says so: what isn't touched comes out as it went in, whatever its
 * encoding. Undefined for what has no lines, or too many.
 */
export function piecesOf(bytes: Uint8Array): Pieces | undefined {
  if (bytes.byteLength > MAX_BYTES) return undefined;
  const form = formOf(bytes);
  if (!form) return undefined;
  const text = form.decode(bytes);
  const lines = text.match(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g) ?? [];
  return { lines, join: (joined) => form.encode(joined.join('')) };
}

/** Whether contents of both can be put together in one file. */
export function isSameForm(one: Uint8Array, two: Uint8Array): boolean {
  return one.byteLength === 0 || two.byteLength === 0 || formOf(one) === formOf(two);
}

/** What differs between two contents, in order; undefined when that is too much to tell. */
export function hunksBetween(old: readonly string[], now: readonly string[]): Hunk[] | undefined {
  const { head, tail } = commonEnds(old, now);
  const [oldMiddle, nowMiddle] = [old.slice(head, old.length - tail), now.slice(head, now.length - tail)];
  if (oldMiddle.length === 0 && nowMiddle.length === 0) return [];
  const parts = diffArrays(oldMiddle, nowMiddle, { maxEditLength: MAX_EDITS });
  if (!parts) return undefined;
  const hunks: Hunk[] = [];
  let [oldAt, nowAt] = [head, head];
  let start: Span | undefined;
  const close = () => {
    if (start) hunks.push({ old: [start[0], oldAt], now: [start[1], nowAt] });
    start = undefined;
  };
  for (const { added, removed, value } of parts) {
    if (added || removed) start ??= [oldAt, nowAt];
    else close();
    if (!added) oldAt += value.length;
    if (!removed) nowAt += value.length;
  }
  close();
  return hunks;
}

interface Form {
  decode(bytes: Uint8Array): string;
  encode(text: string): Uint8Array;
}

const BYTES: Form = {
  decode: (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'),
  encode: (text) => Buffer.from(text, 'latin1'),
};

const UTF16_LE: Form = {
  decode: (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf16le'),
  encode: (text) => Buffer.from(text, 'utf16le'),
};

const UTF16_BE: Form = {
  decode: (bytes) => Buffer.from(bytes).swap16().toString('utf16le'),
  encode: (text) => Buffer.from(text, 'utf16le').swap16(),
};

function formOf(bytes: Uint8Array): Form | undefined {
  const mark = bytes.byteLength % 2 === 0 ? `${bytes[0]} ${bytes[1]}` : '';
  if (mark === '255 254') return UTF16_LE;
  if (mark === '254 255') return UTF16_BE;
  return bytes.subarray(0, SNIFFED).includes(0) ? undefined : BYTES;
}
