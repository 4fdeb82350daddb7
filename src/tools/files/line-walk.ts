import { markOf, unmarkedUtf16 } from '#tools/unicode';

const LINE_FEED = 10;

const LINE_FEEDS = { utf16le: [LINE_FEED, 0], utf16be: [0, LINE_FEED], other: [LINE_FEED] };

type Wide = 'utf16le' | 'utf16be' | undefined;

/** Counts lines of a file that comes in pieces of even length, from its beginning. */
export class LineWalk {
  /** The file's byte order mark and a line feed in its encoding: put before any later line, it decodes as the file does. */
  readonly lead: Uint8Array;
  readonly #wide: Wide;
  /** Lines that are whole. */
  #whole = 0;
  /** Bytes were seen behind the last line end. */
  #isOpen = false;

  constructor(beginning: Uint8Array) {
    this.#wide = wideOf(beginning);
    const mark = beginning.subarray(0, markOf(beginning)?.length ?? 0);
    this.lead = Uint8Array.from([...mark, ...LINE_FEEDS[this.#wide ?? 'other']]);
  }

  /** Lines so far, one that isn't closed included. */
  get lines(): number {
    return this.#whole + (this.#isOpen ? 1 : 0);
  }

  /** The lines of a later piece that are whole. */
  wholeLines(piece: Uint8Array): Uint8Array {
    return wholeLines(piece, 0, this.#wide);
  }

  /** Where in the next piece a line begins (1-based); undefined when it comes later. */
  next(piece: Uint8Array, line: number): number | undefined {
    let at = 0;
    while (this.#whole + 1 < line) {
      const end = endOfLine(piece, at, 1, this.#wide);
      if (end === undefined) break;
      at = end;
      this.#whole++;
    }
    const isThere = this.#whole + 1 === line && at < piece.length;
    if (piece.length > 0) this.#isOpen = at < piece.length;
    return isThere ? at : undefined;
  }
}

/** Where the line begins that comes `lines` after the one that begins at `from`; undefined when it isn't in yet. */
export function endOfLine(
  bytes: Uint8Array,
  from: number,
  lines: number,
  wide: Wide = wideOf(bytes),
): number | undefined {
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
export function wholeLines(bytes: Uint8Array, start: number, wide: Wide = wideOf(bytes)): Uint8Array {
  for (let end = bytes.lastIndexOf(LINE_FEED); end >= start; end = bytes.lastIndexOf(LINE_FEED, end - 1)) {
    if (wide === undefined) return bytes.subarray(0, end + 1);
    if (isWideLineFeed(bytes, end, wide)) return bytes.subarray(0, wide === 'utf16le' ? end + 2 : end + 1);
    if (end === 0) break;
  }
  return bytes;
}

/** In all encodings but these a byte of 10 is a line feed and nothing else. */
export function wideOf(bytes: Uint8Array): Wide {
  const encoding = markOf(bytes)?.encoding ?? unmarkedUtf16(bytes.subarray(0, bytes.length & ~1));
  return encoding === 'utf16le' || encoding === 'utf16be' ? encoding : undefined;
}

/** Whether the byte of 10 there is one half of a line feed. */
function isWideLineFeed(bytes: Uint8Array, at: number, wide: 'utf16le' | 'utf16be'): boolean {
  return wide === 'utf16le' ? at % 2 === 0 && bytes[at + 1] === 0 : at % 2 === 1 && bytes[at - 1] === 0;
}
