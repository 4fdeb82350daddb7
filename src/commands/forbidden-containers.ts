import { absolute, type Ground, holdsMachine } from './forbidden-targets';
import { hasOption, optionValues } from './long-options';

const PROGRAMS = new Set('docker podman nerdctl ctr lxc incus'.split(' '));
/** Whoever speaks to it starts containers that are given the host. */
const SOCKET = /(^|\/)(docker|podman|containerd|crio|buildkitd|dockershim)[^/]*\.sock$/;
const HOST_SPACES = ['--pid', '--userns', '--ipc', '--uts', '--cgroupns'];
/** With these a program leaves its container. */
const CAPABILITIES = /^(CAP_)?(ALL|SYS_ADMIN|SYS_MODULE|SYS_PTRACE|SYS_RAWIO|DAC_READ_SEARCH)$/i;
const DISKS = /^\/dev\/?$|^\/dev\/(sd|hd|vd|xvd|nvme|mmcblk|disk|dm-|mapper|loop|md|mem|kmem|port)/;

/**
 * Why a container is never started so: one that is given the machine, a home or the engine's own socket is no container, whoever
 * runs in it. One folder of the project, a volume or a single file elsewhere is the usual thing.
 */
export function forbiddenContainer(
  name: string,
  args: readonly string[],
  cwd: string | undefined,
  ground: Ground,
): string | undefined {
  if (!PROGRAMS.has(name)) return undefined;
  if (gainsHost(args)) return 'it gives a container the whole machine';
  for (const source of mounted(args)) {
    const path = absolute(source, cwd);
    if (path === undefined) continue;
    if (SOCKET.test(path)) return 'it gives a container the engine that starts containers';
    if (holdsMachine(path, ground)) return 'it gives a container the whole machine, or a home';
  }
  return undefined;
}

function gainsHost(args: readonly string[]): boolean {
  return (
    args.some(
      (arg) => /^--privileged(=(true|1|t))?$/i.test(arg) || /^security\.privileged=true$/.test(arg),
    ) ||
    optionValues(args, HOST_SPACES).includes('host') ||
    optionValues(args, ['--cap-add']).some((value) =>
      value.split(',').some((one) => CAPABILITIES.test(one)),
    ) ||
    optionValues(args, ['--device']).some((value) => DISKS.test(value))
  );
}

/** What of the host is seen inside, in each spelling. */
function mounted(args: readonly string[]): readonly string[] {
  const volumes = optionValues(args, ['-v', '--volume']).map((value) =>
    value.replace(/^=/, '').replace(/:.*$/s, ''),
  );
  const mounts = optionValues(args, ['--mount']).flatMap((value) =>
    value.split(',').flatMap((part) => /^(?:src|source)=(.*)$/s.exec(part)?.[1] ?? []),
  );
  const devices = args.flatMap((arg) => /^source=(.*)$/s.exec(arg)?.[1] ?? []);
  // A name without a slash is a volume's.
  return [...volumes, ...mounts, ...devices].filter((source) => /[/.]/.test(source));
}

/** Whether a container gets more of the host than a folder of the project: nobody who allowed `docker run` meant each of these. */
export function reachesHost(name: string, args: readonly string[]): boolean {
  return (
    PROGRAMS.has(name) &&
    (mounted(args).some((source) => /^[/~]|(^|\/)\.\.(\/|$)/.test(source)) ||
      hasOption(args, '--network', '--net', '--device', '--cap-add', '--security-opt', '--volumes-from') ||
      args.some((arg) => /^(-H|--host|--context)(=|$)/.test(arg)))
  );
}
