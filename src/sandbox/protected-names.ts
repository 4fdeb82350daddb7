import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { atAnyDepth } from '#protocol/settings';
import { gitMounts } from './git-mounts';
import type { Mount } from './mounts';
import { isWithin, realPlace } from './paths';

/** Entries looked at in one walk; breadth first, so what is left out lies deepest. */
const MOST_ENTRIES = 50_000;
/** The deep walk is repeated when it is older than this: a command doesn't wait for it every time. */
const FRESH_MS = 10_000;
/** Installed code: thousands of folders, none of which the editor opens. */
const SKIPPED = new Set(['node_modules', '.venv', 'venv', '__pycache__', '.tox', 'bower_components']);

interface Walk {
  readonly at: number;
  readonly mounts: Promise<readonly Mount[]>;
}

/** Finds what must stay read-only in a workspace: the protected names that exist, at any depth, and git's own. */
export class ProtectedNames {
  readonly #walks = new Map<string, Walk>();

  /** The top of the workspace is always looked at anew; deeper levels may be some seconds old. */
  async mounts(root: string, names: readonly string[]): Promise<readonly Mount[]> {
    const key = JSON.stringify([root, names]);
    const last = this.#walks.get(key);
    const matcher = ignore({ ignorecase: true }).add(names.map(atAnyDepth));
    const now = performance.now();
    if (last === undefined || now - last.at > FRESH_MS) {
      const walk = { at: now, mounts: walkDown(root, matcher, MOST_ENTRIES) };
      this.#walks.set(key, walk);
      if (last === undefined) return walk.mounts;
    }
    const [top, deep] = await Promise.all([walkDown(root, matcher, 0), last?.mounts ?? []]);
    // A name that is gone since the walk would stop the launcher: there is nothing to mount.
    return [...top, ...deep.filter((mount) => realPlace(mount.path)?.path === mount.path)];
  }
}

/** Breadth first until `budget` entries were seen; the root itself is always seen whole. */
async function walkDown(root: string, matcher: Ignore, budget: number): Promise<readonly Mount[]> {
  const found: Mount[] = [];
  const queue = [''];
  let seen = 0;
  for (let folder = queue.shift(); folder !== undefined; folder = queue.shift()) {
    for (const entry of await entries(join(root, folder))) {
      seen++;
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.name === '.git') found.push(...gitMounts(join(root, path)));
      else if (matcher.ignores(entry.isDirectory() ? `${path}/` : path))
        found.push(...readOnly(join(root, path), root));
      else if (entry.isDirectory() && !SKIPPED.has(entry.name)) queue.push(path);
    }
    if (seen >= budget) break;
  }
  return found;
}

async function entries(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Where a symlink leads out of the workspace everything is read-only anyway. */
function readOnly(path: string, root: string): readonly Mount[] {
  const place = realPlace(path);
  return place && isWithin(place.path, root) ? [{ kind: 'read-only', path: place.path }] : [];
}
