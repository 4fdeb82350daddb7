import { KeptBytes } from './kept-bytes';
import { nextCharacter, wholeCharacters } from './whole-characters';

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
  readonly #headBytes: number;
  readonly #head: KeptBytes;
  #tail: KeptBytes;
  #end = 0;

  constructor(limits = { head: HEAD, tail: TAIL }) {
    this.#headBytes = limits.head;
    this.#head = new KeptBytes(limits.head);
    this.#tail = new KeptBytes(limits.tail);
  }

  /** Bytes printed so far. */
  get end(): number {
    return this.#end;
  }

  push(text: string): void {
    const size = Buffer.byteLength(text);
    this.#end += size;
    // The head ends for good once something lies behind it.
    const room = this.#tail.isEmpty ? this.#headBytes - this.#head.length : 0;
    if (room <= 0) this.#tail.push(text, size);
    else if (size <= room) this.#head.push(text, size);
    else {
      const bytes = Buffer.from(text);
      const cut = wholeCharacters(bytes, room);
      this.#head.push(bytes.toString('utf8', 0, cut), cut);
      this.#tail.push(bytes.toString('utf8', cut), size - cut);
    }
  }

  /** From that offset on, at most so many bytes; a character is never cut. What is gone is left out and counted. */
  read(offset: number, maxBytes: number): LogPage {
    const from = Math.min(Math.max(0, offset), this.#end);
    const kept = this.#keptFrom;
    if (from < this.#head.length)
      return this.#page(this.#head.bytes, { base: 0, from, maxBytes, dropped: 0 });
    const start = Math.max(from, kept);
    return this.#page(this.#tail.bytes, { base: kept, from: start, maxBytes, dropped: start - from });
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
    const [head, tail] = [this.#head.bytes.toString(), this.#tail.bytes.toString()];
    return gap > 0 && tail !== '' ? `${head}\n… ${gap} bytes not kept …\n${tail}` : head + tail;
  }

  /** Forgets all but the last bytes: the rest is kept elsewhere. */
  shrink(bytes: number): void {
    const last = this.last(bytes);
    this.#head.clear();
    this.#tail = new KeptBytes(bytes);
    this.#tail.push(last, Buffer.byteLength(last));
  }

  /** Where the tail begins. */
  get #keptFrom(): number {
    return this.#end - this.#tail.length;
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
