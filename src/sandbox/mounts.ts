import { realPlace } from './paths';

/** One thing to put in place of what the host has at a path. */
export interface Mount {
  readonly kind: 'writable' | 'read-only' | 'private' | 'hidden-folder' | 'hidden-file';
  /** Absolute, symlinks resolved. */
  readonly path: string;
}

/** A mount of what really is at that path; none where nothing is. */
export function mountOf(path: string, kind: Mount['kind']): readonly Mount[] {
  const place = realPlace(path);
  return place ? [{ kind, path: place.path }] : [];
}

const STRENGTH = { private: 0, writable: 1, 'read-only': 2, 'hidden-folder': 3, 'hidden-file': 3 } as const;

/**
 * The arguments that make these mounts. What lies deeper is mounted later, whatever the order given, so a hole in a
 * writable folder stays a hole; at one path the stricter wins. Folders hidden by an empty one are sealed at the end,
 * when everything that belongs into them has its place.
 */
export function mountArguments(mounts: readonly Mount[]): readonly string[] {
  const byPath = new Map<string, Mount>();
  for (const mount of mounts) {
    const present = byPath.get(mount.path);
    if (!present || STRENGTH[present.kind] <= STRENGTH[mount.kind]) byPath.set(mount.path, mount);
  }
  const ordered = [...byPath.values()].sort(
    (a, b) => depth(a.path) - depth(b.path) || (a.path < b.path ? -1 : 1),
  );
  const sealed = ordered.filter((mount) => mount.kind === 'hidden-folder');
  return [
    ...ordered.flatMap((mount) => argumentsOf(mount, ordered)),
    ...sealed.flatMap((mount) => ['--remount-ro', mount.path]),
  ];
}

function argumentsOf(mount: Mount, all: readonly Mount[]): readonly string[] {
  const { kind, path } = mount;
  switch (kind) {
    case 'writable':
      return ['--bind', path, path];
    case 'read-only':
      return ['--ro-bind', path, path];
    case 'private':
      return ['--perms', '1777', '--tmpfs', path];
    case 'hidden-file':
      return ['--ro-bind', '/dev/null', path];
    case 'hidden-folder': {
      // Something inside may have to be reached: then its names may be walked through, though not written.
      const open = all.some((other) => other.path.startsWith(`${path}/`));
      return ['--perms', open ? '0555' : '0000', '--tmpfs', path];
    }
  }
}

function depth(path: string): number {
  return path === '/' ? 0 : path.split('/').length;
}
