/** Why a request was given up, as its signal's reason. */
export class OutOfPatience extends Error {}

/**
 * How long a request may take. Each sign of progress begins its time anew, up to a bound over all; while a person is being asked on its
 * behalf no time passes at all.
 */
export class Patience {
  readonly #limitMs: number;
  readonly #controller = new AbortController();
  #left: number;
  #timer: NodeJS.Timeout | undefined;
  #holds = 0;

  /** `most`: over all, in multiples of the limit. */
  constructor(limitMs: number, most: number) {
    this.#limitMs = limitMs;
    this.#left = limitMs * (most - 1);
    this.#begin();
  }

  /** Aborted with `OutOfPatience` when the time is over. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Something came of it. */
  renew(): void {
    if (this.#holds > 0 || this.#left <= 0) return;
    this.#left -= this.#spent();
    this.#begin();
  }

  /** No time passes until the function it returns is called. */
  hold(): () => void {
    this.#holds += 1;
    clearTimeout(this.#timer);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#holds -= 1;
      if (this.#holds === 0) this.#begin();
    };
  }

  end(): void {
    this.#holds += 1;
    clearTimeout(this.#timer);
  }

  #begunAt = 0;

  #spent(): number {
    return performance.now() - this.#begunAt;
  }

  #begin(): void {
    clearTimeout(this.#timer);
    this.#begunAt = performance.now();
    this.#timer = setTimeout(() => {
      const seconds = Math.round(this.#limitMs / 100) / 10;
      this.#controller.abort(new OutOfPatience(`no answer within ${seconds} s`));
    }, this.#limitMs);
  }
}
