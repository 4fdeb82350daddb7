import fc from 'fast-check';
import { expect, test } from 'vitest';
import { processorSeconds } from '#test/support/processor';
import { applyEdits } from '#tools/edit-match';
import { toLineFeeds } from '#tools/line-ends';

function edited(text: string, oldText: string, newText: string, replaceAll = false): string {
  const result = applyEdits(text, [{ oldText, newText, replaceAll }]);
  return result.ok ? result.value.text : `refused: ${result.error}`;
}

test('a line feed that is put behind a carriage return opens a line of its own', () => {
  expect([
    edited('a\rb\nc', 'b', '\nb'),
    edited('a\rX\nb', 'X', ''),
    edited('x\ry\nz', 'x\ny\nz', 'p\n\nq'),
  ]).toEqual(['a\r\r\nb\nc', 'a\r\n\nb', 'p\r\r\nq']);
});

test('line ends nearest to a place are taken behind it, else before it', () => {
  expect([
    edited('a\r\nb\nc', 'b', 'b1\nb2'),
    edited('a\r\nb', 'b', 'b1\nb2'),
    edited('a\rb', 'b', 'b1\nb2'),
    edited('b', 'b', 'b1\nb2'),
    edited(`a\r\n${'x'.repeat(30_000)}b`, 'b', 'b1\nb2').slice(-7),
  ]).toEqual(['a\r\nb1\nb2\nc', 'a\r\nb1\r\nb2', 'a\rb1\rb2', 'b1\nb2', 'xb1\r\nb2']);
});

test('what an edit makes of any mix of line ends reads as what it makes of line feeds', () => {
  const piece = fc.constantFrom('\r', '\n', '\r\n', 'a', 'b', 'X');
  const text = fc.array(piece, { minLength: 1, maxLength: 12 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, text, text, fc.boolean(), (whole, old, next, all) => {
      const before = toLineFeeds(whole);
      const oldText = toLineFeeds(old).slice(0, 3);
      const newText = toLineFeeds(next);
      fc.pre(oldText !== newText && before.includes(oldText));
      const result = applyEdits(whole, [{ oldText, newText, replaceAll: all }]);
      fc.pre(result.ok);
      expect(toLineFeeds(result.value.text)).toBe(
        all ? before.split(oldText).join(newText) : before.replace(oldText, () => newText),
      );
    }),
    { numRuns: 3000 },
  );
});

test('breaking one long line in tens of thousands of places takes no time', async () => {
  const taken = await processorSeconds(() => {
    const lines = edited('abcdefghi,'.repeat(60_000), ',', ',\n', true).split('\n');
    expect(lines).toHaveLength(60_001);
  });
  expect(taken).toBeLessThan(5);
});
