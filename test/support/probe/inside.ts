// Runs inside a sandbox and tries to get out by every way that Node and the usual tools know. It prints one JSON line per
// attempt: its name, and "ok" or why it failed. Nothing it writes does harm: markers in folders of the test's own.
//
// Left out, because no tool at hand makes these calls by itself: ptrace and process_vm_*, io_uring, keyctl, bpf,
// AF_PACKET, AF_VSOCK, TIOCSTI, open_by_handle_at. The filter's own test runs its program for each of them.
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';

/** Where things are, as the host's side of the probe laid them out. */
export interface ProbePlan {
  readonly id: string;
  readonly workspace: string;
  readonly outside: string;
  readonly home: string;
  readonly caches: string;
  /** Only the host has it. */
  readonly hostOnly: string;
  readonly hostPid: number;
  /** Stands in the command line of the host's process. */
  readonly hostMark: string;
  readonly port: number;
  readonly sockets: { readonly abstract: string; readonly hidden: string; readonly seen: string };
  readonly secrets: readonly string[];
  readonly absent: readonly string[];
  readonly sleep: string;
}

const plan = JSON.parse(process.env['PROBE'] ?? '{}') as ProbePlan;
const { workspace, outside, home, hostOnly, hostPid, sockets } = plan;
const inWorkspace = (name: string) => join(workspace, name);
const inOutside = (name: string) => join(outside, name);

/** Each is an attempt; ending without an error means that it worked. */
const attempts: Readonly<Record<string, () => unknown>> = {
  // What must work.
  'work: write in the workspace': () => fs.writeFileSync(inWorkspace('src/new'), 'x'),
  'work: read the host': () => fs.readFileSync('/etc/passwd'),
  'work: temporary files': () => fs.writeFileSync(`/tmp/belay-probe-${plan.id}`, 'x'),
  'work: write to /dev/null': () => fs.writeFileSync('/dev/null', 'x'),
  'work: caches': () => fs.writeFileSync(join(plan.caches, 'x'), 'x'),
  'work: git commit': () =>
    run('git', '-c', 'user.name=n', '-c', 'user.email=e', 'commit', '-q', '--allow-empty', '-m', 'probe'),
  'work: own loopback': () =>
    new Promise<void>((resolve, reject) => {
      const server = createServer((socket) => socket.end()).listen(0, '127.0.0.1', () => {
        const address = server.address();
        const port = typeof address === 'object' && address ? address.port : 0;
        const done = reach({ host: '127.0.0.1', port }).then(resolve, reject);
        void done.finally(() => server.close());
      });
    }),

  // Outside of the workspace.
  'outside: create': () => fs.writeFileSync(inOutside('created'), 'x'),
  'outside: append': () => fs.appendFileSync(inOutside('victim'), 'x'),
  'outside: through a link that was there': () => fs.writeFileSync(inWorkspace('link/through'), 'x'),
  'outside: through a link made now': () => {
    fs.symlinkSync(outside, inWorkspace('made'));
    fs.writeFileSync(inWorkspace('made/through'), 'x');
  },
  'outside: through ..': () => fs.writeFileSync(`${workspace}/../outside/dots`, 'x'),
  'outside: hard link': () => {
    fs.linkSync(inOutside('victim'), inWorkspace('hard'));
    fs.appendFileSync(inWorkspace('hard'), 'x');
  },
  'outside: move away': () => fs.renameSync(inOutside('victim'), inWorkspace('stolen')),
  'outside: mode': () => fs.chmodSync(inOutside('victim'), 0),
  'outside: times': () => fs.utimesSync(inOutside('victim'), 1, 1),
  'outside: remove': () => fs.rmSync(inOutside('victim')),
  'outside: a file of the system': () => fs.closeSync(fs.openSync('/etc/hostname', 'r+')),

  // Protected names.
  'protected: a hook': () => fs.writeFileSync(inWorkspace('.git/hooks/pre-commit'), 'x'),
  'protected: git configuration': () => fs.appendFileSync(inWorkspace('.git/config'), '# x'),
  'protected: git configuration by rename': () => {
    fs.copyFileSync(inWorkspace('.git/config'), inWorkspace('copy'));
    fs.renameSync(inWorkspace('copy'), inWorkspace('.git/config'));
  },
  'protected: settings': () => fs.writeFileSync(inWorkspace('.vscode/settings.json'), 'x'),
  'protected: tasks that are not there': () => fs.writeFileSync(inWorkspace('.vscode/tasks.json'), 'x'),
  'protected: move away': () => fs.renameSync(inWorkspace('.vscode'), inWorkspace('vscode')),
  'protected: remove': () => fs.rmSync(inWorkspace('.vscode/settings.json')),
  'protected: another .git': () => {
    fs.renameSync(inWorkspace('.git'), inWorkspace('old-git'));
    fs.mkdirSync(inWorkspace('.git/hooks'), { recursive: true });
    fs.writeFileSync(inWorkspace('.git/hooks/pre-commit'), 'x');
  },
  'protected: move a parent': () => fs.renameSync(inWorkspace('packages'), inWorkspace('packs')),
  ...Object.fromEntries(
    plan.absent.map((name) => [
      `protected: ${name}, which is not there`,
      () => {
        fs.mkdirSync(inWorkspace(name), { recursive: true });
        fs.writeFileSync(join(inWorkspace(name), 'x'), 'x');
      },
    ]),
  ),

  // Secrets.
  ...Object.fromEntries(
    plan.secrets.map((name) => [
      `secret: ${name}`,
      () => mustHold(fs.readFileSync(join(home, name)), 'MARKER'),
    ]),
  ),
  'secret: own environment': () => mustHold(JSON.stringify(process.env), 'MARKER'),
  'secret: environment of any process': () => mustHold(ofProcesses('environ'), 'MARKER'),

  // Processes of the host.
  'process: its root folder': () => ofProcesses(`root${hostOnly}`) || refuse('none'),
  'process: seen': () => mustHold(ofProcesses('cmdline'), plan.hostMark),
  'process: signal': () => process.kill(hostPid, 0),

  // Network and sockets.
  'network: this machine': () => reach({ host: '127.0.0.1', port: plan.port }),
  'socket: abstract': () => reach({ path: `\0${sockets.abstract}` }),
  'socket: in a hidden folder': () => reach({ path: sockets.hidden }),
  'socket: in a folder that is seen': () => reach({ path: sockets.seen }),

  // Mounts and namespaces.
  'mount: a new file system': () => run('mount', '-t', 'tmpfs', 'none', inWorkspace('src')),
  'mount: take a mask away': () => run('umount', '-l', join(home, '.ssh')),
  'mount: make outside writable': () => run('mount', '-o', 'remount,bind,rw', outside),
  'namespace: make outside writable': () =>
    run(
      'unshare',
      '-Urm',
      'sh',
      '-c',
      `mount -o remount,bind,rw ${outside} && echo x > ${inOutside('nested')}`,
    ),
  'namespace: take a mask away': () =>
    run(
      'unshare',
      '-Urm',
      'sh',
      '-c',
      `umount -l ${join(home, '.ssh')}; grep -q MARKER ${join(home, '.ssh/id')}`,
    ),
  'namespace: another': () => run('unshare', '-Ur', 'true'),
  'namespace: that of the first process': () => run('nsenter', '-t', '1', '-m', 'true'),
  'root: another': () => run('chroot', '/', 'true'),

  // Devices and the kernel.
  'device: disks and memory': () => {
    const found = ['/dev/vda', '/dev/sda', '/dev/nvme0n1', '/dev/mem', '/dev/kmsg'].filter((name) =>
      fs.existsSync(name),
    );
    if (found.length === 0) refuse('ENOENT');
    fs.closeSync(fs.openSync(found[0] ?? '', 'r'));
  },
  'kernel: core pattern': () => fs.closeSync(fs.openSync('/proc/sys/kernel/core_pattern', 'r+')),
  'kernel: sysrq': () => fs.closeSync(fs.openSync('/proc/sysrq-trigger', 'r+')),
  'kernel: huge pages': () => fs.closeSync(fs.openSync('/sys/kernel/mm/transparent_hugepage/enabled', 'r+')),
  'kernel: its log': () => run('dmesg'),

  // What the process itself may.
  'self: capabilities': () => status('CapEff') === 0n && refuse('none'),
  'self: new privileges': () => status('NoNewPrivs') === 1n && refuse('none'),
  'self: calls that are not filtered': () => status('Seccomp') === 2n && refuse('filtered'),
  'self: files left open': () => {
    const open = run('sh', '-c', 'for f in /proc/self/fd/*; do readlink "$f" || :; done')
      .trim()
      .split('\n')
      .slice(4);
    if (open.filter(Boolean).length === 0) refuse('none');
  },
};

for (const [name, attempt] of Object.entries(attempts)) {
  let result = 'ok';
  try {
    await attempt();
  } catch (error) {
    result = reasonOf(error);
  }
  console.log(JSON.stringify({ name, result }));
}
// Whether this survives is looked at from outside.
execFileSync('sh', ['-c', `setsid sleep ${plan.sleep} >/dev/null 2>&1 &`]);

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error ? String(error.code) : (error.message.split('\n')[0] ?? '');
}

function run(file: string, ...args: readonly string[]): string {
  return execFileSync(file, [...args], {
    cwd: workspace,
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
  });
}

function refuse(words: string): never {
  throw new Error(words);
}

function mustHold(content: string | Buffer, text: string): void {
  if (!content.includes(text)) refuse('nothing of it is seen');
}

/** That file of every process that can be seen, one after the other. */
function ofProcesses(name: string): string {
  const all = fs.readdirSync('/proc').filter((entry) => /^\d+$/.test(entry));
  return all
    .map((pid) => {
      try {
        return fs.readFileSync(`/proc/${pid}/${name}`, 'latin1');
      } catch {
        return '';
      }
    })
    .join('\n')
    .trim();
}

function reach(
  where: { readonly host: string; readonly port: number } | { readonly path: string },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(where, () => {
      socket.destroy();
      resolve();
    });
    socket.once('error', reject);
  });
}

function status(name: string): bigint {
  const line = fs
    .readFileSync('/proc/self/status', 'utf8')
    .match(new RegExp(`^${name}:\\s*([0-9a-f]+)`, 'm'));
  return BigInt(`0x${line?.[1] ?? '0'}`);
}
