import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderBytes } from '#disk/folder-size';
import { removeFolder } from '#disk/remove-folder';
import { tempFolder } from '#test/support/temp-folder';

test('a folder is measured and removed with read-only folders in it; what links in it lead to stays', async () => {
  const outside = tempFolder({ 'kept.txt': 'kept' });
  const base = tempFolder({ 'caches/a/b.txt': '12345', 'caches/go/mod/c.txt': '123' });
  const caches = join(base.path, 'caches');
  symlinkSync(outside.path, join(caches, 'link'));
  chmodSync(join(caches, 'go/mod'), 0o555);
  chmodSync(join(caches, 'go'), 0o555);
  expect(await folderBytes(join(caches, 'go'))).toBe(3);
  expect(await folderBytes(caches)).toBe(8 + outside.path.length);
  await removeFolder(caches);
  expect([existsSync(caches), readFileSync(join(outside.path, 'kept.txt'), 'utf8')]).toEqual([false, 'kept']);
});

test('one that isn’t there is no failure', async () => {
  const base = tempFolder();
  await removeFolder(join(base.path, 'nothing'));
  expect(await folderBytes(join(base.path, 'nothing'))).toBe(0);
  mkdirSync(join(base.path, 'x'));
  writeFileSync(join(base.path, 'x/y'), '1');
  expect(await folderBytes(base.path)).toBe(1);
});
