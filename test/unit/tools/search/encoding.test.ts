import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { toolBench } from '#test/support/tool-context';
import { searchEncoding } from '#tools/search/encoding';
import { searchFiles } from '#tools/search/search-files';

test('finds text in UTF-16 with a byte order mark', async () => {
  const { call } = toolBench({ 'w.txt': iconv.encode('a\r\n中文\r\n', 'utf16le', { addBOM: true }) });
  const found = await call(searchFiles, { pattern: '文', mode: 'content' });
  expect(found.content).toBe('w.txt\n  2: 中文');
});

test('finds text in the encoding that is set, in every mode', async () => {
  const files = { 'a.c': iconv.encode('int a;\n/* 中文 */\n', 'gbk'), 'b.c': 'int b;\n' };
  const { call } = toolBench(files, { text: { encoding: 'gbk' } });
  const modes = ['files_with_matches', 'content', 'count'];
  const found = await Promise.all(modes.map((mode) => call(searchFiles, { pattern: '中文', mode })));
  expect(found.map(({ content }) => content)).toEqual(['a.c', 'a.c\n  2: /* 中文 */', 'a.c: 1']);
});

test('an unsaved text is searched as text, whatever its file is written in', async () => {
  const { call, host, folder } = toolBench({ 'a.c': 'x\n' }, { text: { encoding: 'gbk' } });
  host.dirty.set(folder.at('a.c'), '中文\n');
  expect((await call(searchFiles, { pattern: '中文' })).content).toMatch(/^a\.c\n/);
});

test('says what it cannot see in an encoding that the search program does not know', async () => {
  const files = { 'a.txt': iconv.encode('é x\n', 'cp437') };
  const { call } = toolBench(files, { text: { encoding: 'cp437' } });
  const [seen, unseen] = [
    await call(searchFiles, { pattern: 'x' }),
    await call(searchFiles, { pattern: 'é' }),
  ];
  const note = 'of files in cp437 only the plain letters (ASCII) were searched';
  expect(seen.content).toBe(`a.txt\n\n(${note})`);
  expect(unseen.content).toMatch(
    new RegExp(`^No matches for "é" .* Also, ${note.replace(/[()]/g, '\\$&')}\\.$`),
  );
});

test.each([
  ['utf8', []],
  ['utf8bom', []],
  ['iso88591', ['--encoding=iso-8859-1']],
  ['iso885915', ['--encoding=iso-8859-15']],
  ['windows1252', ['--encoding=windows-1252']],
  ['big5hkscs', ['--encoding=big5-hkscs']],
  ['cp950', ['--encoding=big5']],
  ['shiftjis', ['--encoding=shift_jis']],
  ['koi8ru', []],
  [undefined, []],
])('the search program is told of %s by %j', (set, args) => {
  expect(searchEncoding(set).args).toEqual(args);
});
