import { posix, resolve, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { fail, ok, type Result } from '#base/result';
import type { AbsolutePath } from '#protocol/ids';

/** A path matcher in gitignore's language: `//abs`, `~/home`, `/root`, `./root`, or as in a .gitignore at the root. */
export interface PathPattern {
  readonly base: 'root' | 'home' | 'disk' | { readonly folder: AbsolutePath };
  /** Without a slash before its end it matches a name at any depth, so also outside the base. */
  readonly anyDepth: boolean;
  /** Letters' case counts: for rules that allow. */
  readonly exact: Ignore;
  readonly caseless: Ignore;
}

/** Where `/` and `~` of patterns are. */
export interface PatternPlace {
  readonly root: AbsolutePath;
  readonly home: AbsolutePath;
}

/** Where a rule's file says that its paths begin. */
export interface PatternBases {
  /** Where a `/` at the start leads, when that isn't the workspace. */
  readonly folder?: AbsolutePath;
  /** What `../` at the start goes up from; without it there is no going up. */
  readonly start?: AbsolutePath;
}

/** The error says what is wrong with the pattern. */
export function parsePathPattern(text: string, bases: PatternBases = {}): Result<PathPattern, string> {
  // Each line would be a pattern.
  if (/[\r\n]/.test(text)) return fail('a path pattern may not contain a line break');
  if (text.startsWith('!')) return fail('a path pattern may not begin with !');
  const { base, body } = splitBase(text, bases);
  if (body.split('/').includes('..')) return fail('a path pattern may not contain ..');
  if (body.replaceAll('/', '') === '') return fail('the path pattern is empty');
  // A # would begin a comment and match nothing.
  const pattern = body.replace(/^#/, '\\#');
  const anyDepth =
    base === 'root' &&
    !pattern
      .replace(/\/$/, '')
      .replace(/^\*\*\//, '')
      .includes('/');
  return ok({
    base,
    anyDepth,
    exact: ignore({ ignorecase: false }).add(pattern),
    caseless: ignore({ ignorecase: true }).add(pattern),
  });
}

/**
 * Does the pattern take in that absolute path? A folder is taken in when what lies inside it would be.
 * A guard also sees through spellings that some file systems fold: letters' case, trailing dots, invisible characters.
 */
export function matchesPath(
  pattern: PathPattern,
  path: AbsolutePath,
  options: { readonly place: PatternPlace; readonly strictness: 'allow' | 'guard'; readonly folder: boolean },
): boolean {
  const { place, strictness, folder } = options;
  const full = slashed(path);
  const base = baseOf(pattern.base, place);
  const guard = strictness === 'guard';
  const inside = relativeTo(base, full) ?? (guard && pattern.anyDepth ? relativeTo('/', full) : undefined);
  if (inside === undefined) return false;
  const matcher = guard ? pattern.caseless : pattern.exact;
  const spellings = guard ? [inside, foldedPath(inside)] : [inside];
  return spellings.some((spelling) => takesIn(matcher, spelling, folder));
}

function baseOf(base: PathPattern['base'], place: PatternPlace): string {
  if (typeof base === 'object') return slashed(base.folder);
  return base === 'disk' ? '/' : slashed(place[base]);
}

/** What many file systems see in a path: composed letters, no invisible characters, no dots or spaces at a name's end. */
export function foldedPath(path: string): string {
  if (PLAIN.test(path)) return path;
  return path
    .normalize('NFC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .split('/')
    .map((part) => part.replace(/(?<=[^. ])[. ]+$/, ''))
    .join('/');
}

/** Printable ASCII without spaces in which no name ends in a dot: nothing to fold, and nearly every path. */
const PLAIN = /^(?!.*\.(?:\/|$))[!-~]*$/;

/** `/`-separated, without a leading slash; undefined when it isn't below the base. The base itself is ''. */
export function relativeTo(base: string, path: string): string | undefined {
  if (path === base) return '';
  const folder = base.endsWith('/') ? base : `${base}/`;
  return path.startsWith(folder) ? path.slice(folder.length) : undefined;
}

/** `/`-separated and normalised; a drive letter gets a slash before it. */
export function slashed(path: string): string {
  const forward = sep === '\\' ? path.replaceAll('\\', '/') : path;
  if (/^[A-Za-z]:\//.test(forward)) return `/${forward}`;
  return UNTIDY.test(forward) ? posix.normalize(forward) : forward;
}

/** An empty part, or one that begins with a dot and may be `.` or `..`. */
const UNTIDY = /^$|^\.|\/[./]/;

function takesIn(matcher: Ignore, relative: string, folder: boolean): boolean {
  if (relative !== '' && (matcher.ignores(relative) || (folder && matcher.ignores(`${relative}/`))))
    return true;
  return folder && matcher.ignores(relative === '' ? ANY_CHILD : `${relative}/${ANY_CHILD}`);
}

/** Stands for whatever is in a folder. */
const ANY_CHILD = 'belay-any-child';

function splitBase(
  text: string,
  { folder, start }: PatternBases,
): { readonly base: PathPattern['base']; readonly body: string } {
  if (text.startsWith('//')) return { base: 'disk', body: text.slice(1) };
  if (text === '~') return { base: 'home', body: '/**' };
  if (text.startsWith('~/')) return { base: 'home', body: text.slice(1) };
  const up = start && /^(?:\.\/)?(?:\.\.\/)+/.exec(text)?.[0];
  if (up) return { base: { folder: resolve(start, up) as AbsolutePath }, body: `/${text.slice(up.length)}` };
  if (text.startsWith('./')) return { base: 'root', body: text.slice(1) };
  if (folder && text.startsWith('/')) return { base: { folder }, body: text };
  return { base: 'root', body: text };
}
