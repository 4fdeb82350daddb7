/** Milliseconds of synchronous work before other things get their turn: an await per file would cost ten times more. */
const SLICE = 8;

/** Long synchronous work in pieces, between which others get their turn. */
export class Slices {
  readonly #signal: AbortSignal | undefined;
  #end = performance.now() + SLICE;

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
  }

  /** Others are waiting: then `await rest()`. */
  get isOver(): boolean {
    return performance.now() > this.#end;
  }

  /** Rejects when the signal aborts. */
  async rest(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.#signal?.throwIfAborted();
    this.#end = performance.now() + SLICE;
  }
}
