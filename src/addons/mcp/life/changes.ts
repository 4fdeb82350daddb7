import type { Listed } from './inventory';

/** Which lists of a server changed since they were last asked for. */
export class Changes {
  #changed = new Set<Listed>();
  #tell: (() => void) | undefined;

  get isEmpty(): boolean {
    return this.#changed.size === 0;
  }

  add(what: Listed): void {
    this.#changed.add(what);
    this.#tell?.();
  }

  /** All of them; none is left. */
  take(): ReadonlySet<Listed> {
    const taken = this.#changed;
    this.#changed = new Set();
    return taken;
  }

  /** Fulfilled once something changed, or the signal aborts. For one listener. */
  next(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        this.#tell = undefined;
        signal.removeEventListener('abort', done);
        resolve();
      };
      if (!this.isEmpty || signal.aborted) return resolve();
      this.#tell = done;
      signal.addEventListener('abort', done, { once: true });
    });
  }
}
