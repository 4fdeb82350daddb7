import { chmodSync, linkSync, mkdirSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { expect, test } from 'vitest';
import { diffScans, type ScanOptions, scanTree } from '#disk/scan';
import { tempFolder } from '#test/support/temp-folder';

const everything: ScanOptions = { skip: () => false };

test('finds what was created, changed, deleted and chmodded between two scans', async () => {
  const folder = tempFolder({ same: '1', grown: '1', gone: '1', 'd/mode': '1', 'd/e/deep': '1' });
  const before = await scanTree(folder.path, everything);
  folder.write({ grown: '22', 'new/file': 'x', 'd/e/deep': '2' });
  rmSync(folder.at('gone'));
  chmodSync(folder.at('d/mode'), 0o700);
  expect(diffScans(before, await scanTree(folder.path, everything))).toEqual([
    { path: 'd/e/deep', operation: 'modify' },
    { path: 'd/mode', operation: 'modify' },
    { path: 'gone', operation: 'delete' },
    { path: 'grown', operation: 'modify' },
    { path: 'new/file', operation: 'create' },
  ]);
});

test('a change that sets the time back is found all the same; a link made elsewhere is none', async () => {
  const folder = tempFolder({ a: '1', b: '1' });
  utimesSync(folder.at('a'), 1000, 1000);
  const before = await scanTree(folder.path, everything);
  folder.write({ a: '2' });
  utimesSync(folder.at('a'), 1000, 1000);
  const elsewhere = tempFolder();
  linkSync(folder.at('b'), elsewhere.at('b'));
  expect(diffScans(before, await scanTree(folder.path, everything))).toEqual([
    { path: 'a', operation: 'modify' },
  ]);
});

test('skips folders whole, and never follows a link', async () => {
  const outside = tempFolder({ secret: 'x' });
  const folder = tempFolder({ 'node_modules/a/b': '1', 'src/a': '1' });
  symlinkSync(outside.path, folder.at('src/link'));
  const asked: string[] = [];
  const scan = await scanTree(folder.path, {
    skip: (path, kind) => {
      asked.push(`${kind} ${path}`);
      return path === 'node_modules';
    },
  });
  expect([[...scan.entries.keys()].sort(), asked.sort()]).toEqual([
    ['src/a', 'src/link'],
    ['file src/a', 'folder node_modules', 'folder src', 'symlink src/link'],
  ]);
});

test('stops at the limit and then claims neither creations nor deletions', async () => {
  const folder = tempFolder(Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`f${n}`, 'x'])));
  const short = await scanTree(folder.path, { ...everything, limit: 10 });
  const whole = await scanTree(folder.path, everything);
  expect([
    short.complete,
    short.entries.size,
    whole.complete,
    diffScans(short, whole),
    diffScans(whole, short),
  ]).toEqual([false, 10, true, [], []]);
});

test('a root that isn’t there is empty', async () => {
  const folder = tempFolder();
  expect(await scanTree(folder.at('none'), everything)).toEqual({ entries: new Map(), complete: true });
});

test('stops when told to', async () => {
  const folder = tempFolder();
  for (let n = 0; n < 300; n++) mkdirSync(folder.at(`d${n}`));
  const slow = scanTree(folder.path, {
    skip: () => {
      const until = performance.now() + 1;
      while (performance.now() < until);
      return false;
    },
    signal: AbortSignal.abort(new Error('stopped')),
  });
  await expect(slow).rejects.toThrow('stopped');
});
