import { expect, test } from 'vitest';
import { languageFor, parseEntries } from '#editor/language-servers/entries';

const pyright = { command: 'pyright-langserver', args: ['--stdio'], languages: ['python'] };

test('an entry says what is needed, the rest has its defaults', () => {
  expect(parseEntries({ pyright })).toEqual({
    entries: [
      {
        ...{ name: 'pyright', command: 'pyright-langserver', args: ['--stdio'], languages: ['python'] },
        ...{ endings: {}, env: {}, startupTimeoutMs: 30_000, maxRestarts: 5 },
      },
    ],
    problems: [],
  });
});

test('everything that may be said is kept', () => {
  const entry = {
    command: '/opt/zls',
    extensionToLanguage: { '.zig': 'zig', '.zon': 'zig' },
    env: { A: 'b', EMPTY: '' },
    initializationOptions: { deep: [1, null] },
    settings: { zls: { warn: true } },
    startupTimeoutMs: 1000,
    maxRestarts: 0,
  };
  const { extensionToLanguage: endings, ...rest } = entry;
  expect(parseEntries({ zls: entry })).toEqual({
    entries: [{ name: 'zls', args: [], languages: [], endings, ...rest }],
    problems: [],
  });
});

test.each([
  ['no object', 7, 'expected object'],
  ['no command', { languages: ['a'] }, 'command: '],
  ['an empty command', { command: '', languages: ['a'] }, 'command: '],
  ['no language', { command: 'a' }, 'names no language'],
  ['a language that is no word', { command: 'a', languages: [''] }, 'languages: 0: '],
  ['an ending that is a path', { command: 'a', extensionToLanguage: { '../x': 'a' } }, 'no ending'],
  ['an ending that is a pattern', { command: 'a', extensionToLanguage: { '.{a,b}': 'a' } }, 'no ending'],
  ['arguments that are no list', { command: 'a', args: '--stdio', languages: ['a'] }, 'args: '],
  ['an argument with a NUL', { command: 'a', args: ['\0'], languages: ['a'] }, 'holds a NUL'],
  [
    'a variable that can not be',
    { command: 'a', languages: ['a'], env: { 'A=B': '' } },
    'no name of a variable',
  ],
  ['no time at all', { command: 'a', languages: ['a'], startupTimeoutMs: 0 }, 'startupTimeoutMs: '],
])('%s: the entry is told by its name, and the others stand', (_what, broken, why) => {
  const { entries, problems } = parseEntries({ broken, pyright });
  expect([entries.map(({ name }) => name), problems]).toEqual([
    ['pyright'],
    [expect.stringMatching(/^belay.languageServers: "broken" is not used: /)],
  ]);
  expect(problems[0]).toContain(why);
});

test('keys of other tools are passed over and told', () => {
  expect(parseEntries({ pyright: { ...pyright, transport: 'stdio' } })).toEqual({
    entries: [expect.objectContaining({ name: 'pyright' })],
    problems: ['belay.languageServers: "pyright": not known and passed over: transport'],
  });
});

test.each([[undefined], [null], [{}]])('a setting of %s names no server', (value) => {
  expect(parseEntries(value)).toEqual({ entries: [], problems: [] });
});

test.each([['text'], [[pyright]], [3]])('a setting of %j is told', (value) => {
  expect(parseEntries(value)).toEqual({ entries: [], problems: [expect.stringContaining('no object')] });
});

test('the ending decides before the language, and the longest ending first', () => {
  const [entry] = parseEntries({
    one: {
      command: 'a',
      languages: ['html'],
      extensionToLanguage: { '.vue': 'vue', '.spec.vue': 'vue-test' },
    },
  }).entries;
  const ask = (path: string, languageId: string) => entry && languageFor(entry, { path, languageId });
  expect([
    ask('/a/b.vue', 'html'),
    ask('/a/b.spec.vue', 'plaintext'),
    ask('/a/b.html', 'html'),
    ask('/a/b.txt', 'plaintext'),
  ]).toEqual(['vue', 'vue-test', 'html', undefined]);
});
