import { expect, test } from 'vitest';
import { plainEncodings } from '#disk/encodings';
import type { AbsolutePath } from '#protocol/ids';
import { encodeText, formOfNew } from '#tools/encode-text';

async function encoded(text: string, encoding: string, bom = false) {
  const bytes = await encodeText(text, { encoding, bom }, '/a.txt' as AbsolutePath, plainEncodings());
  return bytes.ok ? Buffer.from(bytes.value).toString('hex') : bytes.error;
}

test.each([
  ['utf8', false, 'é', 'c3a9'],
  ['utf8', true, 'é', 'efbbbfc3a9'],
  ['utf16le', true, 'é😀', 'fffee9003dd800de'],
  ['utf16be', true, 'é', 'feff00e9'],
  ['utf16le', false, 'a', '6100'],
  ['gbk', false, '中', 'd6d0'],
  ['gb18030', false, '😀', '9439fc36'],
  ['shiftjis', false, '表', '955c'],
])('writes %s, mark %s', async (encoding, bom, text, bytes) => {
  expect(await encoded(text, encoding, bom)).toBe(bytes);
});

test('ED-01 names the character that the encoding lacks, and its line, instead of writing a question mark', async () => {
  expect(await encoded('a?\r\nb\rc\n中😀?', 'gbk')).toBe(
    'gbk, the encoding of this file, has no "😀" (U+1F600), which stands in line 4 of the new text; write it another way, or ask the user to save the file as UTF-8',
  );
  expect(await encoded('\u200b', 'windows1252')).toMatch(
    /^windows1252, the encoding of this file, has no U\+200B, which stands in line 1 /,
  );
  expect(await encoded('中', 'iso88591')).toMatch(/has no "中" \(U\+4E2D\)/);
});

test('ED-01 refuses half of a surrogate pair instead of writing a replacement character', async () => {
  expect(await encoded('a\ud800b', 'utf8')).toMatch(/half of a surrogate pair/);
  expect(await encoded('a\udc00b', 'utf16le')).toMatch(/half of a surrogate pair/);
});

test('refuses text that would be read as something else', async () => {
  expect(await encoded('a\0', 'utf8')).toMatch(/^the text holds a NUL character/);
  expect(await encoded('\uFEFFa', 'utf8')).toMatch(/^the new text begins with a byte order mark/);
  expect(await encoded('\uFEFFa', 'utf8', true)).toBe('efbbbfefbbbf61');
  expect(await encoded('a中', 'utf16le')).toMatch(
    /^the file is UTF-16 without a byte order mark, and with this/,
  );
});

test.each(['klingon', 'base64', 'hex'])('refuses an encoding that is not known: %s', async (name) => {
  expect(await encoded('aa', name)).toBe(
    `the encoding ${name}, which is set for this file, is not known; ask the user to change files.encoding`,
  );
});

test.each([
  [undefined, { encoding: 'utf8', bom: false }],
  ['utf8bom', { encoding: 'utf8', bom: true }],
  ['utf16be', { encoding: 'utf16be', bom: true }],
  ['gbk', { encoding: 'gbk', bom: false }],
])('a new file where %s is set', async (encoding, form) => {
  const encodings = plainEncodings(() => (encoding === undefined ? {} : { encoding }));
  expect(await formOfNew('/new.txt' as AbsolutePath, encodings)).toEqual(form);
});

test.each([
  ['windows1252', 'ÿþa'],
  ['windows1252', 'þÿa'],
  ['iso88591', 'ï»¿a'],
])('refuses what %s writes as a byte order mark: %s', async (encoding, text) => {
  expect([await encoded(text, encoding), await encoded(` ${text}`, encoding)]).toEqual([
    'the new text begins with characters that this encoding writes as a byte order mark, so the file would be taken for Unicode; begin it with others',
    expect.stringMatching(/^20[0-9a-f]+61$/),
  ]);
});
