import type { Sha256 } from '#protocol/ids';
import type { Content } from './blobs';

/** All of it together; what doesn't fit is read again. */
const MOST_BYTES = 32 * 1024 * 1024;

/**
 * Contents that a restore has read while it looked at everything: it needn't read them a second time to keep or to write them.
 * They go by their hash, so a file that changes meanwhile is found out where it is about to be changed, as ever.
 */
export class HeldContents {
  readonly #contents = new Map<Sha256, Content>();
  #left = MOST_BYTES;

  /** Takes a content, as long as there is room. */
  add(content: Content): void {
    const { byteLength } = content.bytes;
    if (byteLength > this.#left || this.#contents.has(content.sha256)) return;
    this.#left -= byteLength;
    this.#contents.set(content.sha256, content);
  }

  /** Undefined where it has to be read. */
  get(hash: Sha256): Content | undefined {
    return this.#contents.get(hash);
  }
}
