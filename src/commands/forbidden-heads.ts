import { hasOption, isOption, optionValues } from './long-options';
import { innerCommands } from './wrappers';

/** Why a program is never run with these arguments; undefined when nothing is against it. */
type Rule = (args: readonly string[]) => string | undefined;

const PRIVILEGE = 'it gains other privileges or leaves the sandbox';
const DEVICES = 'it formats, writes or mounts devices';
const KERNEL = 'it changes the kernel or switches its protections off';
const FIREWALL = 'it changes the firewall';
const ACCOUNTS = 'it changes accounts or passwords';
const POWER = 'it stops or restarts the machine';
const EVERYTHING = 'it ends every process or the first one';

/** Never, with any arguments. */
const ALWAYS: Readonly<Record<string, readonly string[]>> = {
  [PRIVILEGE]:
    'sudo sudoedit sudo-rs doas su su-rs ksu gksu gksudo kdesu kdesudo pkexec run0 nsenter chroot runuser gosu su-exec setuidgid newgrp dzdo pivot_root switch_root visudo setcap'.split(
      ' ',
    ),
};

/** Never, but to list or to explain itself: the words that make it harmless when one of them comes first. */
const UNLESS: readonly { readonly why: string; readonly names: string; readonly harmless?: string }[] = [
  { why: DEVICES, names: 'fdisk sfdisk gdisk cgdisk sgdisk cfdisk parted', harmless: '-l --list -p' },
  {
    why: DEVICES,
    names: 'mkfs mke2fs mkswap mkdosfs newfs wipefs blkdiscard partprobe badblocks hdparm sdparm',
  },
  {
    why: DEVICES,
    names:
      'lvremove vgremove pvremove pvcreate vgcreate lvcreate mdadm fsck e2fsck tune2fs resize2fs xfs_repair asr',
  },
  { why: DEVICES, names: 'umount swapoff mount.nfs mount.cifs kpartx sg_format' },
  { why: DEVICES, names: 'losetup', harmless: '-l --list -a --all' },
  { why: DEVICES, names: 'swapon', harmless: '-s --show' },
  {
    why: DEVICES,
    names: 'nvme cryptsetup dmsetup',
    harmless: 'list ls status info isLuks luksDump id-ctrl smart-log',
  },
  { why: DEVICES, names: 'zpool zfs', harmless: 'list status get iostat history' },
  { why: DEVICES, names: 'diskutil', harmless: 'list info activity' },
  { why: DEVICES, names: 'diskpart' },
  {
    why: KERNEL,
    names:
      'insmod rmmod kexec kldload kldunload kextload kextunload kmutil setenforce apparmor_parser aa-teardown',
  },
  {
    why: KERNEL,
    names: 'aa-disable aa-complain grub-install grub-mkconfig update-grub update-initramfs bcdedit bootcfg',
  },
  { why: KERNEL, names: 'modprobe', harmless: '-n --dry-run -c --showconfig --show-depends -D' },
  { why: KERNEL, names: 'csrutil', harmless: 'status' },
  { why: KERNEL, names: 'spctl', harmless: '--status -a --assess' },
  { why: KERNEL, names: 'efibootmgr nvram', harmless: '-v -p' },
  { why: FIREWALL, names: 'iptables ip6tables ebtables arptables', harmless: '-L --list -S --list-rules' },
  { why: FIREWALL, names: 'iptables-restore ip6tables-restore ipset pfctl' },
  {
    why: FIREWALL,
    names: 'nft ufw firewall-cmd',
    harmless: 'list status --state --list-all --list-services --list-ports --get-zones',
  },
  {
    why: ACCOUNTS,
    names: 'useradd userdel usermod groupadd groupdel groupmod adduser deluser addgroup delgroup newusers',
  },
  {
    why: ACCOUNTS,
    names: 'passwd chpasswd chgpasswd chage chfn chsh gpasswd vipw vigr sysadminctl dscl pwconv',
  },
  { why: POWER, names: 'shutdown reboot halt poweroff pm-suspend pm-hibernate', harmless: '-c --show' },
  { why: EVERYTHING, names: 'killall5' },
];

const SPECIAL: Readonly<Record<string, Rule>> = {
  mount: (args) => (args.length === 0 || (args.length === 1 && args[0] === '-l') ? undefined : DEVICES),
  sysctl: (args) =>
    args.some((arg) => /^(-w|-p.*|--load.*)$/.test(arg) || arg.includes('=')) ||
    hasOption(args, '--write', '--system', '--load')
      ? KERNEL
      : undefined,
  systemctl: (args) =>
    verb(
      args,
      /^(poweroff|reboot|halt|kexec|soft-reboot|rescue|emergency|suspend.*|hibernate|hybrid-sleep|isolate)$/,
    )
      ? POWER
      : undefined,
  loginctl: (args) =>
    verb(args, /^(poweroff|reboot|halt|suspend|hibernate|terminate-user|kill-user)$/) ? POWER : undefined,
  init: (args) => (/^[0-6sS]$/.test(args[0] ?? '') ? POWER : undefined),
  telinit: (args) => (/^[0-6sSqQ]$/.test(args[0] ?? '') ? POWER : undefined),
  launchctl: (args) =>
    args[0] === 'reboot' ||
    (/^(bootout|disable|kill|remove)$/.test(args[0] ?? '') && args.some((arg) => /^system(\/|$)/.test(arg)))
      ? POWER
      : undefined,
  kill: killRule,
  pkill: nameKillRule,
  killall: nameKillRule,
  setpriv: (args) => (setsPrivileges(ownOptions('setpriv', args)) ? PRIVILEGE : undefined),
  capsh: (args) =>
    args.every((arg) => /^--(print|decode=.*|supports=.*|explain=.*|help|modes)$/.test(arg))
      ? undefined
      : PRIVILEGE,
  chpst: (args) => (args.some((arg) => /^-[uU/]/.test(arg)) ? PRIVILEGE : undefined),
  'start-stop-daemon': (args) =>
    args.includes('-c') || hasOption(args, '--chuid', '--chroot') || args.includes('-r')
      ? PRIVILEGE
      : undefined,
  osascript: (args) =>
    args.some((arg) => /with\s+administrator\s+privileges/i.test(arg)) ? PRIVILEGE : undefined,
  // Its commands are started by the service manager: beside the sandbox, also with --user.
  'systemd-run': (args) => (onlyExplains(args) ? undefined : PRIVILEGE),
  // ast-grep goes by the same name: its words and options are none of a group.
  sg: (args) =>
    /^(run|scan|test|new|lsp|completions|help|-.+)?$/.test(args[0] ?? '') ? undefined : PRIVILEGE,
  machinectl: (args) => (args[0] === 'shell' || args[0] === 'login' ? PRIVILEGE : undefined),
  perl: inlineRule,
  python: inlineRule,
  python3: inlineRule,
  ruby: inlineRule,
  node: inlineRule,
};

const BY_NAME = new Map<string, Rule>(Object.entries(SPECIAL));
for (const [why, names] of Object.entries(ALWAYS)) for (const name of names) BY_NAME.set(name, () => why);
for (const { why, names, harmless } of UNLESS) {
  const words = new Set(harmless?.split(' '));
  for (const name of names.split(' ')) {
    BY_NAME.set(name, (args) => (words.has(args[0] ?? '') || onlyExplains(args) ? undefined : why));
  }
}

/** Judges a program by its name (without folder) and arguments. */
export function forbiddenHead(name: string, args: readonly string[]): string | undefined {
  const rule =
    BY_NAME.get(name) ?? (/^(mkfs|newfs|fsck|mkdosfs)[._]/.test(name) ? BY_NAME.get('mkfs') : undefined);
  return rule?.(args);
}

function onlyExplains(args: readonly string[]): boolean {
  return args.length === 1 && /^(--help|--version|-V|-h)$/.test(args[0] ?? '');
}

function verb(args: readonly string[], which: RegExp): boolean {
  return which.test(args.find((arg) => !arg.startsWith('-')) ?? '');
}

/** The plainest scripts on the line itself; a script that hides what it does is for the sandbox to hold. */
function inlineRule(args: readonly string[]): string | undefined {
  const script = args.join(' ');
  if (/\bfork\s+while\s+fork\b|while\s*\(?\s*(True|true|1)\b[\s\S]*\bfork\(/.test(script))
    return 'it is a fork bomb';
  return /(rmtree|rmSync|rmdirSync|rm_rf|rm_r|remove_tree)\W+["']?(\/|~|\/(home|usr|etc|var|bin|lib|root)\/?)["']/.test(
    script,
  )
    ? 'it takes the whole disk or a home folder'
    : undefined;
}

/** `kill -1 42` sends SIGHUP to 42; `kill -9 -1` and a lone `-1` mean everybody. */
function killRule(args: readonly string[]): string | undefined {
  let rest = args;
  if (rest[0] === '-s' || rest[0] === '-n') rest = rest.slice(2);
  else if (/^--signal(=|$)/.test(rest[0] ?? '')) rest = rest.slice(rest[0] === '--signal' ? 2 : 1);
  else if (rest.length > 1 && /^-[A-Za-z0-9]+$/.test(rest[0] ?? '')) rest = rest.slice(1);
  return rest.some((arg) => /^\+?0*1$/.test(arg) || /^-0*1$/.test(arg)) ? EVERYTHING : undefined;
}

/** By a pattern that fits everything, the first process, or a whole user. */
function nameKillRule(args: readonly string[]): string | undefined {
  const user = args.findIndex(
    (arg) => /^-[uU]/.test(arg) || ['--euid', '--uid', '--user'].some((name) => isOption(arg, name)),
  );
  const operands = args.filter(
    (arg, index) =>
      !arg.startsWith('-') && !(user >= 0 && index === user + 1 && /^(-[uU]|--\w+)$/.test(args[user] ?? '')),
  );
  if (user >= 0 && operands.length === 0) return EVERYTHING;
  return operands.some((arg) => /^[\^]?(\.|\.\*|\.\+|\*|init|systemd|launchd)?\$?$/.test(arg))
    ? EVERYTHING
    : undefined;
}

/** Another user or group, or capabilities that come: `-x` takes one away. */
function setsPrivileges(args: readonly string[]): boolean {
  return (
    hasOption(args, ...'--reuid --ruid --euid --regid --rgid --egid --groups --init-groups'.split(' ')) ||
    hasOption(args, '--securebits', '--selinux-label', '--apparmor-profile') ||
    optionValues(args, ['--inh-caps', '--ambient-caps', '--bounding-set']).some((caps) =>
      /(^|,)\s*\+/.test(caps),
    )
  );
}

/** What stands before the command that it runs. */
function ownOptions(name: string, args: readonly string[]): readonly string[] {
  const [inner] = innerCommands([name, ...args]);
  return inner?.kind === 'words' ? args.slice(0, args.length - inner.words.length) : args;
}
