import { messageOf } from '#base/result';
import type { Content } from './blobs';
import type { World } from './world';

/** What was written is in the file as well, so it is kept when there is time: while a model or a disk is waited for. */
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
      } catch (error) {
        log.warn(`journal: could not keep what was written: ${messageOf(error)}`);
      }
    }
  }
}
