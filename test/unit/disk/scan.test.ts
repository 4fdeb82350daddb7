import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type ScanOptions, scanTree } from '#disk/scan';
import { changesBetween } from '#disk/scan-changes';
import { MODE, STRIDE } from '#disk/scan-rows';
import type { Scan } from '#disk/scanned';
import { tempFolder } from '#test/support/temp-folder';

const everything: ScanOptions = { skip: () => false };

test('skips folders whole, and never follows a link', async () => {
  const outside = tempFolder({ secret: 'x' });
  const folder = tempFolder({ 'node_modules/a/b': '1', 'src/a': '1' });
  symlinkSync(outside.path, folder.at('src/link'));
  const asked: string[] = [];
  const scan = await scanTree(folder.path, {
    skip: (name, kind) => {
      asked.push(`${kind} ${name}`);
      return name === 'node_modules';
    },
  });
  expect([pathsIn(scan), asked.sort()]).toEqual([
    ['src/a', 'src/link'],
    ['file a', 'folder node_modules', 'folder src', 'symlink link'],
  ]);
});

test('stops at the limit and then claims neither creations nor deletions', async () => {
  const folder = tempFolder(Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`f${n}`, 'x'])));
  const short = await scanTree(folder.path, { ...everything, limit: 10 });
  const whole = await scanTree(folder.path, everything);
  const after = changesBetween(short, await scanTree(folder.path, { ...everything, last: short }));
  const limited = await scanTree(folder.path, { ...everything, limit: 10, last: whole });
  const cutShort = changesBetween(whole, limited);
  expect([
    short.complete,
    pathsIn(short).length,
    whole.complete,
    [after.changes, after.complete],
    [cutShort.changes, cutShort.complete],
  ]).toEqual([false, 10, true, [[], false], [[], false]]);
});

test('a root that isn’t there is empty, and what comes to be there is new', async () => {
  const folder = tempFolder();
  const scan = await scanTree(folder.at('none'), everything);
  folder.write({ 'none/a': 'x' });
  const { changes } = changesBetween(scan, await scanTree(scan.root, { ...everything, last: scan }));
  expect([pathsIn(scan), scan.complete, changes.map(({ path }) => path)]).toEqual([[], true, ['a']]);
});

test('stops when told to, before it begins and on its way', async () => {
  const folder = tempFolder();
  for (let n = 0; n < 100; n++) mkdirSync(folder.at(`d${n}`));
  const stop = new AbortController();
  let asked = 0;
  const skip = () => {
    const until = performance.now() + 1;
    while (performance.now() < until);
    if (++asked === 20) stop.abort(new Error('stopped'));
    return false;
  };
  await expect(scanTree(folder.path, { skip, signal: stop.signal })).rejects.toThrow('stopped');
  const before = asked;
  await expect(scanTree(folder.path, { skip, signal: stop.signal })).rejects.toThrow('stopped');
  expect([before < 100, asked]).toEqual([true, before]);
});

test('a folder that vanishes while others are looked at is none', async () => {
  const folder = tempFolder({ 'a/1': 'x', 'b/1': 'x' });
  const scan = await scanTree(folder.path, {
    skip: (name) => {
      if (name === '1') rmSync(folder.at('a'), { recursive: true, force: true });
      return false;
    },
  });
  expect(pathsIn(scan)).toEqual(['b/1']);
});

function pathsIn(scan: Scan): readonly string[] {
  return [...scan.folders]
    .flatMap(([folder, { names, rows }]) =>
      names.files
        .filter((_, index) => rows[index * STRIDE + MODE] !== 0)
        .map((name) => (folder === '' ? name : `${folder}/${name}`)),
    )
    .sort();
}
