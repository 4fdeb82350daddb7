import { expect, test } from 'vitest';
import { decodeUnicode, encodeUnicode, markOf, unmarkedUtf16 } from '#tools/unicode';

const hex = (digits: string) => Buffer.from(digits, 'hex');

test.each([
  ['efbbbf61', { encoding: 'utf8', length: 3 }],
  ['fffe6100', { encoding: 'utf16le', length: 2 }],
  ['feff0061', { encoding: 'utf16be', length: 2 }],
  ['fffe0000', { encoding: 'utf32', length: 4 }],
  ['0000feff', { encoding: 'utf32', length: 4 }],
  ['efbb', undefined],
  ['ff', undefined],
  ['', undefined],
])('the mark of %s', (bytes, mark) => {
  expect(markOf(hex(bytes))).toEqual(mark);
});

test.each([
  ['61000a00', 'utf16le'],
  ['0061000d000a', 'utf16be'],
  ['00ff', undefined],
  ['01000200', undefined],
  ['6100620', undefined],
  ['610000', undefined],
  ['6162', undefined],
  ['', undefined],
])('%s without a mark is %s', (bytes, encoding) => {
  expect(unmarkedUtf16(hex(bytes))).toBe(encoding);
});

test('looks for UTF-16 at the beginning of long bytes only', () => {
  const text = Buffer.from(`${'a'.repeat(256)}中`, 'utf16le');
  expect([unmarkedUtf16(text), unmarkedUtf16(text.subarray(4))]).toEqual(['utf16le', undefined]);
});

test('swaps bytes in a copy, never in what it was given', () => {
  const bytes = hex('0061');
  expect([decodeUnicode(bytes, 'utf16be'), bytes.toString('hex')]).toEqual(['a', '0061']);
  expect(Buffer.from(encodeUnicode('a中', 'utf16be')).toString('hex')).toBe('00614e2d');
});
