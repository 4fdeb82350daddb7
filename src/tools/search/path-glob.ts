import { posix } from 'node:path';
import picomatch from 'picomatch';
import { fail, messageOf, ok, type Result } from '#base/result';

/** A glob over workspace-relative paths. */
export interface PathGlob {
  matches(path: string): boolean;
  /** The folder before the first wildcard; `.` when there is none. */
  readonly folder: string;
  /** The same for names of files alone, for ripgrep to sort out most before the whole glob is tried; may be missing. */
  readonly name?: string;
}

/** Compiles a glob of the model's. `base` is the folder it is relative to. The error is the rest of a sentence. */
export function pathGlob(pattern: string, base: string): Result<PathGlob, string> {
  const clean = tidied(pattern);
  if (clean === '') return fail('is empty; "**/*" finds every file');
  if (clean.startsWith('/') || /^[a-z]:[\\/]/i.test(clean))
    return fail('is absolute; make it relative to the workspace folder');
  if (clean.split('/').includes('..')) return fail('contains ".."; nothing outside the workspace is listed');
  if (clean.includes('\0')) return fail('contains a NUL character');
  if (isSlow(clean))
    return fail(`has more than ${MOST_STARS} * in one name, or more than ${MOST_GLOBSTARS} **; use fewer`);
  const prefix = base === '.' ? '' : `${base}/`;
  let matcher: (path: string) => boolean;
  try {
    matcher = picomatch(spellings(clean), OPTIONS);
  } catch (error) {
    return fail(`is not a glob (${messageOf(error)})`);
  }
  const name = nameGlob(clean);
  return ok({
    matches: (path) => path.startsWith(prefix) && matcher(path.slice(prefix.length).normalize('NFC')),
    folder: posix.join(base, literalFolder(clean)),
    ...(name === undefined ? {} : { name }),
  });
}

/** Without what says nothing. A slash at the end means what is in the folder. */
function tidied(pattern: string): string {
  const clean = pattern
    .replace(/^(?:\.\/+)+/, '')
    .replace(/(?<!^)\/{2,}/g, '/')
    .normalize('NFC');
  return clean !== '/' && clean.endsWith('/') ? `${clean}**` : clean;
}

/** `posix`: `[!a]` and `[[:digit:]]`. `s`: names may hold line feeds, and a star takes them as well. */
const OPTIONS = { dot: true, nonegate: true, noextglob: true, posix: true, flags: 's' };

/** With each one more the time that a name made for it takes grows by its length: with six a single one took minutes. */
const MOST_STARS = 3;
const MOST_GLOBSTARS = 4;

/** Of alternatives in braces only one is tried together with what stands around them: the one with the most stars counts. */
function isSlow(pattern: string): boolean {
  let plain = pattern;
  for (let inner = BRACES.exec(plain); inner !== null; inner = BRACES.exec(plain)) {
    const worst = (inner[1] ?? '').split(',').reduce((one, two) => (starsIn(two) > starsIn(one) ? two : one));
    plain = plain.replace(inner[0], () => worst);
  }
  const parts = plain.split('/');
  const globstars = parts.filter((part) => part === '**').length;
  return globstars > MOST_GLOBSTARS || parts.some((part) => part !== '**' && starsIn(part) > MOST_STARS);
}

const BRACES = /\{([^{}]*)\}/;

function starsIn(text: string): number {
  return text.match(/\*+/g)?.length ?? 0;
}

/** The same for a filter: without a slash it means names at any depth; a `!` before it leaves out what fits, and what is in it. */
export function filterGlob(pattern: string, base: string): Result<PathGlob, string> {
  if (pattern.startsWith('!')) return complement(pattern.slice(1).replace(/\/+$/, ''), base);
  const isName = pattern !== '' && !pattern.replace(/\/+$/, '').includes('/');
  return pathGlob(isName ? `**/${pattern}` : pattern, base);
}

function complement(pattern: string, base: string): Result<PathGlob, string> {
  const left = filterGlob(pattern, base);
  if (!left.ok) return left;
  const inside = filterGlob(`${pattern}/`, base);
  if (!inside.ok) return inside;
  return ok({ folder: base, matches: (path) => !left.value.matches(path) && !inside.value.matches(path) });
}

/**
 * How the pattern may be meant: parentheses are always plain, and brackets are a class or, as folders of routes are named
 * ("app/[id]"), plain as well.
 */
function spellings(pattern: string): string[] {
  const plain = pattern.replace(/(?<!\\)[()|]/g, '\\$&');
  return plain.includes('[') ? [plain, plain.replace(/(?<!\\)[[\]]/g, '\\$&')] : [plain];
}

function literalFolder(pattern: string): string {
  const parts = pattern.split('/');
  const wild = parts.findIndex((part) => /[*?[\]{}\\]/.test(part));
  return parts.slice(0, wild < 0 ? parts.length - 1 : wild).join('/') || '.';
}

/** What the last part says of names; undefined when it says nothing, or ripgrep and picomatch might read it differently. */
function nameGlob(pattern: string): string | undefined {
  const cut = pattern.lastIndexOf('/') + 1;
  const last = pattern.slice(cut);
  const plain = /^[\w.*?{},\- ]+$/.test(last) && !last.includes('**') && last !== '*';
  const isList = !/\{[^,{}]*\}/.test(last);
  return plain && isList && isBalanced(last) && isBalanced(pattern.slice(0, cut)) ? last : undefined;
}

function isBalanced(text: string): boolean {
  return text.split('{').length === text.split('}').length;
}
