/** A line of a server: its text, or `too-long`, after which nothing of the stream is to be trusted. */
export type Line = { readonly kind: 'line'; readonly text: string } | { readonly kind: 'too-long' };

const LINE_FEED = 0x0a;

/** Cuts a stream of bytes into lines. It never holds more than `most` bytes, and searches each byte once. */
export class LineReader {
  readonly #most: number;
  #parts: Buffer[] = [];
  #bytes = 0;
  #isOver = false;

  constructor(most: number) {
    this.#most = most;
  }

  /** The lines that this chunk completes, without their ends; empty ones are left out. */
  push(chunk: Buffer): readonly Line[] {
    const lines: Line[] = [];
    for (let from = 0; from < chunk.length && !this.#isOver; ) {
      const end = chunk.indexOf(LINE_FEED, from);
      const part = chunk.subarray(from, end < 0 ? chunk.length : end);
      from += part.length + 1;
      this.#parts.push(part);
      this.#bytes += part.length;
      if (this.#bytes > this.#most) {
        this.#isOver = true;
        this.#take();
        lines.push({ kind: 'too-long' });
      } else if (end >= 0) {
        const text = this.#take();
        if (text !== '') lines.push({ kind: 'line', text });
      }
    }
    return lines;
  }

  #take(): string {
    const text = this.#isOver ? '' : Buffer.concat(this.#parts, this.#bytes).toString('utf8');
    this.#parts = [];
    this.#bytes = 0;
    return text.trim();
  }
}
