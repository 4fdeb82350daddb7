import { closeSync } from 'node:fs';
import { dirname } from 'node:path';
import { realPlace } from '#sandbox/paths';
import { planMounts } from '#sandbox/plan';
import { ProtectedNames } from '#sandbox/protected-names';
import { INSIDE, type Sandbox, type SandboxLaunch, type SandboxRequest } from '#sandbox/sandbox';
import { readAnew, unnamedFile } from '#sandbox/unnamed-file';
import { hostMounts } from './host-mounts';
import { mountScript, quoted } from './mount-script';

/** Programs of util-linux by absolute path, never from the workspace. */
export interface NamespaceTools {
  readonly setpriv: string;
  readonly unshare: string;
  readonly setsid: string;
  readonly mount: string;
  /** Where loopback can be switched on without it, or nobody needs it, it may be missing. */
  readonly ip?: string | undefined;
}

/** Everything of the command's own. `--kill-child` and setpriv's signal end it with Belay, however Belay ends. */
const UNSHARE =
  '--user --map-root-user --mount --propagation private --pid --fork --kill-child=SIGKILL --ipc --uts'.split(
    ' ',
  );

/**
 * A second user namespace, in which the mounts made so far can't be undone; then no capability and no way to one, and
 * a session without a terminal. The user is who they were.
 */
const DROP_ALL = '--no-new-privs --inh-caps=-all --ambient-caps=-all --bounding-set=-all';

/** The descriptor on which the shell finds the script. */
const SCRIPT_FD = 4;

/**
 * The sandbox where bubblewrap isn't there: the same namespaces and mounts, made by a script. Slower, and without a
 * filter of system calls, for which a program of its own would be needed.
 */
export function namespaces(tools: NamespaceTools, words: string): Sandbox {
  const protectedNames = new ProtectedNames();
  return {
    kind: 'namespaces',
    active: true,
    words,
    async wrap(request): Promise<SandboxLaunch> {
      const plan = await planMounts(request, protectedNames);
      const mounts = mountScript({
        mounts: plan.mounts,
        host: hostMounts(),
        isFolder: (path) => realPlace(path)?.isFolder ?? false,
      });
      const script = unnamedFile(Buffer.from(scriptOf(mounts, tools, request)));
      const files = [readAnew(script)];
      closeSync(script);
      const own = request.network ? UNSHARE : [...UNSHARE, '--net'];
      const shell = ['/bin/sh', `/proc/self/fd/${SCRIPT_FD}`, ...request.argv];
      return {
        file: tools.setpriv,
        args: ['--pdeathsig', 'KILL', '--', tools.unshare, ...own, '--', ...shell],
        env: { ...request.env, [INSIDE]: 'namespaces' },
        files,
        masked: plan.masked,
        replaced: plan.replaced,
        release() {
          files.forEach(closeSync);
          plan.release();
        },
      };
    },
  };
}

function scriptOf(mounts: readonly string[], tools: NamespaceTools, request: SandboxRequest): string {
  const folders = new Set([dirname(tools.mount), '/usr/bin', '/bin', '/usr/sbin', '/sbin']);
  const lines = [
    'set -eu',
    `exec ${SCRIPT_FD}<&-`,
    // The command's PATH may begin with folders of the workspace.
    `path=\${PATH-}; PATH=${quoted([...folders].join(':'))}; export PATH`,
    'umask 022',
    // This namespace's root is, outside, the user.
    'read -r _ user _ </proc/self/uid_map; read -r _ group _ </proc/self/gid_map',
    ...mounts,
    ...(request.network || tools.ip === undefined ? [] : [`${quoted(tools.ip)} link set lo up || :`]),
    `cd ${quoted(request.cwd)}`,
    'PATH=$path',
    `exec ${quoted(tools.unshare)} --user --map-user="$user" --map-group="$group" -- ${quoted(tools.setpriv)} ${DROP_ALL} -- ${quoted(tools.setsid)} "$@"`,
  ];
  return `${lines.join('\n')}\n`;
}
