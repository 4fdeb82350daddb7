import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  openSync,
  renameSync,
} from 'node:fs';
import { sha256 } from '#base/hash';
import { fail, ok, type Result } from '#base/result';
import type { FileContent, FileProblem, FileStat, Landed } from '#host';
import type { Sha256 } from '#protocol/ids';
import { syncData, syncFile, writeWhole } from './durable';
import { changed, problemOf } from './problem';
import { type ReadContent, readRegularFile } from './read';
import { codeOf, statOf, toFileStat } from './stat';
import { discard, temporaryBeside } from './temporary';

export interface ReplaceOptions {
  /** Hash of what must be there now. */
  readonly expected: Sha256;
  /** Permission bits afterwards; as they are when absent. */
  readonly mode?: number;
  /** Called once, when all is prepared; the file changes after it is fulfilled, and not at all when it rejects. */
  readonly beforeChange?: () => Promise<unknown>;
  /** What was read there a moment ago, instead of reading it again; right before the change the system must say that it is the same file. */
  readonly before?: FileContent;
}

/** How the bytes came there; `after` is what is there, unless somebody was faster; `note` says why it wasn't a rename. */
export type Replaced =
  | { readonly via: 'disk'; readonly after: Landed['after'] }
  | { readonly via: 'in-place'; readonly note: string };

/**
 * Gives an existing regular file new bytes: temporary file in the same folder, fsync, rename, so that a kill leaves old
 * or new bytes and nothing between. Where a rename would break a hard link or change the owner, or the folder can't be
 * written, the bytes are written in place, and the answer says so. A failure leaves the file as it was and no temporary.
 * The rename itself isn't waited for: a power cut right after it may leave the old bytes. `syncFolder` is for who minds.
 */
export async function replaceFile(
  path: string,
  bytes: Uint8Array,
  options: ReplaceOptions,
): Promise<Result<Replaced, FileProblem>> {
  const now = options.before ? ok({ ...options.before, more: false }) : await readRegularFile(path);
  if (!now.ok) return now;
  if (now.value.more || now.value.sha256 !== options.expected) return fail(changed(path));
  const { stat } = now.value;
  if ((stat.mode & 0o222) === 0) {
    return fail({
      kind: 'denied',
      message: `the file is read-only (mode ${stat.mode.toString(8)}); make it writable first`,
    });
  }
  try {
    if (stat.links > 1)
      return await inPlace(path, bytes, now.value, {
        options,
        note: 'written in place: the file has several hard links',
      });
    const renamed = await byRename(path, bytes, stat, options);
    if (renamed === 'changed') return fail(changed(path));
    if ('after' in renamed) return ok({ via: 'disk', ...renamed });
    return await inPlace(path, bytes, now.value, { options, note: renamed.note });
  } catch (error) {
    return fail(problemOf(error, path));
  }
}

async function byRename(
  path: string,
  bytes: Uint8Array,
  stat: FileStat,
  options: ReplaceOptions,
): Promise<{ readonly after: Landed['after'] } | 'changed' | { readonly note: string }> {
  const temporary = temporaryBeside(path);
  let descriptor: number;
  try {
    descriptor = openSync(temporary, 'wx', 0o600);
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error)))
      return { note: 'written in place: its folder is not writable' };
    throw error;
  }
  let isThere = false;
  try {
    let written: FileContent;
    try {
      writeWhole(descriptor, bytes);
      if (!takeOwner(descriptor, path)) return { note: 'written in place: the file belongs to another user' };
      fchmodSync(descriptor, options.mode ?? stat.mode);
      written = await synced(descriptor, bytes, options.beforeChange);
    } finally {
      closeSync(descriptor);
    }
    if (!(await isUntouched(path, stat))) return 'changed';
    renameSync(temporary, path);
    isThere = true;
    return { after: await stateOf(path, written) };
  } finally {
    if (!isThere) discard(temporary);
  }
}

/** Waits until a file is on the disk, beside what must come before its change, and sums up meanwhile what is in it. */
async function synced(
  descriptor: number,
  bytes: Uint8Array,
  beforeChange: ReplaceOptions['beforeChange'],
): Promise<FileContent> {
  // The disk serves in one what is asked for at once.
  const waits = Promise.allSettled([syncData(descriptor), beforeChange?.()]);
  const stat = toFileStat(fstatSync(descriptor, { bigint: true }));
  const content = { bytes, sha256: sha256(bytes) as Sha256, stat };
  for (const end of await waits) if (end.status === 'rejected') throw end.reason;
  return content;
}

/** What was just renamed to a path, as long as it still stands there. */
async function stateOf(path: string, { bytes, sha256: hash, stat }: FileContent): Promise<Landed['after']> {
  const now = await statOf(path);
  if (!now || !isSame(now, stat)) return undefined;
  return { sha256: hash, bytes: bytes.byteLength, mode: now.mode };
}

/** Gives the temporary file the owner and group of the target; false when that isn't ours to give. */
function takeOwner(descriptor: number, path: string): boolean {
  const [own, target] = [fstatSync(descriptor), lstatSync(path)];
  if (own.uid === target.uid && own.gid === target.gid) return true;
  try {
    fchownSync(descriptor, target.uid, target.gid);
    return true;
  } catch {
    return false;
  }
}

/** Nobody wrote or replaced the file between the hash and now. It narrows the race; nothing on a plain disk closes it. */
export async function isUntouched(path: string, stat: FileStat): Promise<boolean> {
  const now = await statOf(path);
  return now !== undefined && isSame(now, stat);
}

function isSame(now: FileStat, before: FileStat): boolean {
  return now.identity === before.identity && now.mtimeNs === before.mtimeNs && now.bytes === before.bytes;
}

interface InPlace {
  readonly options: ReplaceOptions;
  readonly note: string;
}

async function inPlace(
  path: string,
  bytes: Uint8Array,
  old: ReadContent,
  how: InPlace,
): Promise<Result<Replaced, FileProblem>> {
  await how.options.beforeChange?.();
  const descriptor = openSync(path, constants.O_RDWR | (constants.O_NOFOLLOW ?? 0));
  try {
    if (!isSame(toFileStat(fstatSync(descriptor, { bigint: true })), old.stat)) return fail(changed(path));
    try {
      overwrite(descriptor, bytes);
    } catch (error) {
      // The disk filled up in the middle: the old bytes had their space, so they go back.
      overwrite(descriptor, old.bytes);
      throw error;
    }
    if (how.options.mode !== undefined && how.options.mode !== old.stat.mode)
      fchmodSync(descriptor, how.options.mode);
    await syncFile(descriptor);
    return ok({ via: 'in-place', note: how.note });
  } finally {
    closeSync(descriptor);
  }
}

function overwrite(descriptor: number, bytes: Uint8Array): void {
  writeWhole(descriptor, bytes);
  ftruncateSync(descriptor, bytes.byteLength);
}
