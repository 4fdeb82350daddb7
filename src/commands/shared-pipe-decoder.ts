import { isUtf8 } from 'node:buffer';

/** How many characters may be under way at once: stdout and stderr, one each. */
const WRITERS = 2;
const REPLACEMENT = '\ufffd';

/**
 * Decodes UTF-8 from a pipe that two streams share. A character that arrives in parts is held back until it is whole, also when
 * parts of another one come between. What is no UTF-8 becomes U+FFFD, one for each byte or character begun in vain.
 */
export class SharedPipeDecoder {
  /** Characters begun and not finished, oldest first. */
  readonly #begun: number[][] = [];

  write(chunk: Buffer): string {
    if (this.#begun.length === 0 && isUtf8(chunk)) return chunk.toString();
    let text = '';
    for (let at = 0; at < chunk.length; ) {
      const end = plainEnd(chunk, at);
      if (end > at) {
        text += this.end() + chunk.toString('latin1', at, end);
        at = end;
      } else text += this.#take(chunk[at++] ?? 0);
    }
    return text;
  }

  /** What never became whole. */
  end(): string {
    return REPLACEMENT.repeat(this.#begun.splice(0).length);
  }

  #take(byte: number): string {
    if (lengthOf(byte) > 0) {
      this.#begun.push([byte]);
      if (this.#begun.length <= WRITERS) return '';
      this.#begun.shift();
      return REPLACEMENT;
    }
    const shortest = Math.min(...this.#begun.map((bytes) => bytes.length));
    const index = this.#begun.findIndex((bytes) => bytes.length === shortest);
    const bytes = this.#begun[index];
    if (byte >= 0xc0 || bytes === undefined) return REPLACEMENT;
    bytes.push(byte);
    if (bytes.length < lengthOf(bytes[0] ?? 0)) return '';
    this.#begun.splice(index, 1);
    return Buffer.from(bytes).toString();
  }
}

/** Where the run of ASCII that starts here ends. */
function plainEnd(chunk: Buffer, start: number): number {
  let end = start;
  while (end < chunk.length && (chunk[end] ?? 0) < 0x80) end++;
  return end;
}

/** Bytes of the character that this one begins; 0 when it begins none. */
function lengthOf(byte: number): number {
  if (byte >= 0xc2 && byte <= 0xdf) return 2;
  if (byte >= 0xe0 && byte <= 0xef) return 3;
  return byte >= 0xf0 && byte <= 0xf4 ? 4 : 0;
}
