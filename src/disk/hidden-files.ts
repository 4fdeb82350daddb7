import { join, relative, sep } from 'node:path';
import { IGNORE_FILE, IgnoreFiles } from './ignore-files';
import type { IgnoreRules } from './ignore-rules';

/** Which file hides a path, and whether only because that file can't be used. */
export interface HiddenBy {
  /** From the root: ".belayignore", "config/.belayignore". */
  readonly file: string;
  /** Why the file can't be used, as the rest of a sentence; everything in its folder is hidden then. */
  readonly problem?: string;
}

/**
 * What the `.belayignore` files of a folder keep from the agent. Each speaks of the folder it lies in and can only add
 * to what others hide: a command may make such a file anywhere, and must not open anything by it. The root itself is
 * never hidden, nor what lies outside.
 */
export function hiddenFiles(root: string) {
  const files = new IgnoreFiles();
  const all = (folder: string) => files.of(join(root, folder));
  return {
    /** Looks at the disk each time. `path` is absolute, symlinks resolved or not; a pattern for folders counts for `isFolder` only. */
    by: (path: string, isFolder = false): HiddenBy | undefined => find(below(root, path), isFolder, all),
    /** For many files of one moment: each folder is looked at once. */
    once(): (path: string) => boolean {
      const rulesOf = lookedAtOnce(all);
      return (path) => find(below(root, path), false, rulesOf) !== undefined;
    },
    /** `by` for the many paths of one decision. */
    now(): (path: string, isFolder?: boolean) => HiddenBy | undefined {
      const rulesOf = lookedAtOnce(all);
      const found = new Map<string, HiddenBy | undefined>();
      return (path, isFolder = false) => {
        const named = isFolder ? `${path}/` : path;
        if (!found.has(named)) found.set(named, find(below(root, path), isFolder, rulesOf));
        return found.get(named);
      };
    },
    /** Whether the root's own file hides anything, or one farther down that was met. */
    any: (): boolean => all('') !== undefined || files.met,
  };
}

type RulesOf = (folder: string) => IgnoreRules | undefined;

function lookedAtOnce(all: RulesOf): RulesOf {
  const seen = new Map<string, IgnoreRules | undefined>();
  return (folder) => {
    if (!seen.has(folder)) seen.set(folder, all(folder));
    return seen.get(folder);
  };
}

function below(root: string, path: string): string {
  const inside = path.startsWith(`${root}${sep}`) ? path.slice(root.length + 1) : relative(root, path);
  return sep === '/' ? inside : inside.split(sep).join('/');
}

/** From the top down: each file is asked about the part of the path that lies below it. */
function find(path: string, isFolder: boolean, rulesOf: RulesOf): HiddenBy | undefined {
  if (path === '' || path === '..' || path.startsWith('../') || /^[A-Za-z]:/.test(path)) return undefined;
  const named = isFolder ? `${path}/` : path;
  for (let end = 0; end >= 0; ) {
    const folder = path.slice(0, Math.max(end - 1, 0));
    const rules = rulesOf(folder);
    if (rules?.hides(named.slice(end))) {
      const file = folder === '' ? IGNORE_FILE : `${folder}/${IGNORE_FILE}`;
      return { file, ...(rules.problem === undefined ? {} : { problem: rules.problem }) };
    }
    const slash = path.indexOf('/', end);
    end = slash < 0 ? -1 : slash + 1;
  }
  return undefined;
}
