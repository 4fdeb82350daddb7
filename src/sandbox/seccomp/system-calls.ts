/** Processors for which the numbers below are known. */
export type Processor = 'x64' | 'arm64';

/** What the kernel calls them in its audit records (linux/audit.h). */
export const ARCHITECTURE: Readonly<Record<Processor, number>> = { x64: 0xc000003e, arm64: 0xc00000b7 };

type Numbers = readonly [x64: number, arm64: number];

/**
 * Answered as if this kernel didn't have them: programs then do without. `clone3` because its flags lie in memory, where
 * a filter can't look; libraries fall back to `clone`. `io_uring` because what it does passes by every filter.
 */
export const ABSENT: Readonly<Record<string, Numbers>> = {
  clone3: [435, 435],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
};

/** Refused (EPERM): reach into other processes, the mounts, the kernel or its keys. Numbers: linux/unistd.h of both. */
export const REFUSED: Readonly<Record<string, Numbers>> = {
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  pidfd_getfd: [438, 438],
  kcmp: [312, 272],
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  open_tree: [428, 428],
  open_tree_attr: [467, 467],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  setns: [308, 268],
  unshare: [272, 97],
  open_by_handle_at: [304, 265],
  keyctl: [250, 219],
  add_key: [248, 217],
  request_key: [249, 218],
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  swapon: [167, 224],
  swapoff: [168, 225],
  reboot: [169, 142],
  syslog: [103, 116],
  acct: [163, 89],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  vhangup: [153, 58],
};

/** Judged by what they are given. */
export const CLONE: Numbers = [56, 220];
export const IOCTL: Numbers = [16, 29];
export const SOCKET: Numbers = [41, 198];

/** The number of a call on that processor. */
export function numberOf(call: Numbers, processor: Processor): number {
  return processor === 'x64' ? call[0] : call[1];
}
