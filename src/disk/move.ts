import { closeSync, linkSync, openSync, readdirSync, renameSync, unlinkSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fail, ok, type Result } from '#base/result';
import { foldName } from '#base/text';
import type { FileProblem, FileStat } from '#host';
import type { Sha256 } from '#protocol/ids';
import { isUntouched } from './atomic-write';
import { createFile, linksAreMissing } from './create';
import { syncFolder } from './durable';
import { changed, exists, problemOf } from './problem';
import { readRegularFile } from './read';
import { codeOf, statOf } from './stat';

/**
 * Gives a regular file another name, never over something that is there: link, then unlink. A kill in between leaves
 * both names of one file, nothing lost. A change of case alone works where the disk ignores case.
 */
export async function moveFile(
  from: string,
  to: string,
  expected: Sha256,
): Promise<Result<void, FileProblem>> {
  const now = await readRegularFile(from);
  if (!now.ok) return now;
  if (now.value.more || now.value.sha256 !== expected) return fail(changed(from));
  try {
    const taken = (await isSameName(from, to)) ? 'respelled' : take(from, to);
    if (taken === 'respelled') renameSync(from, to);
    if (taken === 'other-disk')
      return await copyAcross(from, to, { bytes: now.value.bytes, mode: now.value.stat.mode, expected });
    if (taken === 'linked' && !(await leave(from, to, now.value.stat))) return fail(changed(from));
    await syncFolder(dirname(to));
    if (dirname(from) !== dirname(to)) await syncFolder(dirname(from));
    return ok(undefined);
  } catch (error) {
    return fail(codeOf(error) === 'EEXIST' ? exists(to) : problemOf(error, from));
  }
}

/** Gives up the old name; false, with the new name given up again, when the file changed in between. */
async function leave(from: string, to: string, stat: FileStat): Promise<boolean> {
  try {
    // A link changes neither mtime nor size.
    const untouched = await isUntouched(from, stat);
    unlinkSync(untouched ? from : to);
    return untouched;
  } catch (error) {
    unlinkSync(to);
    throw error;
  }
}

/** Takes the new name by an operation that fails where it is taken. */
function take(from: string, to: string): 'linked' | 'moved' | 'other-disk' {
  try {
    linkSync(from, to);
    return 'linked';
  } catch (error) {
    if (codeOf(error) === 'EXDEV') return 'other-disk';
    if (!linksAreMissing(error)) throw error;
  }
  // No links here: an empty file of our own holds the name until the rename replaces it.
  closeSync(openSync(to, 'wx'));
  try {
    renameSync(from, to);
    return 'moved';
  } catch (error) {
    unlinkSync(to);
    throw error;
  }
}

async function copyAcross(
  from: string,
  to: string,
  file: { readonly bytes: Uint8Array; readonly mode: number; readonly expected: Sha256 },
): Promise<Result<void, FileProblem>> {
  const made = await createFile(to, file.bytes, file.mode);
  if (!made.ok) return made;
  const again = await readRegularFile(from);
  if (!again.ok || again.value.sha256 !== file.expected) {
    unlinkSync(to);
    return fail(changed(from));
  }
  unlinkSync(from);
  await syncFolder(dirname(from));
  return ok(undefined);
}

/**
 * Both paths are one entry of one folder: the disk ignores case (or the form of accents) and only that changes. On a
 * disk that tells them apart both names are listed, even when they are hard links of one file.
 */
async function isSameName(from: string, to: string): Promise<boolean> {
  if (from === to || dirname(from) !== dirname(to) || foldName(from) !== foldName(to)) return false;
  const [there, here] = [await statOf(to), await statOf(from)];
  if (there === undefined || there.identity !== here?.identity) return false;
  const names = readdirSync(dirname(from));
  return !(names.includes(basename(from)) && names.includes(basename(to)));
}
