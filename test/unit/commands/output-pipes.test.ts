import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { OutputPipes } from '#commands/output-pipes';

async function taken(pipes: OutputPipes) {
  const pipe = await pipes.take();
  if (!pipe) throw new Error('there are no named pipes here');
  return pipe;
}

/** The name behind a write end. */
const nameOf = (fd: number) =>
  execFileSync('readlink', [`/proc/${process.pid}/fd/${fd}`])
    .toString()
    .trim();

test('what is written is read, to the last byte, and the end is seen', async () => {
  const pipes = new OutputPipes();
  const pipe = await taken(pipes);
  let total = 0;
  pipe.onData((chunk) => {
    total += chunk.length;
  });
  const child = spawn('head', ['-c', '3000001', '/dev/zero'], { stdio: ['ignore', pipe.writeEnd, 'ignore'] });
  pipe.started();
  await pipe.closed;
  expect([total, child.exitCode ?? 0]).toEqual([3_000_001, 0]);
  pipe.destroy();
  pipes.dispose();
});

test('a name is used again once everybody has gone, and never while somebody may write', async () => {
  const pipes = new OutputPipes();
  const first = await taken(pipes);
  const name = nameOf(first.writeEnd);
  first.started();
  await first.closed;
  first.destroy();
  const again = await taken(pipes);
  expect(nameOf(again.writeEnd)).toBe(name);
  writeSync(again.writeEnd, 'still open');
  const keeper = spawn('sleep', ['70.25'], { stdio: ['ignore', again.writeEnd, 'ignore'] });
  again.destroy();
  expect(existsSync(name)).toBe(false);
  expect(nameOf((await taken(pipes)).writeEnd)).not.toBe(name);
  keeper.kill();
  pipes.dispose();
});

test('nothing is left of them', async () => {
  const pipes = new OutputPipes();
  const pipe = await taken(pipes);
  const folder = dirname(nameOf(pipe.writeEnd));
  pipe.destroy();
  pipes.dispose();
  await expect.poll(() => existsSync(folder)).toBe(false);
});

test('what a killed process left is taken away', async () => {
  const { pid } = spawnSync('true');
  const left = join(tmpdir(), `belay-pipes-${pid}-left`);
  mkdirSync(left);
  const pipes = new OutputPipes();
  (await taken(pipes)).destroy();
  pipes.dispose();
  expect(existsSync(left)).toBe(false);
});
