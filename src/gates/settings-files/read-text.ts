import { posix } from 'node:path';
import { t } from '#base/l10n';
import { fail, messageOf, ok, type Result } from '#base/result';
import type { Files } from '#host';
import type { AbsolutePath } from '#protocol/ids';

/** Longest settings file that is read, in bytes. */
const LONGEST_FILE = 1024 * 1024;

type Disk = Pick<Files, 'read' | 'realPath' | 'stat'>;

/** The text of a settings file; undefined where there is none. Links are followed: it's the content that is accepted. */
export async function readText(path: AbsolutePath, files: Disk): Promise<Result<string | undefined, string>> {
  try {
    // A link that leads nowhere is no file, but nothing is hidden by it either.
    const real = await files.realPath(path);
    if (real === undefined) return ok(undefined);
    const read = await files.read(real, { maxBytes: LONGEST_FILE });
    if (!read.ok) return read.error.kind === 'missing' ? ok(undefined) : fail(read.error.message);
    if (read.value.more) return fail(t('it is longer than {0} bytes', LONGEST_FILE));
    return ok(new TextDecoder('utf-8', { fatal: true }).decode(read.value.bytes));
  } catch (error) {
    return fail(error instanceof TypeError ? t('it is not UTF-8 text') : messageOf(error));
  }
}

/**
 * Why a policy may be someone else's than the administrator's; undefined when it can't be. The file, its folder and every folder
 * above must belong to root and be written by root alone: who can write a folder can put another file there.
 */
export async function strangerThanRoot(
  path: AbsolutePath,
  files: Disk,
  platform: NodeJS.Platform,
): Promise<string | undefined> {
  // Who may write is a matter of access lists there, and Node can't read them.
  if (platform === 'win32') return t('who may write it can’t be checked on Windows');
  const real = await files.realPath(path);
  for (const start of new Set([path, real ?? path])) {
    for (let place: string = start; ; place = posix.dirname(place)) {
      const words = await strange(place as AbsolutePath, {
        files,
        isAbove: place !== start && place !== posix.dirname(start),
      });
      if (words !== undefined) return words;
      if (place === posix.dirname(place)) break;
    }
  }
  return undefined;
}

const WRITABLE_BY_OTHERS = 0o022;
const STICKY = 0o1000;

async function strange(
  place: AbsolutePath,
  { files, isAbove }: { readonly files: Disk; readonly isAbove: boolean },
): Promise<string | undefined> {
  const stat = await files.stat(place);
  if (!stat) return t('{0} is gone', place);
  if (stat.owner !== 0) return t('{0} does not belong to root', place);
  // A link has no mode of its own.
  if (stat.kind === 'symlink' || (stat.mode & WRITABLE_BY_OTHERS) === 0) return undefined;
  // In a sticky folder farther up nobody can move what is root's.
  if (isAbove && (stat.mode & STICKY) !== 0) return undefined;
  return t('others than root may write {0}', place);
}
