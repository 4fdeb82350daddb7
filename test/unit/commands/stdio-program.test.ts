import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { type StdioProgram, type StdioProgramRequest, startStdioProgram } from '#commands/stdio-program';
import { Watchdog } from '#commands/watchdog';
import { childScript } from '#test/support/child-script';
import { eventually } from '#test/support/eventually';
import { tempFolder } from '#test/support/temp-folder';

let markers = 0;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !readFileSync(`/proc/${pid}/stat`, 'latin1').includes(') Z ');
  } catch {
    return false;
  }
}

async function start(more: Partial<StdioProgramRequest>) {
  const watchdog = new Watchdog();
  onTestFinished(() => watchdog.dispose());
  return startStdioProgram({
    command: 'sh',
    args: [],
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    marker: `${process.pid}.stdio-test-${++markers}`,
    watchdog,
    ...more,
  });
}

async function running(script: string, more: Partial<StdioProgramRequest> = {}): Promise<StdioProgram> {
  const started = await start({ args: ['-c', script], ...more });
  if (!started.ok) throw new Error(started.error);
  onTestFinished(() => started.value.stop());
  return started.value;
}

test('what is written to it comes back, and its end is told', async () => {
  const program = await running('cat; echo oh >&2; exit 3');
  program.stdin.end('hello\n');
  const [out, errors, end] = await Promise.all([text(program.stdout), text(program.stderr), program.ended]);
  expect({ out, errors, end }).toEqual({ out: 'hello\n', errors: 'oh\n', end: { code: 3, signal: null } });
});

test('stopping ends its whole tree, also who ignores SIGTERM', async () => {
  const folder = tempFolder();
  const program = await running(
    'trap "" TERM; (trap "" TERM; sleep 62) & echo $! > child; echo ok; while :; do sleep 1; done',
    { cwd: folder.path },
  );
  await new Promise((resolve) => program.stdout.once('data', resolve));
  const child = Number(folder.text('child'));
  await program.stop();
  expect([isAlive(program.pid), isAlive(child), (await program.ended).signal]).toEqual([
    false,
    false,
    'SIGKILL',
  ]);
});

test('a child that a program leaves behind goes with it', async () => {
  const folder = tempFolder();
  const program = await running('sleep 63 </dev/null >/dev/null 2>&1 & echo $! > child; exit 0', {
    cwd: folder.path,
  });
  await program.ended;
  await program.stop();
  expect(isAlive(Number(folder.text('child')))).toBe(false);
});

test('MC-03 no program outlives a Belay that was killed', async () => {
  const script = await childScript(import.meta.dirname, 'stdio-host-child.ts');
  const folder = tempFolder();
  const host = spawn(process.execPath, [script, folder.path]);
  await once(host.stdout, 'data');
  await eventually(() => expect(folder.text('pid')).toMatch(/\d\n/));
  const pids = [folder.text('pid'), folder.text('child')].map(Number);
  host.kill('SIGKILL');
  await eventually(() => expect(pids.map(isAlive)).toEqual([false, false]));
});

test('MC-02 a program that the PATH lacks is told with the PATH that was searched and what to do', async () => {
  const started = await start({ command: 'npx', env: { PATH: '/nowhere/bin:relative' } });
  expect(started).toEqual({
    ok: false,
    error:
      '"npx" was not found. Install it, or write its whole path (in a terminal: which npx). Searched: PATH=/nowhere/bin:relative',
  });
});

test.each([
  ['a path that leads nowhere', { command: './missing' }],
  ['a folder', { command: '/usr' }],
  ['no name', { command: '' }],
  ['a name with a NUL', { command: 'a\0b' }],
  ['an argument with a NUL', { args: ['a\0b'] }],
  ['a folder to run in that is gone', { cwd: '/nowhere/at/all' }],
  ['an argument that no system call takes', { args: ['x'.repeat(3_000_000)] }],
])('%s is told, not thrown', async (_what, more) => {
  expect(await start(more)).toMatchObject({ ok: false, error: expect.any(String) });
});

test('a relative path is meant from the folder it runs in, and a PATH entry that is relative is passed over', async () => {
  const folder = tempFolder({
    'serve.sh': '#!/bin/sh\necho here\n',
    'bin/serve.sh': '#!/bin/sh\necho wrong\n',
  });
  for (const name of ['serve.sh', 'bin/serve.sh']) folder.chmod(name, 0o755);
  const program = await start({ command: './serve.sh', cwd: folder.path });
  expect(program.ok && (await text(program.value.stdout))).toBe('here\n');
  expect(await start({ command: 'serve.sh', cwd: folder.path, env: { PATH: 'bin:.' } })).toMatchObject({
    ok: false,
  });
});
