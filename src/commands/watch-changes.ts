import { scanTree } from '#disk/scan';
import { changesSince, type ScanChange } from '#disk/scan-changes';
import type { FileKind } from '#host';
import type { AbsolutePath } from '#protocol/ids';

/** What changed on disk in a folder while something ran. */
export interface SeenChanges {
  readonly changes: readonly ScanChange[];
  /** What wasn't looked at, in words; empty when the whole folder was seen. */
  readonly notes: readonly string[];
}

/** Folders that tools fill by the thousand and nobody edits by hand. */
const SKIPPED = new Set([
  '.git',
  '.hg',
  '.svn',
  'node_modules',
  'bower_components',
  '.venv',
  'venv',
  '__pycache__',
  '.mypy_cache',
  '.pytest_cache',
  '.tox',
  '.gradle',
  '.next',
  '.nuxt',
  '.turbo',
  '.cache',
  'target',
  'dist',
  'build',
  'out',
  'coverage',
]);
/** What Belay itself is just writing. */
const TEMPORARY = /^\.belay-\d+-[0-9a-f]+\.tmp$/;

/**
 * Looks at a folder now; the returned function looks again and says what changed in between. By lstat alone: what
 * keeps size, times and identity isn't seen. `also` names files to look at wherever they lie. Rejects when the signal aborts while it looks the first time.
 */
export async function watchChanges(
  root: AbsolutePath,
  { signal, also }: { readonly signal: AbortSignal; readonly also: readonly string[] },
): Promise<() => Promise<SeenChanges>> {
  const before = await scanTree(root, { skip: isSkipped, also, signal });
  return async () => {
    const { changes, complete, unread } = await changesSince(before, { skip: isSkipped });
    return { changes, notes: [...limitWords(complete), ...unreadWords(unread)] };
  };
}

function isSkipped(name: string, kind: FileKind): boolean {
  return kind === 'folder' ? SKIPPED.has(name) : name.startsWith('.belay-') && TEMPORARY.test(name);
}

function limitWords(complete: boolean): readonly string[] {
  return complete ? [] : ['The folder has too many files to see every change that the command made.'];
}

function unreadWords(unread: readonly string[]): readonly string[] {
  const [first, ...others] = unread;
  if (first === undefined) return [];
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  return [`Folders that can't be read now were left out of that: ${JSON.stringify(first || '.')}${more}.`];
}
