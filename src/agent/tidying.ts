import type { Disposable } from '#base/disposable';
import { messageOf } from '#base/result';
import type { Clock, Log } from '#host';
import type { Storage } from './storage';

/** Milliseconds after the start, so that nobody waits for it; and until the next try when it was in somebody's way. */
const WAIT = 5 * 60 * 1000;
const DAY = 24 * 60 * 60 * 1000;

/** Prunes the storage by itself, when the window has been open for a while and it wasn't done for a day. */
export class Tidying implements Disposable {
  readonly #storage: Pick<Storage, 'prune' | 'lastPruned'>;
  readonly #host: { readonly clock: Clock; readonly log: Log };
  readonly #stop = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor(
    storage: Pick<Storage, 'prune' | 'lastPruned'>,
    host: { readonly clock: Clock; readonly log: Log },
  ) {
    this.#storage = storage;
    this.#host = host;
    this.#wait();
  }

  /** Does it now if it is due; true when nothing is left to do today. */
  async look(): Promise<boolean> {
    const last = this.#storage.lastPruned();
    // A clock that was set back must not keep it from being done for years.
    if (last !== undefined && Math.abs(this.#host.clock.now() - last) < DAY) return true;
    const { status, turns, blobs, bytes } = await this.#storage.prune(this.#stop.signal);
    if (turns + blobs > 0)
      this.#host.log.info(`storage: ${turns} turns and ${blobs} contents (${bytes} bytes) removed`);
    return status === 'done';
  }

  dispose(): void {
    this.#stop.abort();
    clearTimeout(this.#timer);
  }

  #wait(): void {
    this.#timer = setTimeout(() => void this.#run(), WAIT);
    this.#timer.unref();
  }

  async #run(): Promise<void> {
    try {
      await this.look();
    } catch (error) {
      if (!this.#stop.signal.aborted)
        this.#host.log.warn(`storage: could not be tidied: ${messageOf(error)}`);
    }
    // A window may stay open for weeks.
    if (!this.#stop.signal.aborted) this.#wait();
  }
}
