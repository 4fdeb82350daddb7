import { execFileSync } from 'node:child_process';
import { afterEach, expect, test } from 'vitest';
import { delay } from '#base/queue';
import { LiveGit, type LiveGitStart } from '#commands/git-live';
import { type TempFolder, tempFolder } from '#test/support/temp-folder';

const opened: LiveGit[] = [];
afterEach(() => {
  for (const live of opened.splice(0)) live.dispose();
});

function git(cwd: string, ...args: readonly string[]): string {
  return execFileSync('/usr/bin/git', args, { cwd, encoding: 'utf8' }).trim();
}

function repository(files: Readonly<Record<string, string | Uint8Array>>) {
  const folder = tempFolder(files);
  git(folder.path, 'init', '-q');
  const ids = Object.keys(files).map((name) => git(folder.path, 'hash-object', '-w', name));
  return { folder, ids };
}

function liveIn(folder: TempFolder, more: Partial<LiveGitStart> = {}) {
  const live = new LiveGit({
    ...{ program: '/usr/bin/git', args: ['cat-file', '--batch'], cwd: folder.path },
    ...{ env: { PATH: process.env['PATH'] ?? '' }, idLength: 40, ...more },
  });
  opened.push(live);
  return live;
}

const text = (of: Promise<Buffer>) => of.then((bytes) => bytes.toString('latin1'));

/** Without what was said of the object that ends an answer. */
function answers(output: string): string[] {
  return output.trimEnd().split('\n').slice(0, -1);
}

test('one process answers one question after another, those at once too', async () => {
  const { folder, ids } = repository({ a: 'one', b: 'two' });
  const live = liveIn(folder);
  const [a = '', b = ''] = ids;
  const outputs = await Promise.all([
    text(live.objects([a], 40_000)),
    text(live.objects([b, a], 40_000)),
    text(live.objects(['0'.repeat(40)], 40_000)),
  ]);
  expect([outputs.map(answers), live.pid !== undefined]).toEqual([
    [[`${a} blob 3`, 'one'], [`${b} blob 3`, 'two', `${a} blob 3`, 'one'], [`${'0'.repeat(40)} missing`]],
    true,
  ]);
});

test('large objects come whole, and what looks like an end in one is none', async () => {
  const bytes = Buffer.alloc(3_000_000, `${'f'.repeat(40)} missing\n`);
  const { folder, ids } = repository({ a: bytes });
  const output = await liveIn(folder).objects(ids, 20_000);
  const begin = output.indexOf('\n') + 1;
  expect(output.subarray(begin, begin + bytes.byteLength).equals(bytes)).toBe(true);
});

test('an object that was made after it started is found', async () => {
  const { folder, ids } = repository({ a: 'one' });
  const live = liveIn(folder);
  await live.objects(ids, 40_000);
  folder.write({ b: 'later' });
  const later = git(folder.path, 'hash-object', '-w', 'b');
  expect(answers(await text(live.objects([later], 40_000)))).toEqual([`${later} blob 5`, 'later']);
});

test('it ends when nobody asks any more, and starts anew for the next question', async () => {
  const { folder, ids } = repository({ a: 'one' });
  const live = liveIn(folder, { idleMs: 20 });
  const counts: number[] = [];
  for (let n = 0; n < 2; n++) {
    counts.push(answers(await text(live.objects(ids, 40_000))).length);
    await expect.poll(() => live.pid).toBe(undefined);
  }
  expect(counts).toEqual([2, 2]);
});

test('one that cannot run says nothing', async () => {
  const { folder, ids } = repository({ a: 'one' });
  const programs = ['/bin/false', '/nowhere/git'];
  const outputs = programs.map((program) => text(liveIn(folder, { program }).objects(ids, 40_000)));
  expect(await Promise.all(outputs)).toEqual(['', '']);
});

test('when somebody has ended it, another one answers', async () => {
  const { folder, ids } = repository({ a: 'one' });
  const live = liveIn(folder);
  const found: number[] = [];
  for (const wait of [0, 50]) {
    await live.objects(ids, 40_000);
    process.kill(live.pid ?? Number.NaN, 'SIGKILL');
    await delay(wait);
    found.push(answers(await text(live.objects(ids, 40_000))).length);
  }
  expect(found).toEqual([2, 2]);
});

test('one that answers too late is stopped, and what it said until then is had', async () => {
  const live = liveIn(tempFolder({}), { program: '/bin/cat', args: [] });
  const output = await text(live.objects(['x'], 100));
  expect([output.startsWith('x\n'), live.pid]).toEqual([true, undefined]);
});
