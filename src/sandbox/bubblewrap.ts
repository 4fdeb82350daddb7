import { closeSync } from 'node:fs';
import { knownProcessor, SeccompFile } from '#sandbox/seccomp/file';
import { mountArguments } from './mount-arguments';
import { planMounts } from './plan';
import { ProtectedNames } from './protected-names';
import { INSIDE, type Sandbox, type SandboxLaunch } from './sandbox';

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

/** The descriptor on which bubblewrap finds the filter: the first of a launch's `files`. */
const FILTER_FD = '4';

/**
 * A launcher that waits reads its options from here. Should they end early, the host's files aren't there yet, so there
 * is nothing to run; or the last variable is missing, and the command refuses to begin.
 */
const TOLD_ON = 9;

/** The sandbox of Linux. `file` is bubblewrap's absolute path; see probe.ts for whether it works here. */
export function bubblewrap(file: string, words: string): Sandbox {
  const protectedNames = new ProtectedNames();
  const filter = filters();
  return {
    kind: 'bubblewrap',
    active: true,
    words,
    async wrap(request): Promise<SandboxLaunch> {
      const plan = await planMounts(request, protectedNames);
      const files = filter(request.network);
      const network = request.network ? [] : ['--unshare-net'];
      const options = [
        ...NAMESPACES,
        ...network,
        ...BASE,
        ...mountArguments(plan.mounts),
        ...(files.length > 0 ? ['--seccomp', FILTER_FD] : []),
        '--chdir',
        request.cwd,
      ];
      const env = { [INSIDE]: 'bubblewrap', ...request.env };
      const ahead = {
        args: [...network, '--args', String(TOLD_ON), '--', ...request.argv],
        told: [...options, ...Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value])],
        toldOn: TOLD_ON,
        files: () => filter(request.network),
      };
      const release = () => {
        files.forEach(closeSync);
        plan.release();
      };
      const args = [...options, '--', ...request.argv];
      const { masked, replaced } = plan;
      return { file, args, env, files, masked, replaced, ahead, release };
    },
  };
}

/** Opens the filter for a command with or without the network; nothing on a processor that none is known for. */
function filters(): (network: boolean) => readonly number[] {
  const processor = knownProcessor();
  if (processor === undefined) return () => [];
  const [off, on] = [new SeccompFile(processor, false), new SeccompFile(processor, true)];
  return (network) => [(network ? on : off).open()];
}
