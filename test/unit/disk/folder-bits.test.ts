import { chownSync, statSync, symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { folderBits, setFolderBits } from '#disk/folder-bits';
import { makeFolder } from '#disk/remove';
import { asOrdinaryUser } from '#test/support/ordinary-user';
import { tempFolder } from '#test/support/temp-folder';

const modeOf = (path: string) => (statSync(path).mode & 0o7777).toString(8);

test('Windows has no permission bits of folders', () => {
  expect([folderBits(0o40666, 'win32'), folderBits(0o41755, 'linux')]).toEqual([undefined, 0o1755]);
});

test('bits are set while they are the expected ones, or done already', async () => {
  const folder = tempFolder({ 'd/x': 'x' });
  folder.chmod('d', 0o755);
  const at = folder.at('d');
  const ends = [
    await setFolderBits(at, { mode: 0o2700, expected: 0o700 }),
    await setFolderBits(at, { mode: 0o2700, expected: 0o755 }),
    await setFolderBits(at, { mode: 0o2700, expected: 0o755 }),
  ];
  expect([ends.map(({ ok }) => ok), modeOf(at)]).toEqual([[false, true, true], '2700']);
});

test('no bits are set through a link, on a file, or on nothing', async () => {
  const folder = tempFolder({ 'd/x': 'x' });
  folder.chmod('d', 0o755);
  symlinkSync('d', folder.at('link'));
  const ends = await Promise.all(
    ['link', 'd/x', 'none'].map((name) => setFolderBits(folder.at(name), { mode: 0o700 })),
  );
  expect([ends.map(({ ok }) => ok), modeOf(folder.at('d'))]).toEqual([[false, false, false], '755']);
});

test('a folder that its owner may not read is opened', async () => {
  const folder = tempFolder({ 'd/x': 'x' });
  if (process.geteuid?.() === 0)
    for (const path of [folder.path, folder.at('d')]) chownSync(path, 65_534, 65_534);
  folder.chmod('d', 0);
  const done = await asOrdinaryUser(() => setFolderBits(folder.at('d'), { mode: 0o755, expected: 0 }));
  expect([done.ok, modeOf(folder.at('d'))]).toEqual([true, '755']);
});

test('a folder is made with its bits whatever the umask, and one that is there gets them', async () => {
  const folder = tempFolder();
  const ends = [
    await makeFolder(folder.at('d'), 0o1777),
    await makeFolder(folder.at('d'), 0o711),
    await makeFolder(folder.at('d')),
  ];
  expect([ends.map(({ ok }) => ok), modeOf(folder.at('d'))]).toEqual([[true, true, true], '711']);
});
