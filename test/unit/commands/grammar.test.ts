import fc from 'fast-check';
import { expect, test } from 'vitest';
import { understand } from '#commands/grammar';

const words = (line: string) =>
  understand(line, 'bash').commands.map((command) => command.words.map((word) => word.text));

test('every simple command of the tree is found, in the order of the shell', () => {
  expect(words('a 1 && b | c; (d) & { e; }; if f; then g; else h; fi; for x in 1; do i; done')).toEqual([
    ['a', '1'],
    ['b'],
    ['c'],
    ['d'],
    ['e'],
    ['f'],
    ['g'],
    ['h'],
    ['i'],
  ]);
});

test('substitutions, here-documents, functions and process substitutions are looked into', () => {
  expect(
    words('echo $(a) `b` <(c) "$(d)" ${x:-$(e)} $((1 + $(f)))\ncat <<E\n$(g)\nE\nh() { i; }').map(
      (one) => one[0],
    ),
  ).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'echo', 'g', 'cat', 'i']);
});

test('one literal command is single, its quotes and escapes resolved', () => {
  expect(
    understand(`git commit -m 'drop sudo' "a b" c\\ d $'\\x41'`, 'bash').single?.words.map(
      (word) => word.text,
    ),
  ).toEqual(['git', 'commit', '-m', 'drop sudo', 'a b', 'c d', 'A']);
});

test.each([
  'a; b',
  'a | b',
  'a &',
  'a > f',
  'X=1 a',
  'a $X',
  'a *',
  'a ~',
  'a {b,c}',
  'a $(b)',
  '(a)',
  '! a | b',
  'a <<< b',
  'X=1',
  '> f',
  '',
])('%s is not a single literal command', (line) => expect(understand(line, 'bash').single).toBeUndefined());

test.each([
  ['', /no command/],
  ['# only words', /no command/],
  ['> f', /no command/],
  ['echo "', /grammar/],
  ['if a; then', /grammar/],
  ['t\\\nouch m', /continuation/],
  ['ls\rtouch m', /control characters/],
  ['ls\u00a0-la', /control characters/],
  ['ls \u202e', /control characters/],
  ['<&-rm cat F', /redirect <&-rm/],
  ['ls {fd}>x', /redirect/],
  ['ls >&f', /redirect >&f/],
  ['$X a', /name \$X/],
  ['r?m a', /name r\?m/],
  [`echo ${'x'.repeat(4000)}`, /longer than 4000/],
])('%j is not understood', (line, why) => {
  expect(understand(line, 'bash')).toMatchObject({ understood: false, why: expect.stringMatching(why) });
});

test.each([
  'ls 2>&1',
  'ls > /dev/null 2>&1',
  'a | b',
  'cat <<E\nx\nE',
  'cd src && npm test',
  'FOO=1 npm test',
])('%j is understood', (line) => {
  expect(understand(line, 'bash').understood).toBe(true);
});

test.each(['powershell', 'cmd', 'other'] as const)('nothing is understood in %s', (shell) => {
  expect(understand('ls', shell).understood).toBe(false);
});

test('redirects tell where they go', () => {
  expect(
    understand('a > f 2>> "g h" < $X', 'bash').redirects.map(({ op, target }) => ({ op, target })),
  ).toEqual([
    { op: '>', target: 'f' },
    { op: '>>', target: 'g h' },
    { op: '<', target: undefined },
  ]);
});

test('whatever comes, it answers', () => {
  const pieces = fc.constantFrom(
    'rm',
    '-rf',
    '/',
    ' ',
    '$(',
    ')',
    '`',
    '"',
    "'",
    '\\',
    '\n',
    '|',
    '&',
    ';',
    '<',
    '>',
    '<<E',
    '{',
    '}',
    '${',
    '$X',
    '*',
    '(',
    '[[',
    ']]',
    'if',
    'then',
    'fi',
    'for',
    'do',
    'done',
    'case',
    'esac',
    '\u0000',
    '\ud800',
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
      const reading = understand(parts.join(''), 'bash');
      expect(reading.understood).toBe(reading.why === undefined);
    }),
    { numRuns: 500 },
  );
});
