import { createHash, timingSafeEqual } from 'node:crypto';
import type { Disposable } from '#base/disposable';
import type { Log } from '#host';

interface Pending {
  readonly state: Uint8Array;
  readonly arrived: (query: URLSearchParams) => void;
  readonly failed: (reason: unknown) => void;
}

/**
 * The sign-ins that wait for their browser. Anybody may open an address of ours, so what nobody waits for is dropped without a word to
 * the person.
 */
export class ComeBacks implements Disposable {
  readonly #log: Pick<Log, 'warn'>;
  readonly #pending = new Set<Pending>();

  constructor(log: Pick<Log, 'warn'>) {
    this.#log = log;
  }

  /** The query of the visit whose `state` is this one. Rejects when the signal aborts. */
  async wait(state: string, signal: AbortSignal): Promise<URLSearchParams> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<URLSearchParams>();
    const pending: Pending = { state: digest(state), arrived: resolve, failed: reject };
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    this.#pending.add(pending);
    try {
      return await promise;
    } finally {
      this.#pending.delete(pending);
      signal.removeEventListener('abort', stop);
    }
  }

  /** A browser opened an address of ours with this query. What reads it is loaded only then: the start of the window needs none of it. */
  async arrived(query: string): Promise<void> {
    const { readComeBack } = await import('#editor/mcp/come-back');
    const back = readComeBack(query);
    if (!back) {
      this.#log.warn('sign-in: an address was opened that ends no sign-in');
      return;
    }
    const given = digest(back.state);
    // All are compared, in the same time whichever it is.
    const meant = [...this.#pending].filter(({ state }) => timingSafeEqual(state, given));
    if (meant.length === 0)
      this.#log.warn('sign-in: a browser came back from a sign-in that nobody waits for');
    for (const { arrived } of meant) arrived(back.query);
  }

  dispose(): void {
    for (const { failed } of this.#pending) failed(new Error('the window is closing'));
  }
}

/** Of one length, so that comparing tells nothing of it. */
function digest(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}
