import { closeSync, fdatasync, fsync, openSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';

/**
 * Waits until the bytes are on the disk. Only this waits off the event loop: the calls around it take microseconds,
 * and each trip through the thread pool would cost more than they do.
 */
export const syncFile = promisify(fsync);

/**
 * The same for bytes and size alone, which is quicker: times, permission bits and the name may follow. They do so in their order,
 * so that a rename which outlasts a power cut finds the bits that were set before it.
 */
export const syncData = promisify(fdatasync);

/** Makes a rename, link or unlink inside a folder durable. Windows can't open folders; there it does nothing. */
export async function syncFolder(folder: string): Promise<void> {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(folder, 'r');
    await syncFile(descriptor);
  } catch {
    // Some file systems refuse to sync a folder: the change itself has happened all the same.
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Writes all bytes from the file's beginning on. */
export function writeWhole(descriptor: number, bytes: Uint8Array): void {
  let offset = 0;
  while (offset < bytes.byteLength)
    offset += writeSync(descriptor, bytes, offset, bytes.byteLength - offset, offset);
}
