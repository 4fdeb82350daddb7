import { fromHome, hiddenPaths } from './credentials';
import { type Mount, mountArguments, mountOf } from './mounts';
import { isWithin, realPlace } from './paths';
import { ProtectedNames } from './protected-names';
import { INSIDE, type Sandbox, type SandboxLaunch, type SandboxRequest } from './sandbox';

/**
 * Everything of the command's own: users, processes, messages, host name; no capability, no way back to the terminal,
 * and death with Belay. `--unshare-user` also for root, who would keep every capability without it. `--as-pid-1` saves
 * the process that bubblewrap would leave between itself and the command.
 */
const NAMESPACES = [
  '--unshare-user --unshare-ipc --unshare-pid --unshare-uts --unshare-cgroup-try --hostname sandbox',
  '--as-pid-1 --die-with-parent --new-session --cap-drop ALL',
]
  .join(' ')
  .split(' ');

/**
 * The host read-only, devices and processes of its own. What root could write to in /proc is covered by bubblewrap itself
 * (sysrq-trigger, irq, bus), but for /proc/sys, which looks read-only and isn't.
 */
const BASE = '--ro-bind / / --dev /dev --proc /proc --ro-bind /proc/sys /proc/sys'.split(' ');

/** Hold sockets of agents, buses and daemons, and other programs' files: each command gets empty ones. */
const PRIVATE = ['/tmp', '/var/tmp', '/run'];
/** Parts of /run that programs are found through, or names resolved by. */
const KEPT_IN_RUN = ['/run/current-system', '/run/opengl-driver', '/run/booted-system'];

/**
 * A launcher that waits reads its options from here. Should they end early, the host's files aren't there yet, so there
 * is nothing to run; or the last variable is missing, and the command refuses to begin.
 */
const TOLD_ON = 9;

/** The sandbox of Linux. `file` is bubblewrap's absolute path; see probe.ts for whether it works here. */
export function bubblewrap(file: string, words: string): Sandbox {
  const protectedNames = new ProtectedNames();
  return {
    kind: 'bubblewrap',
    active: true,
    words,
    async wrap(request): Promise<SandboxLaunch> {
      const mounts = await mountsFor(request, protectedNames);
      const network = request.network ? [] : ['--unshare-net'];
      const options = [...NAMESPACES, ...network, ...BASE, ...mountArguments(mounts), '--chdir', request.cwd];
      const env = { [INSIDE]: 'bubblewrap', ...request.env };
      const ahead = {
        args: [...network, '--args', String(TOLD_ON), '--', ...request.argv],
        told: [...options, ...Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value])],
        toldOn: TOLD_ON,
        files: () => [],
      };
      return { file, args: [...options, '--', ...request.argv], env, ahead };
    },
  };
}

async function mountsFor(request: SandboxRequest, names: ProtectedNames): Promise<readonly Mount[]> {
  const { workspaceRoot: root } = request;
  const resolver = request.network ? ['/etc/resolv.conf'] : [];
  return [
    ...PRIVATE.flatMap((path) => mountOf(path, 'private')),
    ...[...KEPT_IN_RUN, ...resolver]
      .flatMap((path) => mountOf(path, 'read-only'))
      .filter((mount) => isWithin(mount.path, '/run')),
    ...[root, request.caches, ...fromHome(request.home, request.writable)].flatMap((path) =>
      mountOf(path, 'writable'),
    ),
    ...(await names.mounts(root, request.protectedNames)),
    ...hiding(request),
  ];
}

/** A hidden path that holds the workspace would take it away as well: it stays, and only what lies beside is hidden. */
function hiding(request: SandboxRequest): readonly Mount[] {
  return [request.storage, ...hiddenPaths(request.home, request.hidden)].flatMap((path) => {
    const found = realPlace(path);
    if (found === undefined || found.path === '/' || found.path === request.workspaceRoot) return [];
    return [
      { kind: found.isFolder ? ('hidden-folder' as const) : ('hidden-file' as const), path: found.path },
    ];
  });
}
