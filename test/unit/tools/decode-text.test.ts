import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { plainEncodings } from '#disk/encodings';
import type { AbsolutePath } from '#protocol/ids';
import { decodeText } from '#tools/decode-text';

const hex = (digits: string) => Buffer.from(digits, 'hex');

/** The text and its form, or why it is none, where that encoding is set for the file. */
async function decoded(bytes: Uint8Array, set = 'utf8') {
  const file = await decodeText(
    bytes,
    '/a.txt' as AbsolutePath,
    plainEncodings(() => ({ encoding: set })),
  );
  return file.ok ? [file.value.encoding, file.value.bom, file.value.text] : file.error.what;
}

test.each([
  ['UTF-8', 'utf8', hex('68c3a9'), ['utf8', false, 'hé']],
  ['UTF-8 with a mark', 'utf8', hex('efbbbf68c3a9'), ['utf8', true, 'hé']],
  ['a mark after the mark', 'utf8', hex('efbbbfefbbbf61'), ['utf8', true, '\uFEFFa']],
  ['UTF-16 LE with a mark', 'utf8', hex('fffe6100e900'), ['utf16le', true, 'aé']],
  ['UTF-16 BE with a mark', 'utf8', hex('feff006100e9'), ['utf16be', true, 'aé']],
  ['an empty UTF-16 file', 'utf8', hex('fffe'), ['utf16le', true, '']],
  [
    'UTF-16 LE without a mark, as the editor takes it',
    'utf8',
    hex('61000a006200'),
    ['utf16le', false, 'a\nb'],
  ],
  ['UTF-16 BE without a mark', 'utf8', hex('0061000a'), ['utf16be', false, 'a\n']],
  ['UTF-16 without a mark by setting', 'utf16le', hex('2d4e'), ['utf16le', false, '中']],
  ['a mark that says another encoding than the setting', 'gbk', hex('efbbbfe4b8ad'), ['utf8', true, '中']],
  ['GBK by setting', 'gbk', hex('2f2a20d6d0cec4202a2f0a'), ['gbk', false, '/* 中文 */\n']],
  ['plain letters in a folder of GBK', 'gbk', hex('61'), ['gbk', false, 'a']],
  ['the setting for a mark without a mark', 'utf8bom', hex('61'), ['utf8', false, 'a']],
])('reads %s', async (_name, set, bytes, wanted) => {
  expect(await decoded(bytes, set)).toEqual(wanted);
});

test.each([
  ['GBK that nothing says', 'utf8', hex('636f6e737420d6d0cec4'), /^not UTF-8 text$/],
  ['Latin-1 that nothing says', 'utf8', hex('636166e9'), /^not UTF-8 text$/],
  ['a surrogate in UTF-8', 'utf8', hex('eda080'), /^not UTF-8 text$/],
  ['half a pair in UTF-16', 'utf8', hex('fffe00d86100'), /^not text in utf16le/],
  ['half a unit in UTF-16', 'utf8', hex('fffe61'), /^not text in utf16le/],
  ['UTF-32', 'utf8', hex('fffe000061000000'), /^UTF-32 text, which is not supported$/],
  ['UTF-32 of the other order', 'utf8', hex('0000feff00000061'), /^UTF-32 text/],
  ['half a character of GBK', 'gbk', hex('d6d0ce'), /^not text in gbk/],
  [
    'two ways to write one character, of which one comes back',
    'shiftjis',
    hex('81caeef9'),
    /^not text in shiftjis/,
  ],
  [
    'an encoding that is not known',
    'klingon',
    hex('61'),
    /^set to an encoding that is not known \(klingon\)$/,
  ],
  [
    'base64, which hides what is read',
    'base64',
    hex('616161'),
    /^set to an encoding that is not known \(base64\)$/,
  ],
  ['UTF-7, which hides what is read', 'UTF-7', hex('616161'), /^set to an encoding that is not known/],
  ['a zero byte in GBK', 'gbk', hex('d6d000'), /^a binary file$/],
  ['a zero character in UTF-16', 'utf8', hex('fffe00006100'), /^UTF-32|^a binary file$/],
  ['a PNG', 'utf8', hex('89504e470d0a1a0a00'), /^a PNG image$/],
  ['a PNG in a folder of Latin-1', 'iso88591', hex('89504e470d0a1a0a00'), /^a PNG image$/],
  ['a WebP', 'utf8', Buffer.from('RIFF0000WEBPVP8 '), /^a WebP image$/],
  ['zero bytes', 'utf8', hex('61620061'), /^a binary file$/],
  ['two bytes of gzip', 'utf8', hex('1f8b'), /gzip/],
])('does not take %s for text', async (_name, set, bytes, what) => {
  expect(await decoded(bytes, set)).toMatch(what);
});

test('works on a view into a larger buffer', async () => {
  const whole = Buffer.from('xxRIFF0000WEBP');
  expect([await decoded(whole.subarray(2)), await decoded(whole)]).toEqual([
    'a WebP image',
    ['utf8', false, 'xxRIFF0000WEBP'],
  ]);
  const wide = hex('00fffe6100');
  expect(await decoded(wide.subarray(1))).toEqual(['utf16le', true, 'a']);
});

test.each([
  ...['gbk', 'gb18030', 'gb2312', 'shiftjis', 'eucjp', 'euckr', 'cp950', 'big5hkscs'],
  ...[
    'windows1250',
    'windows1251',
    'windows1252',
    'windows1253',
    'windows1254',
    'windows1255',
    'windows1256',
  ],
  ...['windows1257', 'windows1258', 'windows874', 'iso88591', 'iso88592', 'iso88595', 'iso885915'],
  ...['koi8r', 'koi8u', 'koi8ru', 'koi8t', 'cp437', 'cp850', 'cp852', 'cp865', 'cp866', 'cp1125', 'macroman'],
  ...['iso88593', 'iso88594', 'iso88596', 'iso88597', 'iso88598', 'iso88599', 'iso885910', 'iso885911'],
  ...['iso885913', 'iso885914', 'iso885916'],
])('knows %s, as files.encoding names it', async (name) => {
  const sample = ['中', 'あ', '가', 'я', 'é', 'א', 'ع', 'α', 'ğ', 'ą', 'ก', 'ç', 'ø'].find(
    (character) => iconv.decode(iconv.encode(character, name), name) === character,
  );
  const text = `x${sample ?? 'nothing it can write'}\n`;
  expect(await decoded(iconv.encode(text, name), name)).toEqual([name, false, text]);
});
