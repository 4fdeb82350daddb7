import { posix } from 'node:path';
import picomatch from 'picomatch';
import type { Files } from '#host';
import type { AbsolutePath } from '#protocol/ids';

/** More matches than this aren't looked at: whoever names so many means no single one. */
const MOST_MATCHES = 500;
const WILD = /[*?[{]/;

/** A word that the shell would expand to names of files. */
export function isGlob(text: string): boolean {
  return WILD.test(text);
}

/** What is on disk for a glob of the shell's, folder by folder; a name that begins with a dot needs one in the pattern. */
export async function expandGlob(
  path: AbsolutePath,
  files: Pick<Files, 'list'>,
): Promise<readonly AbsolutePath[]> {
  return (await expand(path, files)).found;
}

/** The same; undefined where it is too much to look at all of it. */
export async function expandWhole(
  path: AbsolutePath,
  files: Pick<Files, 'list'>,
): Promise<readonly AbsolutePath[] | undefined> {
  const { found, isCut } = await expand(path, files);
  return isCut ? undefined : found;
}

async function expand(
  path: AbsolutePath,
  files: Pick<Files, 'list'>,
): Promise<{ readonly found: readonly AbsolutePath[]; readonly isCut: boolean }> {
  let found: readonly string[] = ['/'];
  let isCut = false;
  for (const part of path.split('/').filter((each) => each !== '')) {
    if (!isGlob(part)) found = found.map((folder) => posix.join(folder, part));
    else {
      const all = (await Promise.all(found.map((folder) => matching(folder, part, files)))).flat();
      isCut ||= all.length > MOST_MATCHES;
      found = all.slice(0, MOST_MATCHES);
    }
  }
  return { found: found as readonly AbsolutePath[], isCut };
}

async function matching(
  folder: string,
  part: string,
  files: Pick<Files, 'list'>,
): Promise<readonly string[]> {
  const names = await files.list(folder as AbsolutePath).catch(() => []);
  const fits = matcher(part);
  return names.filter(({ name }) => fits(name)).map(({ name }) => posix.join(folder, name));
}

/** A pattern that can't be compiled may mean any name. */
function matcher(part: string): (name: string) => boolean {
  try {
    return picomatch(part, { nonegate: true, flags: 's' });
  } catch {
    return () => true;
  }
}
