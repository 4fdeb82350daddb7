import ignore, { type Ignore } from 'ignore';
import type { AbsolutePath } from '#protocol/ids';
import type { Settings } from '#protocol/settings';
import { foldedPath, relativeTo, slashed } from './path-pattern';

/** The two lists of paths that ask in every mode but full access, as the settings have them. */
export interface BuiltInLists {
  /** The pattern under which a write to that path could make something run or change permissions. */
  protecting(path: AbsolutePath, folder?: boolean): string | undefined;
  /** The pattern under which that path likely holds a secret. */
  secret(path: AbsolutePath, folder?: boolean): string | undefined;
}

export function builtInLists(settings: Settings, root: AbsolutePath): BuiltInLists {
  const guarded = anyDepth(settings.protectedFiles);
  const secrets = anyDepth(settings.secretFiles);
  return {
    protecting: (path, folder = false) => find(guarded, path, root, folder),
    secret: (path, folder = false) => find(secrets, path, root, folder),
  };
}

/** Compiled once per list: the settings hand out the same ones until they change. */
const compiled = new WeakMap<readonly string[], Ignore>();

/** In a .gitignore a pattern with a slash inside holds at the root only; these hold in nested repositories too. */
function anyDepth(patterns: readonly string[]): Ignore {
  const known = compiled.get(patterns);
  if (known) return known;
  const made = ignore({ ignorecase: true }).add(
    patterns.map((pattern) => {
      const body = pattern.trim().replace(/^#/, '\\#');
      return /^[^/].*\/./.test(body) && !body.startsWith('**/') && !body.startsWith('!')
        ? `**/${body}`
        : body;
    }),
  );
  compiled.set(patterns, made);
  return made;
}

/** Inside the workspace only the part below its root counts: the workspace itself may lie in a folder like `.claude`. */
function find(list: Ignore, path: AbsolutePath, root: string, folder: boolean): string | undefined {
  const full = slashed(path);
  const relative = relativeTo(slashed(root), full) ?? full.replace(/^\/+/, '');
  if (relative === '') return undefined;
  for (const spelling of new Set([relative, foldedPath(relative)])) {
    const hit = list.test(spelling).rule ?? (folder ? list.test(`${spelling}/`).rule : undefined);
    if (hit) return hit.pattern.replace(/^\*\*\//, '');
  }
  return undefined;
}
