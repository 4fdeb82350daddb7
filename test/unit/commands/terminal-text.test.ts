import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineSettler, SequenceFilter } from '#commands/terminal-text';

function shown(chunks: readonly string[]): string {
  const filter = new SequenceFilter();
  const settler = new LineSettler();
  const parts = chunks.map((chunk) => settler.push(filter.push(chunk)));
  return [...parts, settler.push(filter.flush()), settler.flush()].join('');
}

test.each([
  ['colours', '\x1b[1;31mred\x1b[0m', 'red'],
  ['cursor movements', 'a\x1b[2K\x1b[1Gb', 'ab'],
  ['a title ended by BEL', '\x1b]0;title\x07text', 'text'],
  ['a link ended by ST', '\x1b]8;;http://x\x1b\\text\x1b]8;;\x1b\\', 'text'],
  ['shell integration marks', '\x1b]633;A\x07$ ', '$ '],
  ['device control strings', '\x1bPq#0\x1b\\text', 'text'],
  ['eight-bit sequences', '\x9b31mred\x9d0;t\x9ctext', 'redtext'],
  ['character sets and keypad modes', '\x1b(B\x1b=\x1b>text', 'text'],
  ['a title without an end stops at its line', '\x1b]0;title\nrest\n', '\nrest\n'],
  ['a progress bar', '1%\r50%\r100%\ndone\n', '100%\ndone\n'],
  ['Windows line ends', 'a\r\nb\r\r\nc', 'a\nb\nc'],
  ['a progress bar that is wiped', '50%\r\n', '50%\n'],
  ['a spinner', '-\b\\\b|\b/\bok\n', 'ok\n'],
  ['other control characters become pictures', 'a\x00b\x7f\n', 'a␀b␡\n'],
  ['plain text', 'größe ≤ 🎉\n\ttab\n', 'größe ≤ 🎉\n\ttab\n'],
])('%s', (_name, raw, expected) => {
  expect(shown([raw])).toBe(expected);
});

test('it makes no difference where the chunks end', () => {
  const pieces = fc.constantFrom(
    'a',
    'ü',
    '🎉',
    '\n',
    '\r',
    '\r\n',
    '\x1b[31m',
    '\x1b[0m',
    '\x1b]0;t\x07',
    '\x1b]8;;u\x1b\\',
    '\x1b(B',
    '\b',
  );
  fc.assert(
    fc.property(
      fc.array(pieces, { maxLength: 30 }),
      fc.array(fc.nat(60), { maxLength: 6 }),
      (parts, cuts) => {
        const text = parts.join('');
        const at = [...cuts.filter((cut) => cut < text.length)].sort((a, b) => a - b);
        const chunks = [0, ...at].map((start, index) => text.slice(start, at[index] ?? text.length));
        expect(shown(chunks)).toBe(shown([text]));
      },
    ),
    { numRuns: 500 },
  );
});

test('a sequence that never ends is shown, not swallowed', () => {
  expect(shown(['\x1b]0;', 'x'.repeat(70_000), 'tail\n'])).toMatch(/x{1000}tail\n$/);
});

test('a line that rewrites itself for ever stays small', () => {
  const settler = new LineSettler();
  for (let index = 0; index < 20_000; index++) settler.push(`${'#'.repeat(50)} ${index}\r`);
  expect(settler.flush()).toBe(`${'#'.repeat(50)} 19999`);
});
