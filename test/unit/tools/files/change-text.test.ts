import { expect, test } from 'vitest';
import { changedText } from '#tools/files/change-text';

const change = (from: [number, number], to: [number, number], text: string) => ({
  start: { line: from[0], column: from[1] },
  end: { line: to[0], column: to[1] },
  text,
});

test('changes land where they point, whatever their order and the line ends', () => {
  const text = 'import a from "./a";\r\nx\rimport b from "./b";\n';
  const changes = [change([2, 17], [2, 18], 'lib/b'), change([0, 17], [0, 18], 'lib/a')];
  expect(changedText(text, changes)).toBe('import a from "./lib/a";\r\nx\rimport b from "./lib/b";\n');
});

test('several at one place follow each other; the end of the text is a place', () => {
  expect(changedText('ab', [change([0, 2], [0, 2], 'c'), change([0, 2], [0, 2], 'd')])).toBe('abcd');
});

test('a change that ends past the last line ends with the text, as editors have it', () => {
  const whole = [change([0, 0], [99, 0], 'new\n')];
  const last = [change([1, 0], [2, 0], 'e')];
  expect([changedText('abc\nd', whole), changedText('abc\nd', last)]).toEqual(['new\n', 'abc\ne']);
});

test('what overlaps, runs backwards or lies outside changes nothing', () => {
  const refused = [
    [change([0, 0], [0, 2], 'x'), change([0, 1], [0, 3], 'y')],
    [change([0, 2], [0, 1], 'x')],
    [change([3, 0], [3, 1], 'x')],
  ].map((changes) => changedText('abc\nd', changes));
  expect(refused).toEqual([undefined, undefined, undefined]);
});

test('a column past the end of its line is that end, and the line end stays', () => {
  expect([
    changedText('ab\r\nc\n', [change([0, 1], [0, 999], 'X')]),
    changedText('ab\nc', [change([1, 999], [1, 999], 'X')]),
    changedText('ab\nc', [change([0, -1], [0, 1], 'X')]),
  ]).toEqual(['aX\r\nc\n', 'ab\ncX', undefined]);
});

test('what is put in right before a replaced part comes first, in whatever order they are named', () => {
  const changes = [change([0, 1], [0, 2], 'B'), change([0, 1], [0, 1], '+')];
  expect([changedText('abc', changes), changedText('abc', changes.toReversed())]).toEqual(['a+Bc', 'a+Bc']);
});
