import { type Dirent, readdirSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { atAnyDepth } from '#protocol/settings';
import { gitMounts } from './git-mounts';
import { demandNoSecondNames } from './hard-links';
import type { Mount } from './mounts';
import { isWithin, realPlace } from './paths';

/** Entries looked at in one walk; breadth first, so what is left out lies deepest. */
const MOST_ENTRIES = 50_000;
/** The deep walk is repeated when it is older than this: a command doesn't wait for it every time. */
const FRESH_MS = 10_000;
/** Installed code: thousands of folders, none of which the editor opens. */
const SKIPPED = new Set(['node_modules', '.venv', 'venv', '__pycache__', '.tox', 'bower_components']);

const NOTHING: ReadonlySet<string> = new Set();

interface Walk {
  readonly at: number;
  readonly matcher: Ignore;
  readonly mounts: Promise<readonly Mount[]>;
  /** Rejects when a protected file has a second name that a command could write through. */
  readonly looked: Promise<void>;
}

/** Finds what must stay read-only in a workspace: the protected names that exist, at any depth, and git's own. */
export class ProtectedNames {
  readonly #walks = new Map<string, Walk>();

  /**
   * The top of the workspace is always looked at anew; deeper levels may be some seconds old. Rejects with a
   * SandboxRefusal when a protected file can be reached by another name. `held`: what is known to stand in for names at the top.
   */
  async mounts(
    root: string,
    names: readonly string[],
    held: ReadonlySet<string> = NOTHING,
  ): Promise<readonly Mount[]> {
    const key = JSON.stringify([root, names]);
    const last = this.#walks.get(key);
    const now = performance.now();
    if (last === undefined || now - last.at > FRESH_MS) {
      const walk = begin(root, last?.matcher ?? ignore({ ignorecase: true }).add(names.map(atAnyDepth)), now);
      this.#walks.set(key, walk);
      if (last === undefined) {
        await walk.looked;
        return walk.mounts;
      }
    }
    // A refusal is looked into once more: the second name may have been removed since.
    await last.looked.catch(() => begin(root, last.matcher, now).looked);
    // At once: a command waits for it, and a trip through the thread pool would cost more than the look.
    const entries = namesIn(root).filter(({ name }) => !held.has(name));
    const top = judge({ root, folder: '', entries, matcher: last.matcher });
    // A name that is gone since the walk would stop the launcher: there is nothing to mount.
    const deep = (await last.mounts).filter((mount) => realPlace(mount.path)?.path === mount.path);
    return [...top.mounts, ...deep];
  }
}

function begin(root: string, matcher: Ignore, at: number): Walk {
  const mounts = walkDown(root, matcher);
  const looked = mounts.then((found) => demandNoSecondNames(root, found));
  // Who waits for it is told; a walk that nobody waits for must not end the process.
  looked.catch(() => undefined);
  return { at, matcher, mounts, looked };
}

/** Breadth first until so many entries were seen; the root itself is always seen whole. */
async function walkDown(root: string, matcher: Ignore): Promise<readonly Mount[]> {
  const found: Mount[] = [];
  const queue = [''];
  let seen = 0;
  for (let folder = queue.shift(); folder !== undefined; folder = queue.shift()) {
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
    const { mounts, folders } = judge({ root, folder, entries, matcher });
    found.push(...mounts);
    queue.push(...folders);
    seen += entries.length;
    if (seen >= MOST_ENTRIES) break;
  }
  return found;
}

interface Listing {
  readonly root: string;
  readonly folder: string;
  readonly entries: readonly Dirent[];
  readonly matcher: Ignore;
}

/** What to mount of one folder's entries, and which of them to look into. */
function judge({ root, folder, entries, matcher }: Listing): {
  readonly mounts: readonly Mount[];
  readonly folders: readonly string[];
} {
  const mounts: Mount[] = [];
  const folders: string[] = [];
  for (const entry of entries) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.name === '.git') mounts.push(...gitMounts(join(root, path)));
    else if (matcher.ignores(entry.isDirectory() ? `${path}/` : path))
      mounts.push(...readOnly(join(root, path), root));
    else if (entry.isDirectory() && !SKIPPED.has(entry.name)) folders.push(path);
  }
  return { mounts, folders };
}

function namesIn(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Where a symlink leads out of the workspace everything is read-only anyway. */
function readOnly(path: string, root: string): readonly Mount[] {
  const place = realPlace(path);
  return place && isWithin(place.path, root) ? [{ kind: 'read-only', path: place.path }] : [];
}
