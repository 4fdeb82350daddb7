import { holdsOthers, inOrder, type Mount, pinned } from './mounts';

/**
 * The arguments that make bubblewrap make these mounts. Folders hidden by an empty one are sealed at the end, when
 * everything that belongs into them has its place.
 */
export function mountArguments(mounts: readonly Mount[]): readonly string[] {
  const ordered = inOrder(mounts);
  const sealed = ordered.filter((mount) => mount.kind === 'hidden-folder');
  return [
    ...pinned(ordered).flatMap((path) => ['--bind', path, path]),
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
    case 'held':
      // Whatever got in would be in memory, not on the host's disk; and it is quicker than a read-only mount.
      return ['--perms', '0555', '--tmpfs', path];
    case 'hidden-file':
      return ['--ro-bind', '/dev/null', path];
    case 'hidden-folder':
      return ['--perms', holdsOthers(path, all) ? '0555' : '0000', '--tmpfs', path];
  }
}
