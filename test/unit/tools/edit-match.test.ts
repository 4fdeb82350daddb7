import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyEdits, type Edit } from '#tools/edit-match';
import { decodeUnicode, encodeUnicode, markOf } from '#tools/unicode';

function edited(text: string, ...edits: (Edit | [string, string])[]): string {
  const result = applyEdits(
    text,
    edits.map((edit) => (Array.isArray(edit) ? { oldText: edit[0], newText: edit[1] } : edit)),
  );
  return result.ok ? result.value.text : `refused: ${result.error}`;
}

test('ED-05 changes nothing but the passage in a file of mixed line ends', () => {
  expect(edited('a\r\nb\nc\r\nd\n', ['b', 'B'])).toBe('a\r\nB\nc\r\nd\n');
});

test('ED-06 matches a passage of several lines in a CRLF file', () => {
  expect(edited('x\r\ny\r\nz\r\n', ['x\ny', 'x\nY'])).toBe('x\r\nY\r\nz\r\n');
});

test('ED-07 gives inserted lines the line ends of what they replace', () => {
  expect(edited('a\r\nb\r\n', ['a\n', 'a1\na2\n'])).toBe('a1\r\na2\r\nb\r\n');
  expect(edited('a\r\nb\nc', ['b', 'b1\nb2'])).toBe('a\r\nb1\nb2\nc');
  expect(edited('a\r\nb', ['b', 'b1\nb2'])).toBe('a\r\nb1\r\nb2');
  expect(edited('a\nb\n', ['a', 'a1\r\na2'])).toBe('a1\na2\nb\n');
});

test('keeps each line end of a replaced passage where there are as many as before', () => {
  expect(edited('a\r\nb\nc\r\n', ['a\nb\nc', 'A\nB\nC'])).toBe('A\r\nB\nC\r\n');
});

test('takes the line ends of newText where the file has none', () => {
  expect(edited('one', ['one', 'one\r\ntwo'])).toBe('one\r\ntwo');
});

test('ED-10 refuses an empty oldText before counting', () => {
  expect(edited('abc', { oldText: '', newText: 'X', replaceAll: true })).toMatch(
    /^refused: oldText is empty/,
  );
});

test('ED-13 matches the text after the number mark exactly, tabs included', () => {
  expect(edited('\tif x {\n\t\ty()\n\t}\n', ['\t\ty()', '\t\tz()'])).toBe('\tif x {\n\t\tz()\n\t}\n');
});

test('ED-14 takes text that looks like a line number literally when it is there', () => {
  expect(edited('12\tvalue\n13\tvalue\n', ['12\tvalue', '12\tother'])).toBe('12\tother\n13\tvalue\n');
});

test('takes line numbers off when every line has one, and says so', () => {
  const result = applyEdits('a\n  b\nc\n', [
    { oldText: '     1→a\n     2→  b\n', newText: '     1→A\n     2→  B\n' },
  ]);
  expect(result).toEqual({
    ok: true,
    value: {
      text: 'A\n  B\nc\n',
      replacements: 1,
      lines: [1],
      notes: ['line numbers of read_file were taken off oldText and newText'],
    },
  });
  expect(edited('a\nb\n', ['1\ta\n2\tb', 'A\nB'])).toBe('A\nB\n');
});

test('leaves numbers on when one line has none', () => {
  expect(edited('a\nb\n', ['1→a\nb', 'x'])).toMatch(/^refused: oldText was not found/);
});

test('ED-16 keeps a final blank line however often the file is edited', () => {
  let text = 'alpha\nbeta\n\n';
  for (const [from, to] of [
    ['alpha', 'ALPHA'],
    ['ALPHA', 'alpha'],
    ['alpha', 'ALPHA'],
  ] as [string, string][])
    text = edited(text, [from, to]);
  expect(text).toBe('ALPHA\nbeta\n\n');
});

test('refuses to guess when the passage occurs twice, overlaps counted', () => {
  expect(edited('aaa\n', ['aa', 'b'])).toMatch(/^refused: oldText occurs 2 times \(line 1\)/);
  expect(edited('x\ny\nx\r\ny\n', ['x\ny', 'z'])).toMatch(/^refused: oldText occurs 2 times \(lines 1, 3\)/);
});

test('replaces every occurrence from left to right without overlaps', () => {
  expect(edited('aaa aa', { oldText: 'aa', newText: 'b', replaceAll: true })).toBe('ba b');
});

test('tries each normalisation alone: the file is never taken for what two of them would make of it', () => {
  expect(edited('“a”\n', ['1→"a"', 'b'])).toMatch(/^refused: oldText was not found/);
});

test('strips white space nowhere: what is only alike is not found', () => {
  expect(edited('  a\n', ['a \n', 'b'])).toMatch(
    /^refused: oldText was not found; read it again\. A line of it/,
  );
  expect(edited('\ta\n', ['    a', 'b'])).toMatch(/A line of it stands at line 1, so white space/);
});

test('treats replacement patterns as plain text', () => {
  expect(edited('x = 1', ['1', "$& $1 $` $' $$"])).toBe("x = $& $1 $` $' $$");
});

test('finds curly quotes by straight ones and writes in the file’s own style', () => {
  expect(
    edited('say “hello” now, it’s late', ['say "hello" now, it\'s late', 'say "good bye" now, it\'s early']),
  ).toBe('say “good bye” now, it’s early');
  expect(edited('print("a")', ['print(“a”)', 'print(“b”, ‘c’)'])).toBe('print("b", ‘c’)');
});

test('reports how it found the passage', () => {
  const result = applyEdits('“a”', [{ oldText: '"a"', newText: '"b"' }]);
  expect(result.ok && result.value.notes).toEqual([
    "curly and straight quotes were taken as equal; the file's own style was kept",
  ]);
});

test('must be unique after a normalisation, too', () => {
  expect(edited('a\nb\na\nb\n', ['1→a\n2→b', 'c'])).toMatch(/occurs 2 times \(lines 1, 3\)/);
  expect(edited('“a” "a"', ['“a"', 'b'])).toMatch(/occurs 2 times/);
});

test('applies several edits in order, each to what the one before left', () => {
  expect(edited('a b', ['a', 'b2'], ['b2 b', 'c'])).toBe('c');
});

test('changes nothing when one of several edits fails, and names it', () => {
  expect(edited('a b', ['a', 'c'], ['zzz', 'd'])).toMatch(
    /^refused: edit 2 of 2: oldText was not found; read it again/,
  );
});

test('gives the nearest line as a hint', () => {
  const text = 'function one() {\n    return parse(text);\n}\n';
  expect(edited(text, ['  return parse(text);\n  more', 'x'])).toMatch(
    /A line of it stands at line 2, so white space/,
  );
  expect(edited(text, ['    return parse(texts, 1);', 'x'])).toMatch(
    /Nearest is line 2: return parse\(text\);/,
  );
  expect(edited(text, ['%%%', 'x'])).toBe('refused: oldText was not found; read it again.');
});

test('refuses what would change nothing', () => {
  expect(edited('a\r\n', ['a\r\n', 'a\r\n'])).toMatch(/the same, so nothing would change/);
});

test('refuses a result over 1 MB before building it', () => {
  const text = 'a'.repeat(600_000);
  expect(edited(text, { oldText: 'a', newText: 'b'.repeat(1000), replaceAll: true })).toMatch(/over 1 MB/);
});

test('ends quickly on a hostile repetition', () => {
  const text = 'a'.repeat(1_000_000);
  expect(edited(text, ['a'.repeat(400_000), 'b'])).toMatch(/at least 1000 times/);
});

const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
/** Text without line ends, without what makes a file binary, and without the quotes that may be adapted. */
const line = fc
  .string({ unit: 'binary', maxLength: 12 })
  .map((text) => text.replace(/[\r\n\0‘’“”'"@#]/g, '·'));
const fileParts = fc
  .tuple(fc.array(fc.tuple(line, lineEnd), { minLength: 1, maxLength: 12 }), fc.boolean())
  .map(([lines, final]) =>
    lines.map(([text, end], index) => ({ text, end: final || index < lines.length - 1 ? end : '' })),
  );

/** Edits the bytes of a file as the tool does. */
function editBytes(bytes: Uint8Array, edits: readonly Edit[]): Buffer {
  const mark = bytes.subarray(0, markOf(bytes)?.length ?? 0);
  const result = applyEdits(decodeUnicode(bytes.subarray(mark.length), 'utf8') ?? '', edits);
  if (!result.ok) throw new Error(result.error);
  return Buffer.concat([mark, encodeUnicode(result.value.text, 'utf8')]);
}

test('leaves every byte outside the passages as it is, whatever the file and the edits', () => {
  const edit = fc.record({ at: fc.nat(), lines: fc.array(line, { minLength: 1, maxLength: 4 }) });
  fc.assert(
    fc.property(
      fileParts,
      fc.boolean(),
      fc.array(edit, { minLength: 1, maxLength: 3 }),
      (parts, bom, edits) => {
        const places = new Map(edits.map(({ at, lines }, index) => [at % parts.length, { lines, index }]));
        // Each edited line begins with a marker of its own, so that the passage occurs once.
        const before = parts.map((part, at) => ({
          ...part,
          text: places.has(at) ? `@${at}@${part.text}` : part.text,
        }));
        const whole = (rows: readonly { text: string; end: string }[]) =>
          Buffer.from(`${bom ? '\uFEFF' : ''}${rows.map(({ text, end }) => text + end).join('')}`);
        const asked = [...places].map(([at, { lines }]) => ({
          oldText: before[at]?.text ?? '',
          newText: `#${at}#${lines.join('\n')}`,
        }));
        const now = editBytes(whole(before), asked).toString();
        // What stands between the passages is found again byte for byte, in order; the passages read as asked.
        let rest = bom ? now.slice(1) : now;
        for (const [at, part] of before.entries()) {
          const place = places.get(at);
          if (place === undefined) {
            expect(rest.startsWith(part.text + part.end)).toBe(true);
            rest = rest.slice(part.text.length + part.end.length);
            continue;
          }
          const written = [`#${at}#${place.lines[0] ?? ''}`, ...place.lines.slice(1)];
          for (const [index, text] of written.entries()) {
            expect(rest.startsWith(text)).toBe(true);
            rest = rest.slice(text.length);
            if (index === written.length - 1) break;
            const end = /^(\r\n|\n|\r)/.exec(rest)?.[0] ?? '';
            expect(end).not.toBe('');
            rest = rest.slice(end.length);
          }
          expect(rest.startsWith(part.end)).toBe(true);
          rest = rest.slice(part.end.length);
        }
        expect([rest, now.startsWith('\uFEFF')]).toEqual([
          '',
          bom || before[0]?.text.startsWith('\uFEFF') === true,
        ]);
      },
    ),
    { numRuns: 500 },
  );
});

test('replacing every occurrence is what splitting and joining gives', () => {
  const word = fc.constantFrom('ab', 'ba', 'a', 'b', ' ');
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 40 }),
      fc.constantFrom('a', 'ab', 'aba', 'bb'),
      fc.constantFrom('X', '$&', 'abab'),
      (words, oldText, newText) => {
        const text = words.join('');
        fc.pre(text.includes(oldText));
        expect(edited(text, { oldText, newText, replaceAll: true })).toBe(text.split(oldText).join(newText));
      },
    ),
  );
});

test('refuses edits that take each other back', () => {
  expect(edited('one\n', ['one', 'two'], ['two', 'one'])).toBe(
    'refused: the edits take each other back, so nothing would change',
  );
});

test('says that line ends alone are not edited', () => {
  expect([edited('a\r\nb', ['a\r\nb', 'a\nb']), edited('a\nb', ['a\n', 'a\r'])]).toEqual(
    Array(2).fill(
      'refused: oldText and newText differ in line ends alone, which an edit keeps; change those with a command',
    ),
  );
});
