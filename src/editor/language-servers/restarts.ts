/** A server that crashes more often than allowed within this time, in milliseconds, is given up. */
const WINDOW_MS = 180_000;
/** The first wait; each further one is twice as long. */
const FIRST_MS = 1000;
const LONGEST_MS = 60_000;

/** Decides after each crash how long to wait before the next start: 1 s, 2 s, 4 s … Time is the caller's, in milliseconds. */
export class Restarts {
  readonly #most: number;
  #crashes: readonly number[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  /** Milliseconds until the next start; undefined when it has crashed too often. */
  afterCrash(now: number): number | undefined {
    this.#crashes = [...this.#crashes.filter((at) => now - at < WINDOW_MS), now];
    if (this.#crashes.length > this.#most) return undefined;
    return Math.min(FIRST_MS * 2 ** (this.#crashes.length - 1), LONGEST_MS);
  }

  /** A person asked for a new beginning. */
  forget(): void {
    this.#crashes = [];
  }
}
