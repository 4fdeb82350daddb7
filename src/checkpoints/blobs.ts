import { closeSync, mkdirSync, openSync, renameSync, statSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sha256 } from '#base/hash';
import { syncFile, writeWhole } from '#disk/durable';
import { readRegularFile } from '#disk/read';
import { codeOf } from '#disk/stat';
import { temporaryBeside } from '#disk/temporary';
import type { Sha256 } from '#protocol/ids';

/** Bytes under their hash. */
export interface Content {
  readonly bytes: Uint8Array;
  readonly sha256: Sha256;
}

/**
 * Contents of files by their SHA-256, shared by all sessions. What is read back is checked against its name, so a
 * damaged blob counts as missing and is never taken for a file's content.
 */
export class BlobStore {
  readonly #folder: string;
  /** Blobs this process has written whole, or even waited for: they need no second look. */
  readonly #known = new Map<Sha256, 'written' | 'durable'>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Keeps a content and waits until it would survive a power cut: for what a change is about to destroy. */
  async keep(content: Content): Promise<void> {
    await (await this.begin(content)).durable;
  }

  /** The same, but the wait for the disk is left to the caller, who has something else to wait for at the same time. */
  async begin(content: Content): Promise<{ readonly durable: Promise<void> }> {
    const isThere = this.#isThere(content);
    const known = isThere ? this.#known.get(content.sha256) : undefined;
    if (known === 'durable') return { durable: Promise.resolve() };
    const isWhole = isThere && (known === 'written' || (await this.get(content.sha256)));
    if (!isWhole && sha256(content.bytes) !== content.sha256)
      throw new Error('a blob must be kept under its own hash');
    const descriptor = isWhole ? openSync(this.#path(content.sha256), 'r+') : this.#write(content);
    const durable = this.#sync(descriptor, content.sha256);
    // Whoever waits sees the failure; one that nobody waits for any more is none.
    durable.catch(() => undefined);
    return { durable };
  }

  /**
   * Keeps a content that can be had elsewhere too (it is in the file): survives a kill, not surely a power cut. Written right under
   * its name: what a kill leaves of it has another size, and counts as missing.
   */
  note(content: Content): void {
    const path = this.#path(content.sha256);
    let descriptor: number;
    try {
      descriptor = openNew(path);
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
      if (!this.#isThere(content)) closeSync(this.#write(content));
      return;
    }
    try {
      writeWhole(descriptor, content.bytes);
      this.#known.set(content.sha256, 'written');
    } catch (error) {
      unlinkSync(path);
      throw error;
    } finally {
      closeSync(descriptor);
    }
  }

  /** The content, or undefined when it is missing or damaged. */
  async get(hash: Sha256): Promise<Uint8Array | undefined> {
    const read = await readRegularFile(this.#path(hash));
    if (!read.ok || read.value.more || read.value.sha256 !== hash) return undefined;
    return read.value.bytes;
  }

  /** A file of that name and size. Storage may be wiped under a running Belay. */
  #isThere({ sha256: hash, bytes }: Content): boolean {
    return statSync(this.#path(hash), { throwIfNoEntry: false })?.size === bytes.byteLength;
  }

  async #sync(descriptor: number, hash: Sha256): Promise<void> {
    try {
      await syncFile(descriptor);
      this.#known.set(hash, 'durable');
    } finally {
      closeSync(descriptor);
    }
  }

  /**
   * Written and renamed; the descriptor is handed on, since a sync through it makes bytes and name durable in one. That
   * the name can be there before the bytes are (a power cut in between) does no harm: every reader checks the hash.
   */
  #write(content: Content): number {
    const path = this.#path(content.sha256);
    const temporary = temporaryBeside(path);
    const descriptor = openNew(temporary);
    try {
      writeWhole(descriptor, content.bytes);
      renameSync(temporary, path);
      this.#known.set(content.sha256, 'written');
      return descriptor;
    } catch (error) {
      closeSync(descriptor);
      unlinkSync(temporary);
      throw error;
    }
  }

  #path(hash: Sha256): string {
    return join(this.#folder, hash.slice(0, 2), hash.slice(2));
  }
}

/** Readable by this user alone: a blob may be the copy of a file that is. */
function openNew(path: string): number {
  try {
    return openSync(path, 'wx', 0o600);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    return openSync(path, 'wx', 0o600);
  }
}
