/** A part of what a command printed. Offsets count bytes of UTF-8 from its very first one and never change their meaning. */
export interface LogPage {
  readonly text: string;
  /** Where the text begins; behind the offset that was asked for where what lay there is gone. */
  readonly start: number;
  /** Where the next page begins. */
  readonly next: number;
  /** How much has been printed in all. */
  readonly end: number;
  /** Bytes between the offset and `start` that aren't kept. */
  readonly dropped: number;
}

/** Bytes that are kept of one command: its beginning, which says what it is, and what came last. */
const HEAD = 262_144;
const TAIL = 2_097_152;

/** What a command printed, however much that is: in a flood the middle goes. */
export class OutputLog {
  readonly #limits: { readonly head: number; readonly tail: number };
  #head = Buffer.alloc(0);
  readonly #tail: Buffer[] = [];
  #tailBytes = 0;
  #end = 0;

  constructor(limits = { head: HEAD, tail: TAIL }) {
    this.#limits = limits;
  }

  /** Bytes printed so far. */
  get end(): number {
    return this.#end;
  }

  push(text: string): void {
    let bytes = Buffer.from(text);
    this.#end += bytes.length;
    // The head ends for good once something lies behind it.
    if (this.#tailBytes === 0 && this.#tail.length === 0 && this.#head.length < this.#limits.head) {
      const cut = wholeCharacters(bytes, this.#limits.head - this.#head.length);
      this.#head = Buffer.concat([this.#head, bytes.subarray(0, cut)]);
      bytes = bytes.subarray(cut);
    }
    if (bytes.length === 0) return;
    this.#tail.push(bytes);
    this.#tailBytes += bytes.length;
    this.#dropOld();
  }

  /** From that offset on, at most so many bytes; a character is never cut. What is gone is left out and counted. */
  read(offset: number, maxBytes: number): LogPage {
    const from = Math.min(Math.max(0, offset), this.#end);
    const kept = this.#keptFrom;
    if (from < this.#head.length) return this.#page(this.#head, { base: 0, from, maxBytes, dropped: 0 });
    const start = Math.max(from, kept);
    const tail = Buffer.concat(this.#tail);
    return this.#page(tail, { base: kept, from: start, maxBytes, dropped: start - from });
  }

  /** The last ones, beginning with a whole line where that is possible. */
  last(maxBytes: number): string {
    const { text } = this.read(Math.max(0, this.#end - maxBytes), maxBytes);
    const line = text.indexOf('\n');
    return Buffer.byteLength(text) < this.#end && line >= 0 && line < text.length - 1
      ? text.slice(line + 1)
      : text;
  }

  /** All that is kept, and a line where the middle was. */
  whole(): string {
    const gap = this.#keptFrom - this.#head.length;
    const tail = Buffer.concat(this.#tail).toString();
    return gap > 0 && this.#tail.length > 0
      ? `${this.#head.toString()}\n… ${gap} bytes not kept …\n${tail}`
      : this.#head.toString() + tail;
  }

  /** Forgets all but the last bytes: the rest is kept elsewhere. */
  shrink(bytes: number): void {
    const tail = Buffer.from(this.last(bytes));
    this.#head = Buffer.alloc(0);
    this.#tail.splice(0, this.#tail.length, tail);
    this.#tailBytes = tail.length;
  }

  /** Where the tail begins. */
  get #keptFrom(): number {
    return this.#end - this.#tailBytes;
  }

  #dropOld(): void {
    for (let over = this.#tailBytes - this.#limits.tail; over > 0; ) {
      const first = this.#tail[0];
      if (first === undefined) return;
      if (first.length <= over) this.#tail.shift();
      else {
        // A copy: a small rest must not keep a large piece alive.
        over = nextCharacter(first, over);
        this.#tail[0] = Buffer.from(first.subarray(over));
      }
      const gone = Math.min(first.length, over);
      this.#tailBytes -= gone;
      over -= gone;
    }
  }

  #page(
    bytes: Buffer,
    at: { readonly base: number; readonly from: number; readonly maxBytes: number; readonly dropped: number },
  ): LogPage {
    const first = nextCharacter(bytes, at.from - at.base);
    const last = first + wholeCharacters(bytes.subarray(first), Math.max(4, at.maxBytes));
    return {
      text: bytes.toString('utf8', first, last),
      start: at.base + first,
      next: at.base + last,
      end: this.#end,
      dropped: at.dropped,
    };
  }
}

/** How many of the first `limit` bytes are whole characters. */
function wholeCharacters(bytes: Buffer, limit: number): number {
  if (bytes.length <= limit) return bytes.length;
  let cut = limit;
  while (cut > 0 && isInside(bytes[cut])) cut--;
  return cut;
}

/** The first character that begins there or behind. */
function nextCharacter(bytes: Buffer, at: number): number {
  let next = at;
  while (next < bytes.length && isInside(bytes[next])) next++;
  return next;
}

function isInside(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
