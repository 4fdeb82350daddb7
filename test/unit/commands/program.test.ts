import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { runProgram } from '#commands/program';

const cwd = tmpdir();

test('lines come one by one, the last also without a line feed', async () => {
  const lines: string[] = [];
  const outcome = await runProgram({
    file: '/usr/bin/printf',
    args: ['a\\nü\\n\\nlast'],
    cwd,
    onLine: (line) => void lines.push(line) as undefined,
  });
  expect({ lines, outcome }).toEqual({
    lines: ['a', 'ü', '', 'last'],
    outcome: { exitCode: 0, stdout: '', stderr: '', stopped: false },
  });
});

test('it is killed as soon as it has said enough', async () => {
  let seen = 0;
  const outcome = await runProgram({
    file: '/usr/bin/yes',
    args: [],
    cwd,
    onLine: () => (++seen === 50 ? 'stop' : undefined),
  });
  expect({ seen, stopped: outcome.stopped }).toEqual({ seen: 50, stopped: true });
});

test('too much output ends it', async () => {
  const outcome = await runProgram({ file: '/usr/bin/yes', args: ['x'.repeat(99)], cwd, maxBytes: 1000 });
  expect({ length: outcome.stdout.length, stopped: outcome.stopped }).toEqual({
    length: 1000,
    stopped: true,
  });
});

test('cancelling ends it', async () => {
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 50);
  expect((await runProgram({ file: '/bin/sleep', args: ['67.25'], cwd, signal: stop.signal })).stopped).toBe(
    true,
  );
});

test('it has no stdin unless it is given one, and no environment but PATH', async () => {
  const silent = await runProgram({ file: '/bin/cat', args: [], cwd });
  const fed = await runProgram({ file: '/bin/cat', args: [], cwd, input: 'text ü' });
  const environment = await runProgram({ file: '/usr/bin/env', args: [], cwd });
  expect([silent.stdout, fed.stdout, environment.stdout]).toEqual([
    '',
    'text ü',
    `PATH=${process.env['PATH']}\n`,
  ]);
});

test('input that nobody reads is no failure', async () => {
  const outcome = await runProgram({ file: '/bin/true', args: [], cwd, input: 'x'.repeat(1_000_000) });
  expect(outcome.exitCode).toBe(0);
});

test('stderr and the exit code are told; arguments are never a shell line', async () => {
  const outcome = await runProgram({ file: '/bin/ls', args: ['$(touch x); nowhere'], cwd });
  expect(outcome.exitCode).toBe(2);
  expect(outcome.stderr).toContain('$(touch x); nowhere');
});

test('a program that is not there rejects', async () => {
  await expect(runProgram({ file: '/nonexistent/rg', args: [], cwd })).rejects.toThrow(/ENOENT/);
});
