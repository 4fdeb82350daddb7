import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sha256 } from '#base/hash';
import type { RelativePath } from '#protocol/ids';
import { toolBench } from '#test/support/tool-context';
import { readFile } from '#tools/files/read-file';

test('shows numbered lines and remembers that all of them were seen', async () => {
  const { call, context } = toolBench({ 'a.txt': '\tone\ntwo\n' });
  expect(await call(readFile, { path: 'a.txt' })).toEqual({
    version: 1,
    status: 'success',
    content: '     1→\tone\n     2→two',
    display: {
      kind: 'text',
      title: 'a.txt',
      fields: [{ key: 'lines', value: '1–2' }],
      body: '     1→\tone\n     2→two',
    },
  });
  expect(context.reads.seen('a.txt' as RelativePath)).toEqual({
    sha256: sha256('\tone\ntwo\n'),
    whole: true,
  });
});

test('pages, says how to go on, and knows when every line was seen', async () => {
  const { call, context } = toolBench({ 'a.txt': 'a\nb\nc\nd\n' });
  const first = await call(readFile, { path: './x/../a.txt', limit: 3 });
  expect(first.content).toBe('     1→a\n     2→b\n     3→c\n\n(lines 1–3 of 4; go on with offset 4)');
  expect(context.reads.seen('a.txt' as RelativePath)?.whole).toBe(false);
  const second = await call(readFile, { path: 'a.txt', offset: 4 });
  expect(second.content).toBe('     4→d\n\n(lines 4–4 of 4, the end)');
  expect(context.reads.seen('a.txt' as RelativePath)?.whole).toBe(true);
});

test('ends a page at 2,000 lines or 100,000 bytes', async () => {
  const { call } = toolBench({
    'many.txt': 'x\n'.repeat(2500),
    'wide.txt': `${'é'.repeat(999)}\n`.repeat(100),
  });
  expect((await call(readFile, { path: 'many.txt' })).content).toMatch(
    /2000→x\n\n\(lines 1–2000 of 2500; go on with offset 2001\)$/,
  );
  expect((await call(readFile, { path: 'wide.txt' })).content).toMatch(
    /\(lines 1–50 of 100; go on with offset 51\)$/,
  );
});

test('cuts a long line with a mark; such a file counts as read, but not whole', async () => {
  const { call, context } = toolBench({ 'min.js': `${'x'.repeat(5000)}\nend\n` });
  const { content } = await call(readFile, { path: 'min.js' });
  expect(content).toBe(
    `     1→${'x'.repeat(2000)}… (3000 more characters in this line)\n     2→end\n\n(cut lines: 1)`,
  );
  expect(context.reads.seen('min.js' as RelativePath)?.whole).toBe(false);
});

test('never cuts a character in two', async () => {
  const { call } = toolBench({ 'a.txt': `${'x'.repeat(1999)}😀yz\n` });
  expect((await call(readFile, { path: 'a.txt' })).content.isWellFormed()).toBe(true);
});

test('ED-04 tells byte order mark and line ends as facts and keeps both out of the text', async () => {
  const { call } = toolBench({ 'a.ps1': '\uFEFFhello\r\n中文' });
  expect((await call(readFile, { path: 'a.ps1' })).content).toBe(
    '     1→hello\n     2→中文\n\n(CRLF line ends; byte order mark; no final newline)',
  );
});

test('says that a file is empty, and that an offset is past the end', async () => {
  const { call, context } = toolBench({ 'empty.txt': '', 'one.txt': 'a\n' });
  expect((await call(readFile, { path: 'empty.txt' })).content).toBe('(empty.txt is empty)');
  expect(context.reads.seen('empty.txt' as RelativePath)?.whole).toBe(true);
  expect(await call(readFile, { path: 'one.txt', offset: 9 })).toMatchObject({
    status: 'error',
    code: 'rejected_arguments',
    content:
      'read_file: offset 9 is past the end of one.txt, which has 1 lines; read it from an earlier line',
  });
});

test('ED-02 ED-03 refuses text that is not UTF-8 and remembers nothing of it', async () => {
  const { call, context } = toolBench({
    'gbk.c': Buffer.from('2f2a20d6d0cec4202a2f0a696e7420613d313b0a', 'hex'),
  });
  expect(await call(readFile, { path: 'gbk.c' })).toMatchObject({
    status: 'error',
    code: 'tool_failed',
    content: expect.stringMatching(/not UTF-8 text/),
  });
  expect(context.reads.seen('gbk.c' as RelativePath)).toBeUndefined();
});

test('names a binary file instead of dumping it', async () => {
  const { call } = toolBench({ 'a.zip': Buffer.from('504b030400000000', 'hex') });
  expect(await call(readFile, { path: 'a.zip' })).toMatchObject({
    status: 'success',
    content: "a.zip is a zip archive (8 bytes), which can't be shown. A command may tell more of it.",
  });
});

test('reads the unsaved text of an editor and says so', async () => {
  const { call, host, folder, context } = toolBench({ 'a.txt': '\uFEFFold\n' });
  host.dirty.set(folder.at('a.txt'), 'new\n');
  const result = await call(readFile, { path: 'a.txt' });
  expect(result.content).toBe(
    '     1→new\n\n(this is the text of the editor with unsaved changes by the user; it can be edited once they save it; byte order mark)',
  );
  expect(context.reads.seen('a.txt' as RelativePath)?.sha256).toBe(sha256('\uFEFFnew\n'));
});

test('refuses folders and special files at once, and names what is similar', async () => {
  const { call, folder } = toolBench({ 'src/': '', 'Main.ts': '' });
  execFileSync('mkfifo', [folder.at('pipe')]);
  expect((await call(readFile, { path: 'src' })).content).toBe(
    'read_file: "src" is a folder; list it with glob_files',
  );
  expect((await call(readFile, { path: 'pipe' })).content).toMatch(
    /"pipe" is a named pipe; only regular files/,
  );
  expect((await call(readFile, { path: 'main.js' })).content).toBe(
    'read_file: "main.js" does not exist; did you mean "Main.ts"?',
  );
  expect((await call(readFile, { path: 'zzz' })).content).toBe(
    'read_file: "zzz" does not exist; find it with glob_files',
  );
});

test('reads through a link, tells the real name, and declares both', async () => {
  const { call, folder, context } = toolBench({ 'real.txt': 'x\n' });
  symlinkSync('real.txt', folder.at('link'));
  expect((await call(readFile, { path: 'link' })).content).toBe('     1→x\n\n(the file is real.txt)');
  expect(await readFile.touches({ path: 'link' }, context)).toEqual([
    { kind: 'read', path: 'real.txt' },
    { kind: 'read', path: 'link' },
  ]);
});

test('pages through a file that is too large to edit without reading all of it', async () => {
  const lines = Array.from({ length: 60_000 }, (_, index) => `line ${index + 1} ${'x'.repeat(40)}`);
  const { call, context } = toolBench({ 'big.log': `${lines.join('\n')}\n` });
  const first = await call(readFile, { path: 'big.log', limit: 2 });
  expect(first.content).toMatch(/ 2→line 2 x+\n\n\(lines 1–2; go on with offset 3\)$/);
  expect(context.reads.seen('big.log' as RelativePath)).toBeUndefined();
  const far = await call(readFile, { path: 'big.log', offset: 50_000, limit: 2 });
  expect(far.content).toMatch(
    /^ 50000→line 50000 x+\n 50001→line 50001 x+\n\n\(lines 50000–50001 of 60000; go on/,
  );
  const past = await call(readFile, { path: 'big.log', offset: 70_000 });
  expect(past.content).toMatch(/which has 60000 lines/);
});

test('shows the beginning of a huge single line', async () => {
  const { call } = toolBench({ 'data.json': `"${'é'.repeat(1_500_000)}"` });
  const { content } = await call(readFile, { path: 'data.json' });
  expect(content).toMatch(/^ {5}1→"é+… \(at least \d+ more characters in this line\)/);
});
