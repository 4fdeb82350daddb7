import { diffScans, type ScanChange, scanTree } from '#disk/scan';
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
    const after = await scanTree(root, { skip: isSkipped, also });
    const changes = diffScans(before, after);
    const notes: string[] = [];
    if (!before.complete || !after.complete)
      notes.push('The folder has too many files to see every change that the command made.');
    return { changes, notes };
  };
}

function isSkipped(relative: string, kind: FileKind): boolean {
  const name = relative.slice(relative.lastIndexOf('/') + 1);
  return kind === 'folder' ? SKIPPED.has(name) : /^\.belay-\d+-[0-9a-f]+\.tmp$/.test(name);
}
