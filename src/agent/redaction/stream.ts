import { type Known, replaced, spansOf } from './known';
import { openShape } from './matcher';

/** Characters already shown that are kept, for a secret whose beginning looked like nothing. */
const CONTEXT = 64;
/** No more than this is held back; a private key is shorter. */
const LONGEST_HELD = 24_000;
/** A beginning of a known value that is shorter is not held back: it tells nothing, and every word would wait. */
const TELLING = 4;

/** What of a text that comes in pieces may be shown by now: where a secret may have begun, the rest is held back. */
export class HeldText {
  readonly #known: () => Known;
  #text = '';
  /** As far as it was shown. */
  #shown = 0;

  constructor(known: () => Known) {
    this.#known = known;
  }

  push(piece: string): string {
    const known = this.#known();
    const text = this.#text + piece;
    const open = Math.min(openShape(text), openValue(text, known));
    return this.#show(text, text.length - open > LONGEST_HELD ? text.length : open, known);
  }

  /** What `push` would give, without taking it: for a line that may still be changed. */
  peek(piece: string): string {
    const copy = new HeldText(this.#known);
    copy.#text = this.#text;
    copy.#shown = this.#shown;
    return copy.push(piece);
  }

  /** What was held back, at the end. */
  flush(): string {
    return this.#show(this.#text, this.#text.length, this.#known());
  }

  #show(text: string, until: number, known: Known): string {
    const spans = spansOf(text, known);
    const cut = spans.find(({ start, end }) => start < until && end > until)?.start ?? until;
    const end = Math.max(cut, this.#shown);
    const out = replaced(
      text.slice(0, end),
      spans.filter((span) => span.end <= end),
      this.#shown,
    );
    const from = Math.max(0, end - CONTEXT);
    this.#text = text.slice(from);
    this.#shown = end - from;
    return out;
  }
}

/** Where at the end of a text a known value may be coming in. */
function openValue(text: string, { spellings }: Known): number {
  let open = text.length;
  for (const spelling of spellings.keys()) {
    const head = spelling.slice(0, TELLING);
    let at = text.indexOf(head, Math.max(0, text.length - spelling.length + 1));
    while (at >= 0 && at < open) {
      if (spelling.startsWith(text.slice(at))) open = at;
      at = text.indexOf(head, at + 1);
    }
  }
  return open;
}
