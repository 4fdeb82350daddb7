import fc from 'fast-check';
import { expect, test } from 'vitest';
import { commonLines } from '#base/text';

test.each([
  ['a change in the middle', 'one\ntwo\nthree\n', 'one\n2\nthree\n', { head: 4, tail: 6 }],
  ['a line that two begin alike', 'same\nabc\n', 'same\nabd\n', { head: 5, tail: 0 }],
  ['a line that two end alike', 'xbc\nlast', 'ybc\nlast', { head: 0, tail: 4 }],
  ['nothing', 'a\nb\n', 'a\nb\n', { head: 4, tail: 0 }],
  ['everything', '', 'a\n', { head: 0, tail: 0 }],
  ['one line more of the same', 'a\n', 'a\na\n', { head: 2, tail: 0 }],
])('leaves shared lines away: %s', (_what, one, two, common) => {
  expect(commonLines(one, two)).toEqual(common);
});

test('what is shared is the same on both sides, whole lines, and all but the last of either end', () => {
  const text = fc
    .tuple(fc.array(fc.constantFrom('a', 'ab', ''), { maxLength: 40 }), fc.boolean())
    .map(([lines, ended]) => lines.join('\n') + (ended ? '\n' : ''));
  fc.assert(
    fc.property(text, text, (one, two) => {
      const { head, tail } = commonLines(one, two);
      const [rest, other] = [one.slice(head, one.length - tail), two.slice(head, two.length - tail)];
      expect(two.slice(0, head) + rest + two.slice(two.length - tail)).toBe(one);
      expect(head === 0 || one[head - 1] === '\n').toBe(true);
      expect(tail === 0 || rest === '' || rest.endsWith('\n')).toBe(true);
      const sharesFirst = rest.includes('\n') && rest.split('\n')[0] === other.split('\n')[0];
      expect(sharesFirst && other.includes('\n')).toBe(false);
    }),
  );
});
