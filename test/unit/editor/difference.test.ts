import fc from 'fast-check';
import { expect, test } from 'vitest';
import { differenceOf } from '#editor/difference';

const piece = fc.constantFrom('a', 'b', '\n', '\r\n', '😀', '😁', 'é');
const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));

test('replacing the difference makes the new text of the old one', () => {
  fc.assert(
    fc.property(text, text, (old, wanted) => {
      const { start, end, replacement } = differenceOf(old, wanted);
      expect(start <= end && end <= old.length).toBe(true);
      expect(old.slice(0, start) + replacement + old.slice(end)).toBe(wanted);
    }),
  );
});

test('neither a line end nor a character is cut in two', () => {
  fc.assert(
    fc.property(text, text, (old, wanted) => {
      const { start, end } = differenceOf(old, wanted);
      for (const cut of [start, end]) {
        const around = old.slice(Math.max(0, cut - 1), cut + 1);
        expect(cut > 0 && cut < old.length && /^(\r\n|[\ud800-\udbff][\udc00-\udfff])$/.test(around)).toBe(
          false,
        );
      }
    }),
  );
});

test('equal texts differ in nothing, and a change of one word is one word', () => {
  expect([differenceOf('one two', 'one two'), differenceOf('a\none two\nb', 'a\none 2\nb')]).toEqual([
    { start: 7, end: 7, replacement: '' },
    { start: 6, end: 9, replacement: '2' },
  ]);
});
