import { dirname } from 'node:path';
import { isWithin, realPlace } from './paths';

/** One thing to put in place of what the host has at a path. */
export interface Mount {
  /** `held`: an empty folder that stands where a protected name isn't yet. */
  readonly kind: 'writable' | 'read-only' | 'private' | 'held' | 'hidden-folder' | 'hidden-file';
  /** Absolute, symlinks resolved. */
  readonly path: string;
}

/** A mount of what really is at that path; none where nothing is. */
export function mountOf(path: string, kind: Mount['kind']): readonly Mount[] {
  const place = realPlace(path);
  return place ? [{ kind, path: place.path }] : [];
}

const STRENGTH = {
  private: 0,
  writable: 1,
  'read-only': 2,
  held: 2,
  'hidden-folder': 3,
  'hidden-file': 3,
} as const;

/**
 * The order in which mounts are made. What lies deeper is mounted later, whatever the order given, so a hole in a
 * writable folder stays a hole; at one path the stricter wins.
 */
export function inOrder(mounts: readonly Mount[]): readonly Mount[] {
  const byPath = new Map<string, Mount>();
  for (const mount of mounts) {
    const present = byPath.get(mount.path);
    if (!present || STRENGTH[present.kind] <= STRENGTH[mount.kind]) byPath.set(mount.path, mount);
  }
  return [...byPath.values()].sort((a, b) => depth(a.path) - depth(b.path) || (a.path < b.path ? -1 : 1));
}

/**
 * The folders between what is mounted in a writable folder and that folder. Mounted over themselves before the writable
 * folder covers them, they can't be renamed or removed, and a new one can't be built in their place. Nobody walks
 * through these mounts, so files still move freely between the folders.
 */
export function pinned(ordered: readonly Mount[]): readonly string[] {
  const paths = new Map(ordered.map((mount) => [mount.path, mount.kind]));
  const pins = new Set<string>();
  for (const { path, kind } of ordered) {
    if (kind === 'private') continue;
    const between: string[] = [];
    let folder = dirname(path);
    for (; folder !== '/' && !paths.has(folder); folder = dirname(folder)) between.push(folder);
    if (paths.get(folder) === 'writable') for (const one of between) pins.add(one);
  }
  return [...pins].sort((a, b) => depth(a) - depth(b));
}

/** Whether something inside has to be reached: then an empty folder that hides the rest may be walked through. */
export function holdsOthers(folder: string, all: readonly Mount[]): boolean {
  return all.some((other) => other.path !== folder && isWithin(other.path, folder));
}

function depth(path: string): number {
  return path === '/' ? 0 : path.split('/').length;
}
