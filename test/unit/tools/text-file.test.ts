import { expect, test } from 'vitest';
import { describeText, splitLines, textFacts, withoutMark } from '#tools/text-file';

const UTF8 = { encoding: 'utf8', bom: false };

test.each([
  ['a\nb\n', 'lf', []],
  ['a\r\nb\r\n', 'crlf', ['CRLF line ends']],
  ['a\rb\r', 'cr', ['CR line ends']],
  ['a\r\nb\nc', 'mixed', ['mixed line ends', 'no final newline']],
  ['a', 'none', ['no final newline']],
  ['', 'none', []],
])('knows the form of %j', (text, ends, facts) => {
  const file = describeText(text, UTF8);
  expect([file.ends, textFacts(file)]).toEqual([ends, facts]);
});

test('tells an encoding and a byte order mark before the rest', () => {
  expect(textFacts(describeText('a\r\n', { encoding: 'utf16le', bom: true }))).toEqual([
    'encoding utf16le',
    'CRLF line ends',
    'byte order mark',
  ]);
});

test('takes one byte order mark off a text', () => {
  expect(['\uFEFFa', '\uFEFF\uFEFFa', 'a'].map(withoutMark)).toEqual(['a', '\uFEFFa', 'a']);
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
