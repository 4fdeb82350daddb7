import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DISPLAY_LIMIT } from '#protocol/tool-result';
import { diffDisplay, diffLines } from '#tools/diff';

test('shows three lines around a change, with their numbers', () => {
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`);
  const before = `${lines.join('\n')}\n`;
  const after = before.replace('line 10\n', 'line ten\nand more\n');
  expect(diffLines(before, after)).toEqual({
    added: 2,
    removed: 1,
    hunks: [
      {
        oldStart: 7,
        newStart: 7,
        lines: [
          ' line 7',
          ' line 8',
          ' line 9',
          '-line 10',
          '+line ten',
          '+and more',
          ' line 11',
          ' line 12',
          ' line 13',
        ],
      },
    ],
  });
});

test('a new file is all added, a deleted one all removed, an equal one nothing', () => {
  expect(diffLines('', 'a\nb')).toEqual({
    added: 2,
    removed: 0,
    hunks: [{ oldStart: 1, newStart: 1, lines: ['+a', '+b'] }],
  });
  expect(diffLines('a\n', '')).toEqual({
    added: 0,
    removed: 1,
    hunks: [{ oldStart: 1, newStart: 1, lines: ['-a'] }],
  });
  expect(diffLines('a\r\nb', 'a\nb')).toEqual({ added: 0, removed: 0, hunks: [] });
});

test('a total rewrite of a long file ends soon and stays bounded', () => {
  const text = (word: string) =>
    Array.from({ length: 20_000 }, (_, index) => `${word} ${(index * 7919) % 20_011}`).join('\n');
  const display = diffDisplay({ path: 'a', operation: 'modify', before: text('old'), after: text('new') });
  expect(display).toMatchObject({ kind: 'diff', added: 20_000, removed: 20_000 });
  expect(JSON.stringify(display).length).toBeLessThan(DISPLAY_LIMIT * 2);
});

test('the hunks turn the old lines into the new ones', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 30 })
    .map((lines) => lines.map((line) => `${line}\n`).join(''));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const now = before.split('\n').slice(0, -1);
      let shift = 0;
      for (const { oldStart, lines } of diffLines(before, after).hunks) {
        const old = lines.filter((line) => line[0] !== '+').map((line) => line.slice(1));
        const put = lines.filter((line) => line[0] !== '-').map((line) => line.slice(1));
        const at = Math.max(0, oldStart - 1) + shift;
        expect(now.slice(at, at + old.length)).toEqual(old);
        now.splice(at, old.length, ...put);
        shift += put.length - old.length;
      }
      expect(now.map((line) => `${line}\n`).join('')).toBe(after);
    }),
  );
});
