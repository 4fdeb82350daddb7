import { SharedPipeDecoder } from '#commands/shared-pipe-decoder';
import { LineSettler, SequenceFilter } from '#commands/terminal-text';

/** Takes out of a text that comes in pieces what nobody may see; what may be the beginning of it is held back. */
export interface PieceFilter {
  push(piece: string): string;
  /** What `push` would give, without taking it. */
  peek(piece: string): string;
  flush(): string;
}

/** What a command prints as a model reads it: no escape sequences, each line as it is in the end, without secrets. */
export class Spoken {
  readonly #decoder = new SharedPipeDecoder();
  readonly #sequences = new SequenceFilter();
  readonly #lines = new LineSettler();
  readonly #filter: PieceFilter;

  constructor(filter: PieceFilter) {
    this.#filter = filter;
  }

  push(chunk: Buffer): string {
    return this.#filter.push(this.#lines.push(this.#sequences.push(this.#decoder.write(chunk))));
  }

  /** A line that hasn't ended, such as a prompt; it may still be changed. */
  get unfinished(): string {
    return this.#filter.peek(this.#lines.unfinished);
  }

  flush(): string {
    const rest = this.#sequences.push(this.#decoder.end()) + this.#sequences.flush();
    return this.#filter.push(this.#lines.push(rest) + this.#lines.flush()) + this.#filter.flush();
  }
}
