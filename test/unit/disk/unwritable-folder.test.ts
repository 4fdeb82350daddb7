import { chmodSync, chownSync, readdirSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sha256 } from '#base/hash';
import { diskFiles } from '#disk/files';
import type { Sha256 } from '#protocol/ids';
import { asOrdinaryUser } from '#test/support/ordinary-user';
import { tempFolder } from '#test/support/temp-folder';

const NOBODY = 65_534;

test('where the folder isn’t writable the file is written in place, and that is said', async () => {
  const folder = tempFolder({ 'd/a.txt': 'a longer old text' });
  chmodSync(folder.path, 0o755);
  if (process.geteuid?.() === 0) chownSync(folder.at('d/a.txt'), NOBODY, NOBODY);
  const inode = statSync(folder.at('d/a.txt')).ino;
  chmodSync(folder.at('d'), 0o555);
  const files = diskFiles();
  const [landed, created, deleted] = await asOrdinaryUser(async () => [
    await files.land({
      kind: 'replace',
      path: folder.at('d/a.txt'),
      bytes: Buffer.from('new'),
      expected: sha256('a longer old text') as Sha256,
    }),
    await files.land({ kind: 'create', path: folder.at('d/b.txt'), bytes: Buffer.from('b') }),
    await files.land({ kind: 'delete', path: folder.at('d/a.txt'), expected: sha256('new') as Sha256 }),
  ]);
  chmodSync(folder.at('d'), 0o755);
  expect(landed).toMatchObject({
    value: { via: 'in-place', notes: ['written in place: its folder is not writable'] },
  });
  expect([created?.ok || created?.error.kind, deleted?.ok || deleted?.error.kind]).toEqual([
    'denied',
    'denied',
  ]);
  expect([folder.text('d/a.txt'), statSync(folder.at('d/a.txt')).ino, readdirSync(folder.at('d'))]).toEqual([
    'new',
    inode,
    ['a.txt'],
  ]);
});

test('a file that may not be read is denied in words', async () => {
  const folder = tempFolder({ 'a.txt': 'secret' });
  chmodSync(folder.path, 0o755);
  chmodSync(folder.at('a.txt'), 0o000);
  const read = await asOrdinaryUser(() => diskFiles().read(folder.at('a.txt')));
  expect(read).toMatchObject({ ok: false, error: { kind: 'denied' } });
});
