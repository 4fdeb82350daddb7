import { count } from '#base/text';
import { PAGE } from './artifact-bytes';
import type { ArtifactLine } from './artifact-lines';

/** Characters that are shown of a long line on either side of a keyword. */
const AROUND = 200;
const MOST_HITS = 100;

/** Gathers hits and what stands around them while lines go by. */
export class Hits {
  readonly #keyword: RegExp;
  readonly #context: number;
  readonly #mostLines: number;
  readonly #out: string[] = [];
  /** The last lines that were not shown. */
  #before: ArtifactLine[] = [];
  #after = 0;
  #last = 0;
  #length = 0;
  total = 0;
  shown = 0;
  /** The first hit for which there was no room. */
  next: number | undefined;

  constructor(keyword: RegExp, bounds: { readonly context: number; readonly mostLines: number }) {
    this.#keyword = keyword;
    this.#context = bounds.context;
    this.#mostLines = bounds.mostLines;
  }

  look(line: ArtifactLine): void {
    const at = line.text.search(this.#keyword);
    if (at >= 0) this.total++;
    if (this.next !== undefined) return;
    if (at >= 0) this.#hit(line, at);
    else if (this.#after > 0) {
      this.#after--;
      this.#show(line, '-', 0);
    } else {
      this.#before.push(line);
      if (this.#before.length > this.#context) this.#before.shift();
    }
  }

  get text(): string {
    return this.#out.join('\n');
  }

  #hit(line: ArtifactLine, at: number): void {
    const isFull = this.#length > PAGE - 2 * AROUND || this.#out.length >= this.#mostLines;
    if (this.shown >= MOST_HITS || (this.shown > 0 && isFull)) {
      this.next = line.number;
      return;
    }
    const first = this.#before[0]?.number ?? line.number;
    if (this.#last > 0 && first > this.#last + 1) this.#out.push('--');
    for (const before of this.#before) this.#show(before, '-', 0);
    this.#before = [];
    this.#show(line, ':', at);
    this.#after = this.#context;
    this.shown++;
  }

  #show(line: ArtifactLine, sign: string, at: number): void {
    const shown = `${line.number}${sign}${around(line, at)}`;
    this.#out.push(shown);
    this.#length += shown.length;
    this.#last = line.number;
  }
}

/** A long line's part around a place, and the byte at which that part begins. */
function around({ text, offset }: ArtifactLine, at: number): string {
  if (text.length <= 2 * AROUND) return text;
  const from = Math.max(0, at - AROUND);
  const part = text.slice(from, at + AROUND).toWellFormed();
  const byte = offset + Buffer.byteLength(text.slice(0, from));
  const cut = `${from > 0 ? '…' : ''}${part}${at + AROUND < text.length ? '…' : ''}`;
  return `${cut} (of ${count(text.length, 'character')}; this part is at offset ${byte})`;
}
