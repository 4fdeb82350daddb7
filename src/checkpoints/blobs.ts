import { closeSync, existsSync, mkdirSync, openSync, renameSync, statSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sha256 } from '#base/hash';
import { syncFile, writeWhole } from '#disk/durable';
import { readRegularFile } from '#disk/read';
import { codeOf } from '#disk/stat';
import { temporaryBeside } from '#disk/temporary';
import type { Sha256 } from '#protocol/ids';

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
  /** Blobs this process has seen whole and synced: they need no second look. */
  readonly #durable = new Set<Sha256>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Keeps a content and waits until it would survive a power cut: for what a change is about to destroy. */
  async keep(content: Content): Promise<void> {
    if (this.#durable.has(content.sha256)) return;
    if (!(await this.#syncExisting(content.sha256))) await this.#write(content, true);
    this.#durable.add(content.sha256);
  }

  /** Keeps a content that can be had elsewhere too (it is in the file): survives a kill, not surely a power cut. */
  async note(content: Content): Promise<void> {
    const size = statSync(this.#path(content.sha256), { throwIfNoEntry: false })?.size;
    if (size !== content.bytes.byteLength) await this.#write(content, false);
  }

  /** The content, or undefined when it is missing or damaged. */
  async get(hash: Sha256): Promise<Uint8Array | undefined> {
    const read = await readRegularFile(this.#path(hash));
    if (!read.ok || read.value.more || read.value.sha256 !== hash) return undefined;
    return read.value.bytes;
  }

  async #syncExisting(hash: Sha256): Promise<boolean> {
    const path = this.#path(hash);
    if (!existsSync(path) || (await this.get(hash)) === undefined) return false;
    const descriptor = openSync(path, 'r+');
    try {
      await syncFile(descriptor);
    } finally {
      closeSync(descriptor);
    }
    return true;
  }

  /**
   * Written, renamed, then synced through the same descriptor: one sync makes bytes and name durable. That the name can
   * be there before the bytes are (a power cut in between) does no harm, since every reader checks the hash.
   */
  async #write(content: Content, durable: boolean): Promise<void> {
    if (sha256(content.bytes) !== content.sha256) throw new Error('a blob must be kept under its own hash');
    const path = this.#path(content.sha256);
    const temporary = temporaryBeside(path);
    const descriptor = openNew(temporary);
    let renamed = false;
    try {
      writeWhole(descriptor, content.bytes);
      renameSync(temporary, path);
      renamed = true;
      if (durable) await syncFile(descriptor);
    } finally {
      closeSync(descriptor);
      if (!renamed) unlinkSync(temporary);
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
