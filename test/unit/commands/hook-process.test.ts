import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { type HookProcess, runHookProcess } from '#commands/hook-process';
import { childScript } from '#test/support/child-script';
import { eventually } from '#test/support/eventually';
import { tempFolder } from '#test/support/temp-folder';

const shell = { file: '/bin/sh', args: ['-c'] };
let markers = 0;

function hook(command: string, more: Partial<HookProcess> = {}): HookProcess {
  return {
    command,
    shell,
    cwd: '/',
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin' },
    input: '{}',
    marker: `${process.pid}.hook-test-${++markers}`,
    timeoutMs: 20_000,
    signal: new AbortController().signal,
    ...more,
  };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !readFileSync(`/proc/${pid}/stat`, 'latin1').includes(') Z ');
  } catch {
    return false;
  }
}

test('a hook reads its input and is heard on both streams', async () => {
  const input = JSON.stringify({ text: 'x'.repeat(300_000) });
  const end = await runHookProcess(hook('wc -c; echo oh >&2; exit 2', { input }));
  expect(end).toMatchObject({
    kind: 'exited',
    code: 2,
    stdout: { text: expect.stringContaining(String(input.length)), cut: false },
    stderr: { text: 'oh\n' },
  });
});

test('the environment and the folder are exactly those given', async () => {
  const folder = tempFolder();
  const env = { PATH: '/usr/bin:/bin', CLAUDE_PROJECT_DIR: '/a b' };
  const end = await runHookProcess(hook('pwd; env | cut -d= -f1 | sort', { cwd: folder.path, env }));
  const lines = end.kind === 'exited' ? end.stdout.text.trim().split('\n') : [];
  expect(lines.filter((line) => !['PWD', 'OLDPWD', 'SHLVL', '_'].includes(line))).toEqual([
    folder.path,
    'BELAY_COMMAND',
    'CLAUDE_PROJECT_DIR',
    'PATH',
  ]);
});

test('a hook that never reads a large input ends as it says', async () => {
  const end = await runHookProcess(hook('exit 3', { input: 'x'.repeat(5_000_000) }));
  expect(end).toMatchObject({ kind: 'exited', code: 3 });
});

test('a hook that is done is not waited for: the time is that of a process', async () => {
  const times: number[] = [];
  for (let n = 0; n < 7; n++) {
    const began = performance.now();
    await runHookProcess(hook('true'));
    times.push(performance.now() - began);
  }
  // One wait for pipes that nobody holds would be 150 ms; the fastest tells, however busy the machine is.
  expect(Math.min(...times)).toBeLessThan(140);
});

test('a background child that keeps the pipes does not keep the hook open, and is left alone', async () => {
  const began = performance.now();
  const end = await runHookProcess(hook('sleep 30 & echo $!'));
  const pid = end.kind === 'exited' ? Number(end.stdout.text) : 0;
  expect([isAlive(pid), performance.now() - began < 10_000]).toEqual([true, true]);
  process.kill(pid);
});

test('what a hook has said is heard whole, though it left a child and this process was busy when it ended', async () => {
  const running = runHookProcess(hook('sleep 30 & echo "$!"; head -c 120000 /dev/zero | tr "\\0" x; exit 0'));
  for (let n = 0; n < 4; n++) {
    const until = performance.now() + 400;
    while (performance.now() < until);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const end = await running;
  const text = end.kind === 'exited' ? end.stdout.text : '';
  process.kill(Number(text.split('\n')[0]));
  expect(text.length).toBeGreaterThan(120_000);
});

test('a time-out ends the whole tree, children in sessions of their own included', async () => {
  const folder = tempFolder();
  const command = 'trap "" TERM; setsid sleep 61 & echo $! > inner; sleep 62 & echo $! > other; wait';
  const end = await runHookProcess(hook(command, { cwd: folder.path, timeoutMs: 4000 }));
  expect(end).toEqual({ kind: 'timed-out' });
  const pids = ['inner', 'other'].map((name) => Number(folder.text(name)));
  expect(pids.map(isAlive)).toEqual([false, false]);
});

test('a stop ends the tree', async () => {
  const folder = tempFolder();
  const stop = new AbortController();
  const running = runHookProcess(hook('echo $$ > pid; sleep 63', { cwd: folder.path, signal: stop.signal }));
  await eventually(() => expect(folder.text('pid')).toMatch(/\d\n/));
  stop.abort();
  expect([await running, isAlive(Number(folder.text('pid')))]).toEqual([{ kind: 'cancelled' }, false]);
});

test('a signal that is already there starts nothing', async () => {
  const folder = tempFolder();
  const end = await runHookProcess(hook('touch ran', { cwd: folder.path, signal: AbortSignal.abort() }));
  expect([end, existsSync(folder.at('ran'))]).toEqual([{ kind: 'cancelled' }, false]);
});

test('200 MB of output stay out of memory', async () => {
  const before = heldBytes();
  const end = await runHookProcess(hook('head -c 200000000 /dev/zero; echo done >&2', { timeoutMs: 60_000 }));
  const grown = heldBytes() - before;
  expect(end).toMatchObject({ kind: 'exited', code: 0, stdout: { cut: true }, stderr: { text: 'done\n' } });
  expect(end.kind === 'exited' && end.stdout.text.length).toBe(1024 * 1024);
  // A third of what was printed: buffers that nobody holds any more go when the collector comes to them.
  expect(grown).toBeLessThan(64 * 1024 * 1024);
});

/** What is held when the garbage is gone: how much of that lies about meanwhile is the collector's affair. */
function heldBytes(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

test('an endless flood ends at the time-out', async () => {
  expect(await runHookProcess(hook('yes', { timeoutMs: 500 }))).toEqual({ kind: 'timed-out' });
});

test.each([
  ['a folder that is gone', { cwd: '/nowhere/at/all' }],
  ['a command that no system call takes', { command: 'a\0b' }],
])('%s is told, not thrown', async (_what, more) => {
  expect(await runHookProcess(hook('true', more))).toMatchObject({ kind: 'not-started' });
});

test('a hook that dies of a signal says so', async () => {
  expect(await runHookProcess(hook('kill -SEGV $$'))).toEqual({ kind: 'killed', signal: 'SIGSEGV' });
});

test('a hook does not outlive a Belay that was killed', async () => {
  const script = await childScript(import.meta.dirname, 'hook-host-child.ts');
  const folder = tempFolder();
  const host = spawn(process.execPath, [script, folder.path]);
  await eventually(() => expect(folder.text('pid')).toMatch(/\d\n/));
  host.kill('SIGKILL');
  await eventually(() => expect(isAlive(Number(folder.text('pid')))).toBe(false));
});
