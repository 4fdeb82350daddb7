import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { isNothing } from './stat';

const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/** A file of a tool's own as it is now; links are followed. `unreadable`: it is no regular file, too large, or nobody may read it. */
export type ReadNow = { readonly bytes: Buffer; readonly stats: Stats } | 'missing' | 'unreadable';

/** Reads a whole small file at once; never hangs on a pipe or a device. */
export function readNow(path: string, maxBytes: number): ReadNow {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, FLAGS);
    const stats = fstatSync(descriptor);
    if (!stats.isFile() || stats.size > maxBytes) return 'unreadable';
    const bytes = Buffer.allocUnsafeSlow(stats.size);
    for (let at = 0; at < bytes.byteLength; ) {
      const count = readSync(descriptor, bytes, at, bytes.byteLength - at, null);
      if (count === 0) return 'unreadable';
      at += count;
    }
    return { bytes, stats };
  } catch (error) {
    return isNothing(error) ? 'missing' : 'unreadable';
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
