import { closeSync, mkdirSync, openSync, renameSync, statSync, unlinkSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sha256 } from '#base/hash';
import { syncFile, writeWhole } from '#disk/durable';
import { readRegularFile } from '#disk/read';
import { codeOf } from '#disk/stat';
import { temporaryBeside } from '#disk/temporary';
import type { FileState } from '#protocol/checkpoint';
import type { Sha256 } from '#protocol/ids';

/** Bytes under their hash. */
export interface Content {
  readonly bytes: Uint8Array;
  readonly sha256: Sha256;
}

/**
 * Contents of files by their SHA-256, shared by all sessions, side by side in one folder: the disk keeps what belongs together
 * with fewer writes. What is read back is checked against its name, so a damaged blob, or the beginning of one that a kill left,
 * counts as missing and is never taken for a file's content.
 */
export class BlobStore {
  readonly folder: string;
  /** Blobs this process has written whole, or even waited for: they need no second look. */
  readonly #known = new Map<Sha256, 'written' | 'durable'>();

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Keeps a content and waits until it would survive a power cut: for what a change is about to destroy. */
  async keep(content: Content): Promise<void> {
    await this.write(content);
    await this.sync(content.sha256);
  }

  /** The first half of it: written, whole. */
  async write(content: Content): Promise<void> {
    const { bytes, sha256: hash } = content;
    if (this.#isThere(content) && (this.#known.has(hash) || (await this.get(hash)))) return;
    if (sha256(bytes) !== hash) throw new Error('a blob must be kept under its own hash');
    this.#put(content);
  }

  /** The second half, for who has something else to wait for at the same time. Bytes and name become durable in one. */
  async sync(hash: Sha256): Promise<void> {
    if (this.#known.get(hash) === 'durable') return;
    const descriptor = this.#open(hash);
    try {
      await syncFile(descriptor);
      this.#known.set(hash, 'durable');
    } finally {
      closeSync(descriptor);
    }
  }

  /** Keeps a content that can be had elsewhere too (it is in the file): survives a kill, not surely a power cut. */
  note(content: Content): void {
    if (!this.#isThere(content)) this.#put(content);
  }

  /** The content, or undefined when it is missing or damaged. */
  async get(hash: Sha256): Promise<Uint8Array | undefined> {
    const found = await readRegularFile(this.#path(hash));
    const read = found.ok || !this.#bringBack(hash) ? found : await readRegularFile(this.#path(hash));
    if (!read.ok || read.value.more || read.value.sha256 !== hash) return undefined;
    return read.value.bytes;
  }

  /** What a file of that state holds, or what is written in a link; undefined also where neither is. */
  async contentOf(state: FileState | undefined): Promise<Uint8Array | undefined> {
    if (state?.kind === 'link') return Buffer.from(state.target);
    return state?.kind === 'file' ? this.get(state.sha256) : undefined;
  }

  /** Whether it seems to be there: what is read is checked, this isn't. */
  has(hash: Sha256, bytes: number): boolean {
    return statSync(this.#path(hash), { throwIfNoEntry: false })?.size === bytes;
  }

  /**
   * A file of that name and size. Storage may be wiped under a running Belay; and what lies there unused may be about to be swept away.
   * The touch says that somebody is about to use it: see `sweepBlobs`.
   */
  #isThere({ sha256: hash, bytes }: Content): boolean {
    const path = this.#path(hash);
    // Most contents are new, and to learn that from the touch's error would cost ten times more.
    const found = statSync(path, { throwIfNoEntry: false });
    if (found && touched(path)) return found.size === bytes.byteLength;
    this.#known.delete(hash);
    return false;
  }

  #put({ bytes, sha256: hash }: Content): void {
    const path = this.#path(hash);
    try {
      writeNew(path, bytes);
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
      // Damaged, or another window is just writing the same: then one whole file replaces the other.
      const temporary = temporaryBeside(path);
      writeNew(temporary, bytes);
      renameSync(temporary, path);
    }
    this.#known.set(hash, 'written');
  }

  #open(hash: Sha256): number {
    try {
      return openSync(this.#path(hash), 'r+');
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' || !this.#bringBack(hash)) throw error;
      return openSync(this.#path(hash), 'r+');
    }
  }

  /** A sweep that took a blob aside and was killed, or hasn't seen yet that it is used: the blob gets its name back. */
  #bringBack(hash: Sha256): boolean {
    try {
      renameSync(goingName(this.#path(hash)), this.#path(hash));
      return true;
    } catch {
      return false;
    }
  }

  #path(hash: Sha256): string {
    return join(this.folder, hash);
  }
}

/** Where a sweep puts a blob before it looks for the last time whether it may go. */
export function goingName(path: string): string {
  return `${path}.going`;
}

/** False when there is no such file. Where times can't be set (another user's file), it is there all the same. */
function touched(path: string): boolean {
  try {
    const now = Date.now() / 1000;
    utimesSync(path, now, now);
    return true;
  } catch (error) {
    return codeOf(error) !== 'ENOENT';
  }
}

/** Makes a file, whole or not at all but for a kill in the middle. */
function writeNew(path: string, bytes: Uint8Array): void {
  const descriptor = openNew(path);
  try {
    writeWhole(descriptor, bytes);
  } catch (error) {
    unlinkSync(path);
    throw error;
  } finally {
    closeSync(descriptor);
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
