import { messageOf } from '#base/result';
import type { Content } from './blobs';
import type { World } from './world';

/**
 * What was written is in the file as well, so it is kept when there is time: while a model or a disk is waited for. Then the disk takes it
 * for good, too, so that the next change of that file doesn't have to wait for it.
 */
export class KeepLater {
  readonly #world: Pick<World, 'blobs' | 'log'>;
  readonly #waiting: Content[] = [];

  constructor(world: Pick<World, 'blobs' | 'log'>) {
    this.#world = world;
  }

  /** Takes a content to be kept soon. */
  keep(content: Content): void {
    this.#waiting.push(content);
    setImmediate(() => this.now());
  }

  /** Keeps what waits. */
  now(): void {
    const { blobs, log } = this.#world;
    for (const content of this.#waiting.splice(0)) {
      try {
        blobs.note(content);
        // Who needs it durable asks again, and hears of a disk that fails.
        void blobs.sync(content.sha256).catch(() => undefined);
      } catch (error) {
        log.warn(`journal: could not keep what was written: ${messageOf(error)}`);
      }
    }
  }
}
