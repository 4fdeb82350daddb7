import { basename } from 'node:path';
import { understand } from '#commands/grammar';
import type { ShellKind } from '#commands/shell-words';

const SHELLS = new Set(
  'sh bash dash zsh ksh ash mksh fish csh tcsh pwsh powershell cmd nu xonsh busybox'.split(' '),
);
/** Run a shell of another place, or of whatever kind they were told. */
const LEAD_TO_SHELLS = new Set(
  'ssh mosh telnet docker podman nerdctl kubectl oc vagrant lxc multipass screen tmux zellij script expect env exec nix nix-shell devbox direnv su sudo chroot unshare nsenter bwrap ftp sftp make just poetry pipenv conda'.split(
    ' ',
  ),
);

/** Whether what is typed into the command may be a shell's to carry out. In doubt it is. */
export function mayBeShell(command: string, shell: ShellKind): boolean {
  const reading = understand(command, shell);
  if (!reading.understood || reading.commands.length === 0) return true;
  return reading.commands.some(({ words }) =>
    words.some(({ text }, index) => {
      const name = basename(text).replace(/\.exe$/, '');
      return SHELLS.has(name) || (index === 0 && LEAD_TO_SHELLS.has(name));
    }),
  );
}
