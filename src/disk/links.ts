import { lstatSync, readlinkSync, renameSync, symlinkSync, unlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { fail, ok, type Result } from '#base/result';
import type { FileProblem, LinkedOrFile } from '#host';
import { isUntouched } from './atomic-write';
import { writeNew } from './create';
import { syncFolder } from './durable';
import { changed, problemOf } from './problem';
import { readRegularFile } from './read';
import { discard, temporaryBeside } from './temporary';

/**
 * What is written in a symbolic link. Undefined when it is none, and of one that can't be made again from a text: bytes that are no
 * UTF-8, and Windows, where links are of several kinds and most people may make none.
 */
export function targetOf(path: string, platform: NodeJS.Platform = process.platform): string | undefined {
  if (platform === 'win32') return undefined;
  try {
    const bytes = readlinkSync(path, { encoding: 'buffer' });
    const target = bytes.toString('utf8');
    return bytes.equals(Buffer.from(target)) ? target : undefined;
  } catch {
    return undefined;
  }
}

/** Removes a link, never what it leads to, as long as it still has that target. */
export async function removeLink(path: string, target: string): Promise<Result<void, FileProblem>> {
  return landed(path, () => {
    if (!isLinkTo(path, target)) return false;
    unlinkSync(path);
    return true;
  });
}

/**
 * Makes a link: where nothing stands, or by a rename in the place of what is expected there. So a kill leaves the old or the new, and
 * nothing is ever written through a link.
 */
export async function makeLink(
  path: string,
  target: string,
  insteadOf?: LinkedOrFile,
): Promise<Result<void, FileProblem>> {
  return landed(path, () => {
    if (insteadOf) return takePlace(path, insteadOf, (temporary) => symlinkSync(target, temporary));
    symlinkSync(target, path);
    return true;
  });
}

/** Puts a new file in the place of a link, as long as it still has that target; what it leads to stays as it is. */
export async function replaceLink(
  path: string,
  target: string,
  { bytes, mode }: { readonly bytes: Uint8Array; readonly mode: number | undefined },
): Promise<Result<void, FileProblem>> {
  return landed(path, () => takePlace(path, { target }, (temporary) => writeNew(temporary, bytes, mode)));
}

/** A change that outlasts a power cut. `change` answers false, and does nothing, where something else stands there by now. */
async function landed(
  path: string,
  change: () => boolean | Promise<boolean>,
): Promise<Result<void, FileProblem>> {
  try {
    if (!(await change())) return fail(changed(path));
    await syncFolder(dirname(path));
    return ok(undefined);
  } catch (error) {
    return fail(problemOf(error, path));
  }
}

/** False, and nothing is changed, when something else stands there by now. */
async function takePlace(
  path: string,
  expected: LinkedOrFile,
  make: (temporary: string) => void | Promise<void>,
): Promise<boolean> {
  const temporary = temporaryBeside(path);
  let isThere = false;
  try {
    await make(temporary);
    if (!(await isStill(path, expected))) return false;
    renameSync(temporary, path);
    isThere = true;
    return true;
  } finally {
    if (!isThere) discard(temporary);
  }
}

async function isStill(path: string, expected: LinkedOrFile): Promise<boolean> {
  if ('target' in expected) return isLinkTo(path, expected.target);
  const now = await readRegularFile(path);
  const isSame = now.ok && !now.value.more && now.value.sha256 === expected.sha256;
  return isSame && (await isUntouched(path, now.value.stat));
}

/** Asked right before: it narrows the race, and nothing on a plain disk closes it. */
function isLinkTo(path: string, target: string): boolean {
  return lstatSync(path).isSymbolicLink() && targetOf(path) === target;
}
