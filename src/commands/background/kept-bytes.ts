import { nextCharacter } from './whole-characters';

/** The first piece of memory; then twice as much each time. */
const SMALLEST = 16_384;

/** The last bytes of a text that grows, in one piece of memory that is written over and over: a flood leaves no garbage. */
export class KeptBytes {
  readonly #limit: number;
  #memory = Buffer.alloc(0);
  #from = 0;
  #to = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get length(): number {
    return this.#to - this.#from;
  }

  get isEmpty(): boolean {
    return this.#to === 0;
  }

  /** Only good until the next push. */
  get bytes(): Buffer {
    return this.#memory.subarray(this.#from, this.#to);
  }

  /** `size` is how many bytes the text has. */
  push(text: string, size: number): void {
    if (size === 0) return;
    if (size > this.#limit) {
      const bytes = Buffer.from(text);
      const last = bytes.subarray(nextCharacter(bytes, size - this.#limit));
      this.clear();
      this.#makeRoom(last.length);
      this.#to = last.copy(this.#memory);
      return;
    }
    this.#makeRoom(size);
    this.#to += this.#memory.write(text, this.#to);
    this.#from = nextCharacter(this.#memory, Math.max(this.#from, this.#to - this.#limit));
  }

  /** Gives the memory back. */
  clear(): void {
    this.#memory = Buffer.alloc(0);
    this.#from = 0;
    this.#to = 0;
  }

  /** Twice the limit is enough for ever: what is kept moves to the beginning once for as much as was written since. */
  #makeRoom(size: number): void {
    if (this.#to + size <= this.#memory.length) return;
    const kept = this.bytes;
    const wanted = Math.min(2 * this.#limit, Math.max(SMALLEST, 2 * (kept.length + size)));
    if (wanted > this.#memory.length) this.#memory = Buffer.allocUnsafeSlow(wanted);
    kept.copy(this.#memory);
    this.#to = kept.length;
    this.#from = 0;
  }
}
