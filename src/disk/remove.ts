import { mkdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { fail, ok, type Result } from '#base/result';
import type { FileProblem } from '#host';
import type { Sha256 } from '#protocol/ids';
import { isUntouched } from './atomic-write';
import { syncFolder } from './durable';
import { setFolderBits } from './folder-bits';
import { changed, exists, problemOf } from './problem';
import { readRegularFile } from './read';
import { codeOf, statOf } from './stat';

/** Removes a regular file whose content is still the expected one. */
export async function removeFile(path: string, expected: Sha256): Promise<Result<void, FileProblem>> {
  const now = await readRegularFile(path);
  if (!now.ok) return now;
  if (now.value.more || now.value.sha256 !== expected) return fail(changed(path));
  try {
    if (!(await isUntouched(path, now.value.stat))) return fail(changed(path));
    unlinkSync(path);
    await syncFolder(dirname(path));
    return ok(undefined);
  } catch (error) {
    return fail(problemOf(error, path));
  }
}

/**
 * Makes one folder; its parent must exist. A folder that is there already is fine, anything else isn't. `mode`: its permission bits
 * afterwards, and never more open than that on the way.
 */
export async function makeFolder(path: string, mode?: number): Promise<Result<void, FileProblem>> {
  try {
    if (mode === undefined) mkdirSync(path);
    else mkdirSync(path, { mode });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') return fail(problemOf(error, path));
    const there = await statOf(path);
    if (there?.kind !== 'folder') return fail(exists(path));
  }
  const done = mode === undefined ? ok(undefined) : await setFolderBits(path, { mode });
  await syncFolder(dirname(path));
  return done;
}

/** Removes a folder that is empty; one that isn't stays, with everything in it. */
export async function removeEmptyFolder(path: string): Promise<Result<void, FileProblem>> {
  try {
    rmdirSync(path);
    await syncFolder(dirname(path));
    return ok(undefined);
  } catch (error) {
    return fail(problemOf(error, path));
  }
}
