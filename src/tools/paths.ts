import { basename, dirname, join, posix, resolve, sep, win32 } from 'node:path';
import { fail, messageOf, ok, type Result } from '#base/result';
import { hasInvisible, truncate } from '#base/text';
import type { Files } from '#host';
import type { AbsolutePath, RelativePath } from '#protocol/ids';
import { windowsOddity } from './windows-names';

/** The one folder a session is bound to. `root` is its real path, fixed when the session is built. */
export interface Workspace {
  readonly root: AbsolutePath;
  /** The folder's name, for people. */
  readonly name: string;
  /** What the person keeps from the agent there. */
  readonly hidden: HiddenFiles;
}

/**
 * The one answer to whether a path is kept from the agent, as the `.belayignore` files are now. Nothing lifts it. Paths are
 * absolute; what lies outside the workspace is never hidden by it.
 */
export interface HiddenFiles {
  /** `isFolder`: a pattern that means folders alone counts too. */
  by(path: AbsolutePath, isFolder?: boolean): HiddenBy | undefined;
  /** The same for many files of one moment: each `.belayignore` is looked at once. */
  once(): (path: AbsolutePath) => boolean;
  /** `by` for the many paths of one decision, in the same way. */
  now(): HiddenFiles['by'];
  /** Whether the one at the workspace's top hides anything. */
  any(): boolean;
}

/** Which file hides a path; `problem`: why that file can't be used, as the rest of a sentence, so that all of its folder is hidden. */
export interface HiddenBy {
  readonly file: string;
  readonly problem?: string;
}

/** A path of the model's, found to lie inside the workspace. */
export interface ResolvedPath {
  /** Where it really is, symlinks resolved: this is what is read and written. */
  readonly relative: RelativePath;
  readonly absolute: AbsolutePath;
  readonly exists: boolean;
  /** As it was named, when a symlink or another Unicode form stands between the two. Rules judge both. */
  readonly link?: RelativePath;
}

/** How a platform spells paths. Tests hand in the other one. */
export type PathStyle = 'posix' | 'win32';

type Look = Pick<Files, 'stat' | 'realPath' | 'list'>;

const HERE: PathStyle = sep === '\\' ? 'win32' : 'posix';
const LONGEST = 4096;
/** What stands in a listed name for bytes that are no UTF-8: no path leads to such a file. */
const UNREADABLE = '\u{FFFD}';

/**
 * Decides whether a path stays inside the workspace: first by its letters alone, before any file is touched, then by
 * the real path of the target or, for what doesn't exist yet, of its nearest existing ancestor. The error is a sentence
 * for the model. The race between this look and the later open is narrowed by the disk room and closed by the sandbox only.
 */
export async function resolveWorkspacePath(
  input: string,
  workspace: Omit<Workspace, 'hidden'>,
  files: Look,
): Promise<Result<ResolvedPath, string>> {
  const given = lexicalPath(input, workspace.root);
  if (!given.ok) return given;
  try {
    const found = await followPath(given.value, workspace, files);
    if (!found.ok || found.value.exists) return found;
    const oddity = windowsOddity(input);
    return oddity === undefined ? found : fail(`${quotePath(input)} ${oddity}; choose another name`);
  } catch (error) {
    return fail(`${quotePath(input)} can't be looked at: ${withoutPath(messageOf(error))}`);
  }
}

/** Node's words end in the call and a path of this machine, which says nothing to a model. */
function withoutPath(words: string): string {
  return words.replace(/, \w+ '.*'$/s, '');
}

/** The first check: letters only. Absolute paths are accepted when they lie inside `root`. */
export function lexicalPath(
  input: string,
  root: string,
  style: PathStyle = HERE,
): Result<RelativePath, string> {
  const path = style === 'win32' ? win32 : posix;
  if (input.includes('\0')) return fail(`${quotePath(input)} contains a NUL character; leave it out`);
  if (input.length > LONGEST) return fail(`the path is longer than ${LONGEST} characters; shorten it`);
  const oddity = style === 'win32' ? windowsOddity(input, true) : undefined;
  if (oddity !== undefined) return fail(`${quotePath(input)} ${oddity}; choose another name`);
  const absolute = path.resolve(root, input);
  // The usual case without the work of `relative`: each call asks a dozen times.
  const below = absolute.startsWith(`${root}${path.sep}`) ? absolute.slice(root.length + 1) : undefined;
  const relative = below ?? path.relative(root, absolute);
  if (relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative))
    return fail(`${quotePath(input)} is outside the workspace; give a path relative to the workspace folder`);
  return ok((relative.split(path.sep).join('/') || '.') as RelativePath);
}

/** The absolute path of a relative one, by its letters. */
export function absolutePath(workspace: Omit<Workspace, 'hidden'>, relative: string): AbsolutePath {
  return resolve(workspace.root, relative) as AbsolutePath;
}

/** A path as the model should repeat it: in JSON quotes when it holds something invisible, a line feed or quotes. */
export function showPath(path: string): string {
  return hasInvisible(path) || /[\n\t"]/.test(path) ? JSON.stringify(path) : path;
}

/** A path inside a sentence, always in quotes. */
export function quotePath(path: string): string {
  return JSON.stringify(truncate(path, 200));
}

/** That a path is hidden, by which file and what to do, as the rest of a sentence for the model. */
export function hiddenWords({ file, problem }: HiddenBy): string {
  return problem === undefined
    ? `is hidden by ${quotePath(file)}: the user keeps it from you; go on without it, or tell the user what you would need it for`
    : `is hidden, because ${quotePath(file)} ${problem} and hides its whole folder until it is a text file of patterns; ask the user to mend it`;
}

async function followPath(
  given: RelativePath,
  workspace: Omit<Workspace, 'hidden'>,
  files: Look,
): Promise<Result<ResolvedPath, string>> {
  const { root } = workspace;
  const missing: string[] = [];
  let at = absolutePath(workspace, given);
  let real = await files.realPath(at);
  while (real === undefined) {
    if ((await files.stat(at)) !== undefined)
      return fail(`${quotePath(given)} leads through a broken symbolic link; name its target instead`);
    if (at === root) return fail('the workspace folder is gone; ask the user to open it again');
    missing.unshift(basename(at));
    at = dirname(at) as AbsolutePath;
    real = await files.realPath(at);
  }
  const inside = lexicalPath(real, root);
  if (!inside.ok) return fail(`${quotePath(given)} leads out of the workspace through a symbolic link`);
  const [next, ...rest] = missing;
  if (next === undefined) return ok(resolved(inside.value, real, true, given));
  if ((await files.stat(real))?.kind !== 'folder')
    return fail(`${quotePath(inside.value)} is not a folder, so nothing can be inside it`);
  const twin = await sameNameInAnotherForm(next, real, files);
  if (twin === next && twin.includes(UNREADABLE))
    return fail(`${quotePath(given)} leads through a name that is no valid UTF-8; ask the user to rename it`);
  // The very same name: somebody has just made it.
  if (twin !== undefined && twin !== next) {
    const found = await followPath(posix.join(inside.value, twin, ...rest) as RelativePath, workspace, files);
    return found.ok ? ok({ ...found.value, link: given }) : found;
  }
  const absolute = join(real, ...missing) as AbsolutePath;
  return ok(resolved(posix.join(inside.value, ...missing) as RelativePath, absolute, false, given));
}

/** The only name in that folder that is the same text in another Unicode form: an é typed as one letter, stored as two. */
async function sameNameInAnotherForm(
  name: string,
  folder: AbsolutePath,
  files: Look,
): Promise<string | undefined> {
  if (/^[\x20-\x7e]*$/.test(name)) return undefined;
  const wanted = name.normalize('NFC');
  const names = (await files.list(folder)).map((entry) => entry.name);
  const same = names.filter((other) => other.normalize('NFC') === wanted);
  return same.length === 1 ? same[0] : undefined;
}

function resolved(
  relative: RelativePath,
  absolute: AbsolutePath,
  exists: boolean,
  given: RelativePath,
): ResolvedPath {
  return { relative, absolute, exists, ...(relative === given ? {} : { link: given }) };
}
