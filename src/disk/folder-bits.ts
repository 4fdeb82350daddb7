import { chmodSync, closeSync, constants, fchmodSync, fstatSync, lstatSync, openSync } from 'node:fs';
import { fail, ok, type Result } from '#base/result';
import type { FileProblem } from '#host';
import { syncFile, syncFolder } from './durable';
import { changed, problemOf } from './problem';
import { codeOf } from './stat';

/** The permission bits in a folder's mode, setgid and sticky among them; undefined where folders have none. */
export function folderBits(mode: number, platform: NodeJS.Platform = process.platform): number | undefined {
  return platform === 'win32' ? undefined : mode & 0o7777;
}

/** Sets the permission bits of a folder, never through a link. With `expected`, only while they are those, or done already. */
export async function setFolderBits(
  path: string,
  { mode, expected }: { readonly mode: number; readonly expected?: number },
): Promise<Result<void, FileProblem>> {
  // There are none: what another system's bits were says nothing here.
  if (folderBits(mode) === undefined) return ok(undefined);
  const isExpected = (now: number) => expected === undefined || folderBits(now) === expected;
  let descriptor: number | undefined;
  try {
    descriptor = openFolder(path);
    const now = descriptor === undefined ? lstatSync(path) : fstatSync(descriptor);
    if (!now.isDirectory()) return fail(changed(path));
    if (folderBits(now.mode) === mode) return ok(undefined);
    if (!isExpected(now.mode)) return fail(changed(path));
    if (descriptor === undefined) {
      chmodSync(path, mode);
      await syncFolder(path);
    } else {
      fchmodSync(descriptor, mode);
      // Some file systems refuse to sync a folder: the bits are set all the same.
      await syncFile(descriptor).catch(() => undefined);
    }
    return ok(undefined);
  } catch (error) {
    return fail(problemOf(error, path));
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Undefined for a folder that its owner may not read: there the name has to do. */
function openFolder(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch (error) {
    if (codeOf(error) === 'EACCES') return undefined;
    throw error;
  }
}
