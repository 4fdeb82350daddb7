import { expect, test } from 'vitest';
import { decodeText, encodeText, splitLines, textFacts } from '#tools/text-file';

const bytes = (text: string) => new TextEncoder().encode(text);

test.each([
  ['a\nb\n', 'lf', []],
  ['a\r\nb\r\n', 'crlf', ['CRLF line ends']],
  ['a\rb\r', 'cr', ['CR line ends']],
  ['a\r\nb\nc', 'mixed', ['mixed line ends', 'no final newline']],
  ['a', 'none', ['no final newline']],
  ['', 'none', []],
])('knows the form of %j', (text, ends, facts) => {
  const decoded = decodeText(bytes(text));
  expect(decoded).toMatchObject({ ok: true, value: { text, ends, bom: false } });
  expect(decoded.ok && textFacts(decoded.value)).toEqual(facts);
});

test('takes one byte order mark off and puts it back', () => {
  const decoded = decodeText(bytes('\uFEFFhello'));
  expect(decoded).toMatchObject({ ok: true, value: { text: 'hello', bom: true } });
  expect(encodeText('hello', true)).toEqual({ ok: true, value: bytes('\uFEFFhello') });
});

test.each([
  ['GBK', Buffer.from('636f6e737420d6d0cec4', 'hex'), /not UTF-8 text/],
  ['Latin-1', Buffer.from('636166e9', 'hex'), /not UTF-8 text/],
  ['a surrogate in UTF-8', Buffer.from('eda080', 'hex'), /not UTF-8 text/],
  ['UTF-16', Buffer.from('fffe6100', 'hex'), /UTF-16 text/],
  ['a PNG', Buffer.from('89504e470d0a1a0a00', 'hex'), /a PNG image/],
  ['a WebP', Buffer.concat([Buffer.from('RIFF0000WEBPVP8 ')]), /a WebP image/],
  ['NUL bytes', Buffer.from('61620061', 'hex'), /a binary file/],
  ['two bytes of gzip', Buffer.from('1f8b', 'hex'), /gzip/],
])('does not take %s for text', (_name, content, what) => {
  const decoded = decodeText(content);
  expect(decoded.ok ? 'text' : decoded.error.what).toMatch(what);
});

test('works on a view into a larger buffer', () => {
  const whole = bytes('xxRIFF0000WEBP');
  expect(decodeText(whole.subarray(2))).toMatchObject({ ok: false });
  expect(decodeText(whole)).toMatchObject({ ok: true, value: { text: 'xxRIFF0000WEBP' } });
});

test('ED-01 refuses half of a surrogate pair instead of writing a replacement character', () => {
  expect(encodeText('a\ud800b', false)).toMatchObject({ ok: false });
});

test('counts lines as a person does', () => {
  expect([
    splitLines(''),
    splitLines('a'),
    splitLines('a\n'),
    splitLines('a\n\n'),
    splitLines('a\r\nb\rc'),
  ]).toEqual([[], ['a'], ['a'], ['a', ''], ['a', 'b', 'c']]);
});
