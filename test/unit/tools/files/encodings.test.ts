import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { sha256 } from '#base/hash';
import type { RelativePath } from '#protocol/ids';
import { type Bench, toolBench } from '#test/support/tool-context';
import { deleteFile } from '#tools/files/delete-file';
import { editFile } from '#tools/files/edit-file';
import { readFile } from '#tools/files/read-file';
import { writeFile } from '#tools/files/write-file';

/** A workspace whose settings name that encoding. */
function benchIn(encoding: string, files: Readonly<Record<string, string | Uint8Array>>): Bench {
  return toolBench(files, { text: { encoding } });
}

async function readAndEdit(bench: Bench, path: string, oldText: string, newText: string) {
  await bench.call(readFile, { path });
  return bench.call(editFile, { path, oldText, newText });
}

test('ED-01 an edit of a Shift-JIS file is written in Shift-JIS, and no other byte changes', async () => {
  const rest = Array.from({ length: 20 }, (_, index) => `表示=ソ能${index}\n`).join('');
  const bench = benchIn('shiftjis', { 'jis.txt': iconv.encode(`設定=旧\n${rest}`, 'shiftjis') });
  expect((await readAndEdit(bench, 'jis.txt', '旧', '新規')).status).toBe('success');
  expect(bench.folder.bytes('jis.txt').equals(iconv.encode(`設定=新規\n${rest}`, 'shiftjis'))).toBe(true);
});

test('ED-02 an edit of plain letters leaves 300 bytes of Latin-1 elsewhere as they are', async () => {
  const bytes = Buffer.from(`${'// caf\xe9\n'.repeat(300)}if (a == 1) {}\n`, 'latin1');
  const bench = benchIn('iso88591', { 'latin.php': bytes });
  await readAndEdit(bench, 'latin.php', 'a == 1', 'a != 1');
  const wanted = Buffer.from(bytes.toString('latin1').replace('==', '!='), 'latin1');
  expect(bench.folder.bytes('latin.php').equals(wanted)).toBe(true);
});

test('ED-03 a GBK file reads as Chinese, says its encoding, and keeps its comment through an edit', async () => {
  const bench = benchIn('gbk', { 'gbk.c': iconv.encode('/* 中文注释 */\nint a=1;\n', 'gbk') });
  expect((await bench.call(readFile, { path: 'gbk.c' })).content).toBe(
    '     1→/* 中文注释 */\n     2→int a=1;\n\n(encoding gbk)',
  );
  await bench.call(editFile, { path: 'gbk.c', oldText: 'int a=1;', newText: 'int a=2; // 改' });
  expect(bench.folder.bytes('gbk.c').equals(iconv.encode('/* 中文注释 */\nint a=2; // 改\n', 'gbk'))).toBe(
    true,
  );
});

test('ED-01 a character that the encoding lacks is named with its line, and nothing is written', async () => {
  const bench = benchIn('gbk', { 'a.txt': iconv.encode('中\n文\n', 'gbk') });
  const refused =
    'gbk, the encoding of this file, has no "😀" (U+1F600), which stands in line 2 of the new text';
  expect(await readAndEdit(bench, 'a.txt', '文', '文😀')).toMatchObject({
    status: 'error',
    code: 'rejected_arguments',
    content: `edit_file: ${refused}; write it another way, or ask the user to save the file as UTF-8`,
  });
  const over = await bench.call(writeFile, { path: 'a.txt', content: '中\n😀\n', overwrite: true });
  const made = await bench.call(writeFile, { path: 'new.txt', content: 'a\n😀' });
  expect([over.content, made.content].every((words) => words.startsWith(`write_file: ${refused}`))).toBe(
    true,
  );
  expect(bench.written).toEqual([]);
});

test('ED-03 bytes that are not of the encoding that is set are refused by reading, editing and writing alike', async () => {
  const bytes = Buffer.from('d6d0ce0a', 'hex');
  const bench = benchIn('gbk', { 'broken.c': bytes });
  const problem = 'broken.c is not text in gbk, the encoding that was taken for it';
  const advice =
    'Ask the user to set files.encoding for it, or to reopen it in the editor with its encoding; then read it again';
  const read = await bench.call(readFile, { path: 'broken.c' });
  const edit = await bench.call(editFile, { path: 'broken.c', oldText: 'a', newText: 'b' });
  const write = await bench.call(writeFile, { path: 'broken.c', content: 'b', overwrite: true });
  expect([read.content, edit.content, write.content]).toEqual([
    `read_file: ${problem}. ${advice}`,
    `edit_file: ${problem}; it was left untouched. ${advice}`,
    `write_file: ${problem}; it was left untouched. ${advice}`,
  ]);
  expect(bench.folder.bytes('broken.c').equals(bytes)).toBe(true);
});

test('UTF-16 with a mark is text, whatever the settings say, and keeps its mark', async () => {
  const bench = benchIn('gbk', { 'w.txt': iconv.encode('a\r\n中\r\n', 'utf16le', { addBOM: true }) });
  expect((await bench.call(readFile, { path: 'w.txt' })).content).toBe(
    '     1→a\n     2→中\n\n(encoding utf16le; CRLF line ends; byte order mark)',
  );
  await bench.call(editFile, { path: 'w.txt', oldText: '中', newText: '😀\nb' });
  expect(
    bench.folder.bytes('w.txt').equals(iconv.encode('a\r\n😀\r\nb\r\n', 'utf16le', { addBOM: true })),
  ).toBe(true);
});

test('a file over 1 MB in UTF-16 or GBK is shown by pages of whole lines', async () => {
  const lines = Array.from({ length: 60_000 }, (_, index) => `第 ${index + 1} 行 ਊ਀ ${'x'.repeat(9)}`);
  const text = `${lines.join('\n')}\n`;
  const wide = benchIn('utf8', { 'le.log': iconv.encode(text, 'utf16le', { addBOM: true }) });
  const page = await wide.call(readFile, { path: 'le.log', offset: 50_000, limit: 2 });
  expect(page.content).toMatch(/^ 50000→第 50000 行 .+\n 50001→第 50001 行 .+\n\n\(lines 50000–50001/);
  const big = benchIn('gbk', {
    'be.log': iconv.encode(text, 'utf16be', { addBOM: true }),
    'gbk.log': iconv.encode(text.replaceAll('ਊ਀', '丂'), 'gbk'),
  });
  for (const path of ['be.log', 'gbk.log'])
    expect((await big.call(readFile, { path, offset: 40_000, limit: 1 })).content).toMatch(
      /^ 40000→第 40000 行 /,
    );
});

test.each([
  ['gbk', iconv.encode(`"${'中'.repeat(700_000)}"`, 'gbk')],
  ['gb18030', iconv.encode(`"${'😀'.repeat(400_000)}"`, 'gb18030')],
  ['utf8', iconv.encode(`"${'😀'.repeat(500_000)}"`, 'utf16le', { addBOM: true })],
])('the beginning of a huge single line is shown in %s', async (encoding, bytes) => {
  const bench = benchIn(encoding, { 'data.txt': bytes });
  const { content } = await bench.call(readFile, { path: 'data.txt' });
  expect(content).toMatch(/^ {5}1→"(中|😀)+… \(at least \d+ more characters in this line\)/u);
  expect(content).not.toContain('\uFFFD');
});

test('a file read while unsaved can be edited once it was saved in its encoding', async () => {
  const bench = benchIn('gbk', { 'a.txt': iconv.encode('旧\n', 'gbk') });
  bench.host.dirty.set(bench.folder.at('a.txt'), '新\n');
  await bench.call(readFile, { path: 'a.txt' });
  expect(bench.context.reads.seen('a.txt' as RelativePath)?.sha256).toBe(sha256(iconv.encode('新\n', 'gbk')));
});

test('a new file gets the encoding, the mark and the line ends that the settings name, and the model is told', async () => {
  const gbk = toolBench({}, { text: { encoding: 'gbk', lineEnd: '\r\n' } });
  const written = await gbk.call(writeFile, { path: 'a.txt', content: '中\n文\n' });
  expect(written.content).toBe(
    'Wrote a.txt: 2 lines.\nAs the settings of the editor say: encoding gbk, CRLF line ends.',
  );
  expect(gbk.folder.bytes('a.txt').toString('hex')).toBe('d6d00d0acec40d0a');
  await gbk.call(writeFile, { path: 'b.txt', content: 'a\r\nb\n' });
  expect(gbk.folder.text('b.txt')).toBe('a\r\nb\n');
  const marked = benchIn('utf8bom', {});
  await marked.call(writeFile, { path: 'a.ps1', content: 'é' });
  await marked.call(writeFile, { path: 'b.ps1', content: '\uFEFFé' });
  expect(['a.ps1', 'b.ps1'].map((path) => marked.folder.text(path))).toEqual(['\uFEFFé', '\uFEFFé']);
  const wide = benchIn('utf16le', {});
  await wide.call(writeFile, { path: 'w.txt', content: 'é' });
  expect(wide.folder.bytes('w.txt').toString('hex')).toBe('fffee900');
});

test('an overwrite keeps encoding and line ends, and the file counts as read', async () => {
  const bench = benchIn('eucjp', { 'a.txt': iconv.encode('日本\r\n語\r\n', 'eucjp') });
  await bench.call(readFile, { path: 'a.txt' });
  await bench.call(writeFile, { path: 'a.txt', content: '日\n本\n', overwrite: true });
  await bench.call(editFile, { path: 'a.txt', oldText: '本', newText: '曜' });
  expect(bench.folder.bytes('a.txt').equals(iconv.encode('日\r\n曜\r\n', 'eucjp'))).toBe(true);
});

test('a deletion shows the text that goes', async () => {
  const bench = benchIn('big5hkscs', { 'a.txt': iconv.encode('繁體\n', 'big5hkscs') });
  const result = await bench.call(deleteFile, { path: 'a.txt' });
  expect(result.display).toMatchObject({ removed: 1, hunks: [{ lines: ['-繁體'] }] });
});
