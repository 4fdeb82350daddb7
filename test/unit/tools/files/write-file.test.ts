import { symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { toolBench } from '#test/support/tool-context';
import { readFile } from '#tools/files/read-file';
import { writeFile } from '#tools/files/write-file';

test('makes a file and its missing folders, empty content included', async () => {
  const { call, folder } = toolBench();
  expect((await call(writeFile, { path: 'a/b/c.txt', content: 'x\ny\n' })).content).toBe(
    'Wrote a/b/c.txt: 2 lines.',
  );
  expect(folder.text('a/b/c.txt')).toBe('x\ny\n');
  expect((await call(writeFile, { path: 'empty', content: '' })).status).toBe('success');
  expect(folder.bytes('empty').length).toBe(0);
});

test('refuses an existing file without overwrite, unread, partly read, or changed', async () => {
  const { call, folder } = toolBench({ 'a.txt': 'a\nb\nc\n' });
  const write = (overwrite?: boolean) =>
    call(writeFile, { path: 'a.txt', content: 'new', ...(overwrite ? { overwrite } : {}) });
  expect((await write()).content).toBe(
    'write_file: a.txt exists already; use edit_file, or read it whole and set overwrite',
  );
  expect((await write(true)).content).toBe('write_file: a.txt has not been read yet; read it first');
  await call(readFile, { path: 'a.txt', limit: 2 });
  expect((await write(true)).content).toMatch(/not every line of a\.txt has been read/);
  await call(readFile, { path: 'a.txt', offset: 3 });
  folder.write({ 'a.txt': 'a\nb\nd\n' });
  expect((await write(true)).content).toMatch(/has changed since it was read/);
  expect(folder.text('a.txt')).toBe('a\nb\nd\n');
});

test('ED-04 overwriting keeps the byte order mark once and the CRLF line ends', async () => {
  const { call, folder } = toolBench({ 'a.ps1': '\uFEFFhello\r\n' });
  await call(readFile, { path: 'a.ps1' });
  const result = await call(writeFile, { path: 'a.ps1', content: '\uFEFFone\ntwo\n', overwrite: true });
  expect(result.content).toBe("Overwrote a.ps1: 2 lines.\nThe file's CRLF line ends were kept.");
  expect(folder.text('a.ps1')).toBe('\uFEFFone\r\ntwo\r\n');
});

test('ED-26 names what is lost when an overwrite drops most lines or leaves out in words', async () => {
  const { call, context } = toolBench({ 'a.ts': 'line\n'.repeat(3000) });
  await call(readFile, { path: 'a.ts' });
  await call(readFile, { path: 'a.ts', offset: 2001 });
  const content = `${'line\n'.repeat(40)}// ... rest unchanged\n`;
  expect(await writeFile.concerns?.({ path: 'a.ts', content, overwrite: true }, context)).toEqual([
    '3000 lines become 41',
    'the new content seems to leave something out: // ... rest unchanged',
  ]);
  const harmless = `${'line\n'.repeat(2999)}# ready\n`;
  expect(await writeFile.concerns?.({ path: 'a.ts', content: harmless, overwrite: true }, context)).toEqual(
    [],
  );
});

test.each([
  '// ... existing code ...',
  '# ... rest of the file',
  '<!-- rest of the content unchanged -->',
  '/* … */',
])('ED-26 takes %j for an omission', async (line) => {
  const { call, context } = toolBench({ 'a.ts': 'a\nb\n' });
  await call(readFile, { path: 'a.ts' });
  expect(
    await writeFile.concerns?.({ path: 'a.ts', content: `a\n${line}\n`, overwrite: true }, context),
  ).toHaveLength(1);
});

test('refuses to write over what is not text, into a folder, or more than 1 MB', async () => {
  const { call, folder } = toolBench({ 'a.bin': Buffer.from('00ff', 'hex'), 'dir/x': '' });
  await call(readFile, { path: 'a.bin' });
  expect((await call(writeFile, { path: 'a.bin', content: 'x', overwrite: true })).content).toMatch(
    /is a binary file; it was left untouched/,
  );
  expect((await call(writeFile, { path: 'dir', content: 'x' })).content).toMatch(/is a folder/);
  expect((await call(writeFile, { path: 'new/', content: 'x' })).content).toMatch(/names a folder/);
  expect((await call(writeFile, { path: 'dir/x/y', content: 'x' })).content).toMatch(
    /"dir\/x" is not a folder/,
  );
  expect((await call(writeFile, { path: 'big', content: 'x'.repeat(1024 * 1024 + 1) })).content).toMatch(
    /over 1 MB/,
  );
  expect(folder.bytes('a.bin').toString('hex')).toBe('00ff');
});

test('ED-01 refuses text that no file can hold', async () => {
  const { call, written } = toolBench();
  expect((await call(writeFile, { path: 'a', content: 'a\ud800' })).content).toMatch(
    /half of a surrogate pair/,
  );
  expect(written).toEqual([]);
});

test('ED-25 makes no second file beside one whose name is the same text', async () => {
  const { call, folder } = toolBench({ 'Spe\u0301cs.txt': 'x' });
  expect((await call(writeFile, { path: 'Sp\u00e9cs.txt', content: 'y' })).content).toMatch(/exists already/);
  expect(folder.text('Spe\u0301cs.txt')).toBe('x');
});

test('refuses a path that an editor holds unsaved, and a broken link', async () => {
  const { call, host, folder } = toolBench();
  host.dirty.set(folder.at('draft.txt'), 'typed');
  expect((await call(writeFile, { path: 'draft.txt', content: 'x' })).content).toMatch(
    /unsaved changes by the user/,
  );
  symlinkSync('/nowhere/else', folder.at('out'));
  expect((await call(writeFile, { path: 'out', content: 'x' })).content).toMatch(/broken symbolic link/);
});

test.each([' a', '-n', 'a\nb', 'a\\b', 'ü😀'])('ED-29 makes a file named %j', async (name) => {
  const { call, folder } = toolBench();
  expect((await call(writeFile, { path: name, content: 'x' })).status).toBe('success');
  expect(folder.text(name)).toBe('x');
});

test('declares whether it creates or changes', async () => {
  const { context } = toolBench({ 'a.txt': '' });
  expect(await writeFile.touches({ path: 'a.txt', content: '' }, context)).toEqual([
    { kind: 'write', operation: 'modify', path: 'a.txt' },
  ]);
  expect(await writeFile.touches({ path: './b/../c.txt', content: '' }, context)).toEqual([
    { kind: 'write', operation: 'create', path: 'c.txt' },
  ]);
});

test('knows whole what it wrote', async () => {
  const { call } = toolBench();
  await call(writeFile, { path: 'a.txt', content: 'a\n' });
  expect((await call(writeFile, { path: 'a.txt', content: 'b\n', overwrite: true })).content).toBe(
    'Overwrote a.txt: 1 line.',
  );
  expect((await call(writeFile, { path: 'a.txt', content: 'b\n', overwrite: true })).content).toMatch(
    /has exactly this content already/,
  );
});
