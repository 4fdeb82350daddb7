import { type BigIntStats, closeSync, constants, fstatSync, openSync, read, readSync } from 'node:fs';
import { promisify } from 'node:util';
import { sha256 } from '#base/hash';
import { fail, ok, type Result } from '#base/result';
import type { FileContent, FileProblem } from '#host';
import type { Sha256 } from '#protocol/ids';
import { changed, missing, notAFile, problemOf } from './problem';
import { statOf, toFileStat } from './stat';

/** Most bytes that one read takes when the caller sets no bound. */
const READ_LIMIT = 256 * 1024 * 1024;

/** Files up to this size are read at once: microseconds, where each trip through the thread pool costs tens of them. */
const SMALL = 256 * 1024;
const LARGEST_CHUNK = 16 * 1024 * 1024;

/** Windows has none of these flags: absent counts as 0. */
const OPEN_FLAGS =
  constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

const readLater = promisify(read);

/** A file's content as far as it was read; `more`: there is more of it. */
export type ReadContent = FileContent & { readonly more: boolean };

/**
 * Reads a regular file, at most `maxBytes`; `more` says that it is longer (`sha256` is then the hash of the part that
 * was read, not of the file). `from` skips that many bytes. Never follows a link in the last place, never hangs on a pipe, socket or device: the kind
 * is checked before the open, and the opened file is checked to be the very one that was looked at.
 */
export async function readRegularFile(
  path: string,
  options: { readonly maxBytes?: number; readonly from?: number } = {},
): Promise<Result<ReadContent, FileProblem>> {
  try {
    const seen = await statOf(path);
    if (!seen) return fail(missing(path));
    if (seen.kind !== 'file') return fail(notAFile(path, seen.kind));
    const descriptor = openSync(path, OPEN_FLAGS);
    try {
      const opened = fstatSync(descriptor, { bigint: true });
      const stat = toFileStat(opened);
      if (stat.kind !== 'file') return fail(notAFile(path, stat.kind));
      if (stat.identity !== seen.identity) return fail(changed(path));
      const { maxBytes = READ_LIMIT, from = 0 } = options;
      return ok(await readOpened(descriptor, opened, { from, maxBytes }));
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    return fail(problemOf(error, path));
  }
}

/** Reads to the end rather than to the size: files grow, and files under /proc claim a size of 0. */
async function readOpened(
  descriptor: number,
  stats: BigIntStats,
  { from, maxBytes }: { readonly from: number; readonly maxBytes: number },
): Promise<ReadContent> {
  const left = Number(stats.size) - from;
  const chunks: Buffer[] = [];
  let total = 0;
  // One byte beyond the bound tells whether there is more.
  while (total <= maxBytes) {
    const expected = Math.max(left - total, 0) + 1;
    const size = Math.min(maxBytes + 1 - total, Math.max(expected, 4096), LARGEST_CHUNK);
    const chunk = Buffer.allocUnsafeSlow(size);
    const at = from === 0 ? null : from + total;
    const count =
      size <= SMALL
        ? readSync(descriptor, chunk, 0, size, at)
        : (await readLater(descriptor, chunk, 0, size, at)).bytesRead;
    if (count === 0) break;
    chunks.push(chunk.subarray(0, count));
    total += count;
    // A regular file that has a size gives less than was asked for only at its end.
    if (total === left && count < size) break;
  }
  const whole = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, total);
  const bytes = new Uint8Array(whole.buffer, whole.byteOffset, Math.min(total, maxBytes));
  return { bytes, sha256: sha256(bytes) as Sha256, stat: toFileStat(stats), more: total > maxBytes };
}
