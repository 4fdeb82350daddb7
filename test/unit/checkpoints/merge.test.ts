import { describe, expect, test } from 'vitest';
import { mergeContents } from '#checkpoints/merge';
import { hunksBetween, piecesOf } from '#checkpoints/pieces';

const merged = (base: string, ours: string, theirs: string, encoding: BufferEncoding = 'latin1') => {
  const result = mergeContents({
    base: Buffer.from(base, encoding),
    ours: Buffer.from(ours, encoding),
    theirs: Buffer.from(theirs, encoding),
  });
  return result && Buffer.from(result).toString(encoding);
};

describe('two hands at one file', () => {
  test('both changes stand where an unchanged line lies between', () => {
    expect(merged('1\n2\n3\n4\n5\n', '1\nB\n3\n4\n5\n', '1\n2\n3\nD\n5\n')).toBe('1\nB\n3\nD\n5\n');
  });

  test('changes of the same line, of lines side by side, and insertions at one place are not merged', () => {
    expect(merged('1\n2\n3\n', '1\nB\n3\n', '1\nC\n3\n')).toBeUndefined();
    expect(merged('1\n2\n3\n4\n', '1\nB\n3\n4\n', '1\n2\nC\n4\n')).toBeUndefined();
    expect(merged('1\n2\n', '1\nx\n2\n', '1\ny\n2\n')).toBeUndefined();
  });

  test('what both did alike is done once, and the rest with it', () => {
    expect(merged('A\n2\n3\nD\n5\n6\n', 'a\n2\n3\nd\n5\n6\n', 'a\n2\n3\nD\n5\nsix\n')).toBe(
      'a\n2\n3\nd\n5\nsix\n',
    );
  });

  test('line ends, a missing last one, bytes of any encoding and a 16-bit text stay what they are', () => {
    expect(merged('1\r\n2\r\n3\r4\n5', '1\r\nB\r\n3\r4\n5', '1\r\n2\r\n3\r4\nfive')).toBe(
      '1\r\nB\r\n3\r4\nfive',
    );
    expect(merged('\xff\n2\n\xc3\n', '\xfe\n2\n\xc3\n', '\xff\n2\n\xc4\n')).toBe('\xfe\n2\n\xc4\n');
    expect(merged('\ufeffĊ\n2\nਊ\n', '\ufeffĊĊ\n2\nਊ\n', '\ufeffĊ\n2\nਊ!\n', 'utf16le')).toBe(
      '\ufeffĊĊ\n2\nਊ!\n',
    );
  });

  test('a last line without its end never comes to stand in the middle', () => {
    expect(merged('1\n2\n3', '1\n2\n3\nmine\n', '0\n2\n3')).toBe('0\n2\n3\nmine\n');
    expect(merged('1\n2\n3\n', '1\n2\n3', '1\n2\n3\n4\n')).toBeUndefined();
  });

  test('binary contents and such in two forms are not merged', () => {
    expect(merged('a\0\n2\n3\n', 'b\0\n2\n3\n', 'a\0\n2\nc\n')).toBeUndefined();
    const base = Buffer.from('1\n2\n3\n');
    const theirs = Buffer.from('\ufeff1\n2\n3\n', 'utf16le');
    expect(mergeContents({ base, ours: Buffer.from('x\n2\n3\n'), theirs })).toBeUndefined();
  });

  test('contents too different to be compared are not merged', () => {
    const lines = (mark: string) => Array.from({ length: 5000 }, (_, n) => `${mark}${n}\n`).join('');
    expect(merged(lines('a'), lines('b'), lines('c'))).toBeUndefined();
  });
});

describe('hunks', () => {
  const lines = (text: string) => piecesOf(Buffer.from(text))?.lines ?? [];

  test('say which lines stand for which', () => {
    expect(hunksBetween(lines('1\n2\n3\n4\n5\n'), lines('0\n1\n2\nthree\n4\n'))).toEqual([
      { old: [0, 0], now: [0, 1] },
      { old: [2, 3], now: [3, 4] },
      { old: [4, 5], now: [5, 5] },
    ]);
    expect(hunksBetween(lines('1\n'), lines('1\n'))).toEqual([]);
    expect(hunksBetween([], lines('1'))).toEqual([{ old: [0, 0], now: [0, 1] }]);
  });

  test('lines are those of the editor: each kind of line end ends one', () => {
    expect(lines('a\rb\r\nc\n\nd')).toEqual(['a\r', 'b\r\n', 'c\n', '\n', 'd']);
  });
});
