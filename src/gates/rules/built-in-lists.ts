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
    protecting: (path, folder = false) => find(guarded, slashed(path), { base, folder }),
    secret: (path, folder = false) => {
      const hit = find(secrets, slashed(path), { base, folder });
      return hit !== undefined && isSample(path, hit) ? undefined : hit;
    },
  };
}

/** `.env.example` shows which secrets there are to be, unless the list names it in so many letters. */
function isSample(path: string, pattern: string): boolean {
  return /[*?[]/.test(pattern) && /(^|[\\/])\.env(\.[\w-]+)*\.(example|sample|template|dist)$/.test(path);
}

/** Compiled once per list: the settings hand out the same ones until they change. */
const compiled = new WeakMap<readonly string[], Ignore>();

function matcherOf(patterns: readonly string[]): Ignore {
  const known = compiled.get(patterns);
  if (known) return known;
  const made = ignore({ ignorecase: true }).add(patterns.map(atAnyDepth));
  compiled.set(patterns, made);
  return made;
}

/** Inside the workspace only the part below its root counts: the workspace itself may lie in a folder like `.claude`. */
function find(
  list: Ignore,
  path: string,
  { base, folder }: { readonly base: string; readonly folder: boolean },
): string | undefined {
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
