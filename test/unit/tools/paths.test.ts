import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { diskFiles } from '#disk/files';
import type { AbsolutePath } from '#protocol/ids';
import { tempFolder } from '#test/support/temp-folder';
import { toolBench } from '#test/support/tool-context';
import { readFile } from '#tools/files/read-file';
import { lexicalPath, resolveWorkspacePath, showPath } from '#tools/paths';

/** A workspace `project` with a folder `project-other` beside it. */
function workspace(files: Record<string, string | Uint8Array> = {}) {
  const outer = tempFolder({ 'project/': '', 'project-other/x': 'outside' });
  const root = outer.at('project');
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  const resolve = (path: string) => resolveWorkspacePath(path, { root, name: 'project' }, diskFiles());
  return { outer, root, resolve };
}

const messageOf = async (result: ReturnType<ReturnType<typeof workspace>['resolve']>) => {
  const settled = await result;
  return settled.ok ? `accepted: ${settled.value.relative}` : settled.error;
};

test.each([
  ['.', '.'],
  ['', '.'],
  ['./a/../b.txt', 'b.txt'],
  ['a//b.txt', 'a/b.txt'],
  ['..name', '..name'],
  ['a b/ -n\n ü', 'a b/ -n\n ü'],
])('PA-10 reads %j as %j', async (input, relative) => {
  const { resolve, root } = workspace({ 'a/x': '' });
  const result = await resolve(input);
  expect(result).toMatchObject({
    ok: true,
    value: { relative, absolute: relative === '.' ? root : join(root, relative) },
  });
});

test('accepts an absolute path inside the root, and the root with a slash at its end', async () => {
  const { resolve, root } = workspace({ 'a.txt': '' });
  expect(await messageOf(resolve(join(root, 'a.txt')))).toBe('accepted: a.txt');
  expect(await messageOf(resolve(`${root}/`))).toBe('accepted: .');
});

test('PA-01 refuses a sibling whose name begins alike, by relative and by absolute path', async () => {
  const { resolve, root } = workspace();
  for (const path of ['../project-other/x', `${root}-other/x`, '../x', 'a/../../x', '/', '/etc/passwd'])
    expect(await messageOf(resolve(path))).toMatch(/is outside the workspace; give a path relative/);
});

test('decides by letters before any file is touched', async () => {
  const never = () => Promise.reject(new Error('touched'));
  const files = { stat: never, realPath: never, list: never };
  const result = await resolveWorkspacePath('../x', { root: '/w/p' as AbsolutePath, name: 'p' }, files);
  expect(result).toEqual({
    ok: false,
    error: '"../x" is outside the workspace; give a path relative to the workspace folder',
  });
});

test('PA-04 compares drives and letter case as Windows does', () => {
  const inside = (root: string, path: string) => lexicalPath(path, root, 'win32').ok;
  expect([
    inside('D:\\ws', 'C:\\Users\\x'),
    inside('D:\\ws', 'd:\\WS\\a'),
    inside('D:\\ws', 'D:\\ws2'),
    inside('D:\\ws', '\\\\host\\share\\x'),
    inside('D:\\ws', 'D:x'),
    inside('D:\\ws', 'a\\..\\..\\x'),
    inside('D:\\ws', 'a.txt:stream'),
    inside('D:\\ws', 'sub\\NUL.txt'),
    inside('D:\\ws', '\\\\?\\D:\\ws\\a'),
    inside('D:\\ws', 'a\\b'),
  ]).toEqual([false, true, false, false, false, false, false, false, false, true]);
  expect(lexicalPath('a\\b', 'D:\\ws', 'win32')).toEqual({ ok: true, value: 'a/b' });
  expect(lexicalPath('.', 'D:\\ws', 'win32')).toEqual({ ok: true, value: '.' });
});

test.each([
  ['NUL', /Windows device/],
  ['sub/con.txt', /Windows device/],
  ['\\\\?\\C:\\x', /Windows device path/],
  ['\\\\wsl.localhost\\Ubuntu\\home\\u\\p\\a', /network path/],
  ['C:x', /current folder of a Windows drive/],
  ['a.txt:stream', /alternate data stream/],
  ['~/x', /not expanded/],
  ['a\0b', /NUL character/],
  ['x'.repeat(5000), /longer than 4096/],
])('PA-10 refuses to make %j', async (input, why) => {
  const { resolve } = workspace();
  expect(await messageOf(resolve(input))).toMatch(why);
});

test('reads a file that is really there, though Windows could not name it', async () => {
  const { resolve } = workspace({ 'aux.c': '', 'a\\b': '', 'at 10:00': '' });
  for (const name of ['aux.c', 'a\\b', 'at 10:00'])
    expect(await messageOf(resolve(name))).toBe(`accepted: ${name}`);
});

test('follows a link inside the workspace and names both ends', async () => {
  const { resolve, root } = workspace({ 'real/conf': '' });
  symlinkSync('real', join(root, 'link'));
  expect(await resolve('link/conf')).toEqual({
    ok: true,
    value: { relative: 'real/conf', absolute: join(root, 'real/conf'), exists: true, link: 'link/conf' },
  });
  expect(await resolve('link/new/file')).toMatchObject({
    ok: true,
    value: { relative: 'real/new/file', exists: false },
  });
});

test('refuses links that lead outside, whether or not the target exists', async () => {
  const { resolve, root } = workspace();
  symlinkSync('../project-other', join(root, 'out'));
  symlinkSync('../project-other/nothing', join(root, 'broken'));
  symlinkSync('loop', join(root, 'loop'));
  expect(await messageOf(resolve('out/x'))).toMatch(/leads out of the workspace through a symbolic link/);
  expect(await messageOf(resolve('out/new'))).toMatch(/leads out of the workspace through a symbolic link/);
  expect(await messageOf(resolve('broken'))).toMatch(/broken symbolic link/);
  expect(await messageOf(resolve('broken/x'))).toMatch(/broken symbolic link/);
  expect(await messageOf(resolve('loop'))).toMatch(/can't be looked at|broken/);
});

test('refuses a path below a file', async () => {
  const { resolve } = workspace({ 'a.txt': '' });
  expect(await messageOf(resolve('a.txt/b'))).toBe('"a.txt" is not a folder, so nothing can be inside it');
});

test('says so when the workspace folder is gone', async () => {
  const gone = { root: '/nowhere/at/all' as AbsolutePath, name: 'gone' };
  expect(await resolveWorkspacePath('x', gone, diskFiles())).toEqual({
    ok: false,
    error: 'the workspace folder is gone; ask the user to open it again',
  });
});

test('ED-25 finds a name stored in another Unicode form, and makes no second one beside it', async () => {
  const { resolve } = workspace({ 'Spe\u0301cs/x.txt': '' });
  expect(await resolve('Sp\u00e9cs/x.txt')).toMatchObject({
    ok: true,
    value: { relative: 'Spe\u0301cs/x.txt', exists: true, link: 'Sp\u00e9cs/x.txt' },
  });
  expect(await messageOf(resolve('Sp\u00e9cs/new.txt'))).toBe('accepted: Spe\u0301cs/new.txt');
});

test('a listed name that is no valid UTF-8 leads nowhere, and is told instead of followed for ever', async () => {
  const { root, resolve } = workspace({ 'a.txt': '' });
  writeFileSync(Buffer.concat([Buffer.from(`${root}/caf`), Buffer.from([0xe9])]), 'x');
  expect(await messageOf(resolve('caf\u{FFFD}'))).toBe(
    '"caf\u{FFFD}" leads through a name that is no valid UTF-8; ask the user to rename it',
  );
});

test('shows a strange name in JSON quotes and a plain one as it is', () => {
  expect([showPath('src/a b.ts'), showPath('a\nb'), showPath('a\u202eb')]).toEqual([
    'src/a b.ts',
    '"a\\nb"',
    '"a\u202eb"',
  ]);
});

test('what the system says of a path names no folder of the machine', async () => {
  const { call, folder } = toolBench({});
  symlinkSync('b', folder.at('a'));
  symlinkSync('a', folder.at('b'));
  const words = async (path: string) => (await call(readFile, { path })).content;
  expect(await words('a')).toBe(
    'read_file: "a" can\'t be looked at: ELOOP: too many symbolic links encountered',
  );
  expect(await words('x'.repeat(300))).toMatch(/can't be looked at: ENAMETOOLONG: name too long$/);
});
