import { closeSync, fchmodSync, linkSync, openSync, unlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { fail, ok, type Result } from '#base/result';
import type { FileProblem } from '#host';
import { syncFile, syncFolder, writeWhole } from './durable';
import { problemOf } from './problem';
import { codeOf } from './stat';
import { discard, temporaryBeside } from './temporary';

/**
 * Makes a new file, whole or not at all, and never over something that is there (a dangling link included): the bytes
 * go to a temporary file that is then linked to the name, and a link fails where the name is taken. `mode` are its
 * permission bits; as the system gives them to new files when absent. The folder must exist.
 */
export async function createFile(
  path: string,
  bytes: Uint8Array,
  mode?: number,
): Promise<Result<void, FileProblem>> {
  const temporary = temporaryBeside(path);
  try {
    await writeNew(temporary, bytes, mode);
    try {
      linkSync(temporary, path);
    } catch (error) {
      if (!linksAreMissing(error)) throw error;
      await writeNew(path, bytes, mode);
    }
  } catch (error) {
    return fail(problemOf(error, path));
  } finally {
    discard(temporary);
  }
  await syncFolder(dirname(path));
  return ok(undefined);
}

/** Takes the name with O_EXCL; what can't be written whole is removed again. `mode`: permission bits, as the system gives them when absent. */
export async function writeNew(path: string, bytes: Uint8Array, mode: number | undefined): Promise<void> {
  const descriptor = openSync(path, 'wx', 0o666);
  let whole = false;
  try {
    writeWhole(descriptor, bytes);
    if (mode !== undefined) fchmodSync(descriptor, mode);
    await syncFile(descriptor);
    whole = true;
  } finally {
    closeSync(descriptor);
    if (!whole) unlinkSync(path);
  }
}

/** This disk, or a rule of the system, has no hard links for us. */
export function linksAreMissing(error: unknown): boolean {
  return ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL', 'EXDEV'].includes(codeOf(error));
}
