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
  const lines = (maxLength: number): fc.Arbitrary<string[]> =>
    fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength });
  const sides = fc.tuple(lines(30), lines(30), lines(12), lines(12), fc.boolean(), fc.boolean());
  fc.assert(
    fc.property(sides, ([old, put, above, below, oldEnds, newEnds]) => {
      const [before, after] = [
        [...above, ...old, ...below],
        [...above, ...put, ...below],
      ];
      // A line feed alone would be a line of its own.
      const text = (all: readonly string[], ends: boolean) =>
        all.join('\n') + (ends && all.length > 0 ? '\n' : '');
      const now = [...before];
      let shift = 0;
      for (const hunk of diffLines(text(before, oldEnds), text(after, newEnds)).hunks) {
        const was = hunk.lines.filter((line) => line[0] !== '+').map((line) => line.slice(1));
        const becomes = hunk.lines.filter((line) => line[0] !== '-').map((line) => line.slice(1));
        const at = Math.max(0, hunk.oldStart - 1) + shift;
        expect(now.slice(at, at + was.length)).toEqual(was);
        now.splice(at, was.length, ...becomes);
        shift += becomes.length - was.length;
      }
      expect(now).toEqual(after);
    }),
  );
});
