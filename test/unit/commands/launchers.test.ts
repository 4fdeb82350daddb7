import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import { bubblewrap } from '#sandbox/bubblewrap';
import type { SandboxLaunch } from '#sandbox/sandbox';
import { requireBubblewrap } from '#test/support/bubblewrap';
import { type CommandLab, commandLab } from '#test/support/command-lab';

vi.setConfig({ testTimeout: 60_000 });

/** A lab whose sandbox can be asked for the last command's launch once more. */
function sandboxedLab(): CommandLab & { again(): Promise<SandboxLaunch> } {
  const real = bubblewrap(requireBubblewrap(), 'test');
  let again: () => Promise<SandboxLaunch> = () => Promise.reject(new Error('nothing has run'));
  const lab = commandLab({
    sandbox: {
      ...real,
      wrap(request) {
        again = () => real.wrap(request);
        return again();
      },
    },
  });
  onTestFinished(() => lab.dispose());
  return { ...lab, again: () => again() };
}

/** Processes of ours that wait to be told what to run. */
function waiting(): readonly number[] {
  const children = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)]).toString();
  return children
    .split('\n')
    .filter((line) => /bwrap .*--args \d+ -- /.test(line))
    .map((line) => Number.parseInt(line, 10));
}

const until = (isTrue: () => boolean) => expect.poll(isTrue).toBe(true);

test('the next launcher waits while the session thinks, and runs the next command', async () => {
  const lab = sandboxedLab();
  await lab.run('true');
  await until(() => waiting().length === 1);
  const [pid] = waiting();
  const second = lab.run('touch begun; echo second; while [ ! -e seen ]; do sleep 0.02; done');
  await until(() => existsSync(join(lab.workspace, 'begun')));
  // Its own arguments stay what they were: this very process runs the command now.
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  writeFileSync(join(lab.workspace, 'seen'), '');
  expect([stat.includes('(bwrap)'), (await second).output]).toEqual([true, 'second\n']);
});

test('a short command’s result doesn’t wait for the next launcher to start', async () => {
  const lab = sandboxedLab();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  await lab.run('true');
  const before = waiting();
  vi.advanceTimersByTime(100);
  vi.useRealTimers();
  await until(() => waiting().length > 0);
  expect([before, waiting().length]).toEqual([[], 1]);
});

test('a launcher that waited holds a command as one that didn’t', async () => {
  const lab = sandboxedLab();
  const script =
    'echo x 2>/dev/null > /etc/belay; ls -A /tmp; grep -E "CapEff|NoNewPrivs|Seccomp:" /proc/self/status; hostname; pwd; env | grep -v ^BELAY_COMMAND= | sort; exit 3';
  const first = await lab.run(script);
  await until(() => waiting().length > 0);
  const second = await lab.run(script);
  expect({ ...second, durationMs: 0 }).toEqual({ ...first, durationMs: 0 });
  expect(second.output).not.toMatch(/BELAY_(LINE|TOLD)/);
});

test('lines of any length and content are the same to both', async () => {
  const lab = sandboxedLab();
  for (const line of [
    `printf %s '${'ä\n"$x" '.repeat(9000)}'`,
    'echo "$0 $# $PPID"',
    '',
    "echo 'a'\\''b' # c",
  ]) {
    lab.drop();
    const first = await lab.run(line);
    await until(() => waiting().length > 0);
    const second = await lab.run(line);
    expect([second.output, second.exitCode]).toEqual([first.output, first.exitCode]);
  }
});

test('a NUL in a command can’t become an option of the launcher', async () => {
  const lab = sandboxedLab();
  await lab.run('true');
  await until(() => waiting().length > 0);
  await expect(lab.run('true\0--bind\0/\0/')).rejects.toThrow();
});

test('what waits is not used for another network, and none waits for ever', async () => {
  const lab = sandboxedLab();
  await lab.run('true');
  await until(() => waiting().length > 0);
  const devices = 'grep -c : /proc/net/dev';
  const off = await lab.run(devices);
  await until(() => waiting().length > 0);
  const on = await lab.run(devices, {}, { network: true });
  expect([off.output.trim(), Number(on.output) >= 1, on.exitCode]).toEqual(['1', true, 0]);
  lab.dispose();
  await until(() => waiting().length === 0);
  expect(waiting()).toEqual([]);
});

test('one that was killed while it waited is replaced', async () => {
  const lab = sandboxedLab();
  await lab.run('true');
  await until(() => waiting().length > 0);
  for (const pid of waiting()) process.kill(pid, 'SIGKILL');
  await until(() => waiting().length === 0);
  expect((await lab.run('echo on')).output).toBe('on\n');
});

test('wherever what it is told breaks off, the command does not run', async () => {
  const lab = sandboxedLab();
  await lab.run('touch ran-by-the-lab');
  const { file, ahead, release } = await lab.again();
  if (!ahead) throw new Error('this sandbox can’t be told later');
  const told = ahead.told
    .map((argument) => `${argument}\0`)
    .join('')
    .replace('touch ran-by-the-lab', 'touch ran-late');
  const tellUpTo = async (end: number) => {
    const files = ahead.files();
    const unused = Array<'ignore'>(ahead.toldOn - 4 - files.length).fill('ignore');
    const child = spawn(file, ahead.args, {
      cwd: '/',
      env: {},
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', ...files, ...unused, 'pipe'],
    });
    (child.stdio[ahead.toldOn] as unknown as Writable).on('error', () => undefined).end(told.slice(0, end));
    await new Promise((resolve) => child.once('exit', resolve));
    return existsSync(join(lab.workspace, 'ran-late'));
  };
  const ends = [
    0,
    1,
    100,
    told.indexOf('touch ran-late') + 5,
    told.length - 5,
    told.length - 2,
    told.length - 1,
  ];
  for (let n = 1; n < 30; n++) ends.push(Math.floor((told.length * n) / 30));
  const ran: boolean[] = [];
  for (const end of ends.filter((end) => end < told.length - 1)) ran.push(await tellUpTo(end));
  expect([ran.includes(true), await tellUpTo(told.length)]).toEqual([false, true]);
  release?.();
});
