import ignore, { type Ignore } from 'ignore';
import type { AbsolutePath } from '#protocol/ids';
import { atAnyDepth } from '#protocol/settings';
import { foldedPath, relativeTo, slashed } from './path-pattern';

/** The two lists of paths that ask in every mode but full access, as the settings have them. */
export interface BuiltInLists {
  /** The pattern under which a write to that path could make something run or change permissions. */
  protecting(path: AbsolutePath, folder?: boolean): string | undefined;
  /** The pattern under which that path likely holds a secret. */
  secret(path: AbsolutePath, folder?: boolean): string | undefined;
}

/** As the settings have them now; paths are told from `root`. */
export function builtInLists(
  settings: { readonly protectedFiles: readonly string[]; readonly secretFiles: readonly string[] },
  root: AbsolutePath,
): BuiltInLists {
  const guarded = matcherOf(settings.protectedFiles);
  const secrets = matcherOf(settings.secretFiles);
  const base = slashed(root);
  return {
    protecting: (path, folder = false) => foundBefore(guarded, path, { base, folder }),
    secret: (path, folder = false) => {
      const hit = foundBefore(secrets, path, { base, folder });
      return hit !== undefined && isHarmless(path, hit) ? undefined : hit;
    },
  };
}

/** `.env.example` shows which secrets there are to be, and `id_rsa.pub` is public, unless the list names it in so many letters. */
function isHarmless(path: string, pattern: string): boolean {
  return /[*?[]/.test(pattern) && HARMLESS.test(path);
}

const HARMLESS = /(^|[\\/])(\.env(rc)?[._-]([\w.-]*[._-])?(example|sample|template|dist)|id_[\w-]+\.pub)$/;

/** A list's patterns, and what was found by them: the words of a session's commands are few and come again. */
interface Matcher {
  readonly list: Ignore;
  readonly found: Map<string, string | undefined>;
}

const MOST_REMEMBERED = 2000;

/** Compiled once per list: the settings hand out the same ones until they change. */
const compiled = new WeakMap<readonly string[], Matcher>();

function matcherOf(patterns: readonly string[]): Matcher {
  const known = compiled.get(patterns);
  if (known) return known;
  const made = { list: ignore({ ignorecase: true }).add(patterns.map(atAnyDepth)), found: new Map() };
  compiled.set(patterns, made);
  return made;
}

/** It hangs on the letters alone, so it stays as it was. */
function foundBefore({ list, found }: Matcher, path: string, place: Place): string | undefined {
  const key = `${place.base}\0${place.folder ? '/' : ''}\0${path}`;
  if (found.has(key)) return found.get(key);
  if (found.size >= MOST_REMEMBERED) found.clear();
  const hit = find(list, slashed(path), place);
  found.set(key, hit);
  return hit;
}

interface Place {
  readonly base: string;
  readonly folder: boolean;
}

/** Inside the workspace only the part below its root counts: the workspace itself may lie in a folder like `.claude`. */
function find(list: Ignore, path: string, { base, folder }: Place): string | undefined {
  const relative = relativeTo(base, path) ?? path.replace(/^\/+/, '');
  if (relative === '') return undefined;
  const folded = foldedPath(relative);
  // Of a name that is nothing but invisible characters nothing is left.
  for (const spelling of folded === relative || folded === '' ? [relative] : [relative, folded]) {
    const hit = list.test(spelling).rule ?? (folder ? list.test(`${spelling}/`).rule : undefined);
    if (hit) return hit.pattern.replace(/^\*\*\//, '');
  }
  return undefined;
}
