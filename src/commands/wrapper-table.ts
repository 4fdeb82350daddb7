import type { ShellKind } from './shell-words';

/** How a program that runs another one takes its own arguments. */
export interface Wrapper {
  /** Options whose value is the next word. */
  readonly values?: readonly string[];
  /** Operands of its own before the command. */
  readonly operands?: number;
  /** `X=1` may stand before the command. */
  readonly assignments?: boolean;
}

/** Programs that run the command among their arguments as it stands. */
export const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  env: { values: ['-u', '--unset', '-C', '--chdir', '-a', '--argv0'], assignments: true },
  timeout: { values: ['-k', '--kill-after', '-s', '--signal'], operands: 1 },
  gtimeout: { values: ['-k', '--kill-after', '-s', '--signal'], operands: 1 },
  nice: { values: ['-n', '--adjustment'] },
  ionice: { values: ['-c', '-n', '--class', '--classdata'] },
  nohup: {},
  // zsh's own.
  noglob: {},
  nocorrect: {},
  repeat: { operands: 1 },
  setsid: {},
  time: { values: ['-f', '--format', '-o', '--output'] },
  builtin: {},
  exec: { values: ['-a'] },
  stdbuf: { values: ['-i', '-o', '-e', '--input', '--output', '--error'] },
  chrt: { values: ['-T', '-P', '-D'], operands: 1 },
  taskset: { operands: 1 },
  unshare: {
    values: [
      '-R',
      '--root',
      '-w',
      '--wd',
      '-S',
      '--setuid',
      '-G',
      '--setgid',
      '--propagation',
      '--setgroups',
    ],
  },
  setpriv: {
    values: [
      '--reuid',
      '--regid',
      '--ruid',
      '--euid',
      '--groups',
      '--pdeathsig',
      '--bounding-set',
      '--inh-caps',
    ],
  },
  prlimit: {},
  numactl: { values: ['-m', '-N', '-C', '-i', '-p'] },
  cpulimit: { values: ['-l', '--limit', '-p', '--pid', '-e', '--exe'] },
  strace: { values: ['-e', '-o', '-p', '-s', '-u', '-E', '-O', '-S', '-P', '-a', '-b', '-I', '-X'] },
  ltrace: { values: ['-e', '-o', '-p', '-s', '-u', '-a', '-n', '-l'] },
  xargs: {
    values: [
      '-I',
      '-L',
      '-n',
      '-P',
      '-s',
      '-d',
      '-E',
      '-a',
      '--arg-file',
      '--delimiter',
      '--max-args',
      '--max-procs',
      '--max-lines',
      '--replace',
    ],
  },
  'systemd-run': {
    values: ['-p', '--property', '-u', '--unit', '--description', '-E', '--setenv', '-M', '-H', '--slice'],
  },
  'systemd-inhibit': {},
  'dbus-run-session': {},
  'xvfb-run': { values: ['-s', '-n', '-e', '-f', '-w', '-p', '--server-args', '--server-num'] },
  fakeroot: { values: ['-l', '-s', '-i', '-u'] },
  caffeinate: { values: ['-t', '-w'] },
  busybox: {},
  toybox: {},
  catchsegv: {},
  unbuffer: {},
  rlwrap: {},
  setarch: { operands: 1 },
  linux64: {},
  linux32: {},
  parallel: {
    values: [
      '-j',
      '--jobs',
      '-a',
      '--arg-file',
      '-I',
      '-n',
      '-N',
      '--results',
      '--joblog',
      '--timeout',
      '-S',
      '-d',
    ],
  },
};

/** Programs that run a script. */
export const SHELLS: Readonly<Record<string, ShellKind>> = {
  bash: 'bash',
  rbash: 'bash',
  sh: 'sh',
  dash: 'sh',
  ash: 'sh',
  ksh: 'sh',
  mksh: 'sh',
  zsh: 'other',
  fish: 'other',
  cmd: 'cmd',
  powershell: 'powershell',
  pwsh: 'powershell',
};
