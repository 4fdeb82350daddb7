import { existsSync, readdirSync, symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { FileStat } from '#host';
import { toolBench } from '#test/support/tool-context';
import { deleteFile } from '#tools/files/delete-file';
import { editFile } from '#tools/files/edit-file';
import { readFile } from '#tools/files/read-file';
import { renameFile } from '#tools/files/rename-file';

test('renames into a new folder and declares both ends', async () => {
  const { call, folder, context } = toolBench({ 'a.txt': 'x' });
  expect(await renameFile.touches({ from: 'a.txt', to: 'new/b.txt' }, context)).toEqual([
    { kind: 'read', path: 'a.txt' },
    { kind: 'write', operation: 'rename', path: 'a.txt' },
    { kind: 'write', operation: 'rename', path: 'new/b.txt' },
  ]);
  expect((await call(renameFile, { from: 'a.txt', to: 'new/b.txt' })).content).toBe(
    'Renamed a.txt to new/b.txt.',
  );
  expect([existsSync(folder.at('a.txt')), folder.text('new/b.txt')]).toEqual([false, 'x']);
});

test('declares a target behind a link under both names', async () => {
  const { context, folder } = toolBench({ 'a.txt': '', 'real/x': '' });
  symlinkSync('real', folder.at('link'));
  const touches = await renameFile.touches({ from: 'a.txt', to: 'link/b.txt' }, context);
  expect(touches.map((touch) => 'path' in touch && touch.path)).toEqual([
    'a.txt',
    'a.txt',
    'real/b.txt',
    'link/b.txt',
  ]);
});

test('what was read under the old name counts under the new one', async () => {
  const { call, folder } = toolBench({ 'a.txt': 'x\ny\n' });
  await call(readFile, { path: 'a.txt' });
  await call(renameFile, { from: 'a.txt', to: 'b.txt' });
  expect((await call(editFile, { path: 'b.txt', oldText: 'y', newText: 'z' })).status).toBe('success');
  expect(folder.text('b.txt')).toBe('x\nz\n');
});

test('ED-29 refuses a target that exists, also when it differs in case only', async () => {
  const { call, folder } = toolBench({ 'Foo.ts': 'a', 'foo.ts': 'b' });
  expect((await call(renameFile, { from: 'Foo.ts', to: 'foo.ts' })).content).toMatch(
    /"foo\.ts" exists already/,
  );
  expect([folder.text('Foo.ts'), folder.text('foo.ts')]).toEqual(['a', 'b']);
  await call(renameFile, { from: 'Foo.ts', to: 'fOO.ts' });
  expect(readdirSync(folder.path).sort()).toEqual(['fOO.ts', 'foo.ts']);
});

test('ED-29 accepts a case-only rename where the disk ignores case', async () => {
  const bench = toolBench({ 'Foo.ts': 'a' });
  const { files } = bench.context;
  const exact = (path: string) =>
    bench.folder.at(path.endsWith('foo.ts') ? 'Foo.ts' : path.slice(bench.folder.path.length + 1));
  const ignoringCase = {
    ...files,
    stat: (path: string): Promise<FileStat | undefined> => files.stat(exact(path)),
    realPath: (path: string) => files.realPath(exact(path)),
  };
  const context = { ...bench.context, files: ignoringCase };
  const problem = await renameFile.validate?.({ from: 'Foo.ts', to: 'foo.ts' }, context);
  expect(problem).toBeUndefined();
  expect(await renameFile.touches({ from: 'Foo.ts', to: 'foo.ts' }, context)).toMatchObject([
    { kind: 'read', path: 'Foo.ts' },
    { kind: 'write', path: 'Foo.ts' },
    { kind: 'write', path: 'foo.ts' },
  ]);
});

test('refuses folders, links, unsaved files and the same name', async () => {
  const { call, folder, host } = toolBench({ 'dir/x': '', 'a.txt': '', 'b.txt': '' });
  symlinkSync('a.txt', folder.at('link'));
  host.dirty.set(folder.at('b.txt'), 'typed');
  const rename = async (from: string, to: string) => (await call(renameFile, { from, to })).content;
  expect(await rename('dir', 'dir2')).toMatch(/"dir" is a folder/);
  expect(await rename('link', 'link2')).toMatch(/is a symbolic link to "a\.txt"/);
  expect(await rename('b.txt', 'c.txt')).toMatch(/unsaved changes by the user/);
  expect(await rename('a.txt', './a.txt')).toMatch(/the same file/);
  expect(await rename('a.txt', 'dir/')).toMatch(/names a folder/);
  expect(await rename('a.txt', 'link')).toMatch(/exists already/);
  expect(await rename('a.txt', '../out.txt')).toMatch(/outside the workspace/);
  expect(await rename('nothing', 'x')).toMatch(/does not exist/);
});

test('deletes one file and shows what it held', async () => {
  const { call, folder } = toolBench({ 'a.txt': 'one\ntwo\n' });
  expect(await call(deleteFile, { path: 'a.txt' })).toMatchObject({
    content: 'Deleted a.txt.',
    display: { kind: 'diff', operation: 'delete', added: 0, removed: 2 },
  });
  expect(existsSync(folder.at('a.txt'))).toBe(false);
});

test('deletes a binary file, too, and refuses folders, links and unsaved files', async () => {
  const { call, folder, host } = toolBench({
    'a.bin': Buffer.from('00ff', 'hex'),
    'dir/x': '',
    'b.txt': 'b',
  });
  symlinkSync('b.txt', folder.at('link'));
  host.dirty.set(folder.at('b.txt'), 'typed');
  expect((await call(deleteFile, { path: 'a.bin' })).status).toBe('success');
  expect((await call(deleteFile, { path: 'dir' })).content).toMatch(/is a folder/);
  expect((await call(deleteFile, { path: 'link' })).content).toMatch(/symbolic link/);
  expect((await call(deleteFile, { path: 'b.txt' })).content).toMatch(/unsaved changes/);
  expect(readdirSync(folder.path).sort()).toEqual(['b.txt', 'dir', 'link']);
});

test('neither acts without authorization', async () => {
  const { context, folder } = toolBench({ 'a.txt': '' });
  const unauthorized = { ...context, authorized: false };
  await expect(deleteFile.execute({ path: 'a.txt' }, unauthorized)).rejects.toThrow(/did not pass the gates/);
  await expect(renameFile.execute({ from: 'a.txt', to: 'b' }, unauthorized)).rejects.toThrow(
    /did not pass the gates/,
  );
  expect(existsSync(folder.at('a.txt'))).toBe(true);
});

test('ED-25 ED-29 gives a name the other Unicode form; a link of that name is something else', async () => {
  const { call, folder } = toolBench({ 'e\u0301.txt': 'x', 'B.txt': 'y' });
  expect((await call(renameFile, { from: 'e\u0301.txt', to: '\u00e9.txt' })).status).toBe('success');
  symlinkSync('B.txt', folder.at('b.txt'));
  expect((await call(renameFile, { from: 'B.txt', to: 'b.txt' })).content).toMatch(/"b\.txt" exists already/);
  expect(readdirSync(folder.path).sort()).toEqual(['B.txt', 'b.txt', '\u00e9.txt']);
});
