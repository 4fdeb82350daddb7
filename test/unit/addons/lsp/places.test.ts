import { symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { callHierarchy } from '#addons/lsp/call-hierarchy';
import { definition } from '#addons/lsp/definition';
import { documentSymbols } from '#addons/lsp/document-symbols';
import { hover } from '#addons/lsp/hover';
import { references } from '#addons/lsp/references';
import { LSP_TOOLS } from '#addons/lsp/tools';
import { workspaceSymbols } from '#addons/lsp/workspace-symbols';
import { memoryIntelligence } from '#test/support/memory-intelligence';
import { type BenchOptions, toolBench } from '#test/support/tool-context';

const FILES = {
  'src/util.ts': 'export function area(side) { return side * side; }\nexport const two = 2;\n',
  'src/main.ts': "import { area } from './util';\n\tconst whole = area(area(2));\n",
  'keys/.env.ts': 'function secret() { return area("key-of-the-house"); }\n',
};

function bench(files: Readonly<Record<string, string>> = FILES, options: BenchOptions = {}) {
  const intelligence = memoryIntelligence();
  const made = toolBench(files, { ...options, intelligence });
  intelligence.serve(made.folder.path, made.host.dirty);
  return { ...made, intelligence };
}

test('a definition is named with its place and source line', async () => {
  const { call } = bench();
  const { content, display } = await call(definition, { path: 'src/main.ts', line: 1, symbol: 'area' });
  expect(content).toBe('1 definition:\nsrc/util.ts:1:17  export function area(side) { return side * side; }');
  expect(display).toMatchObject({ kind: 'search', title: 'definition of area', hits: 1, files: 1 });
});

test('references: the asked file first; files that are kept from the agent are only counted', async () => {
  const { call } = bench();
  const { content } = await call(references, { path: 'src/main.ts', line: 1, column: 11 });
  expect(content.split('\n')).toEqual([
    '4 references:',
    "src/main.ts:1:10  import { area } from './util';",
    'src/main.ts:2:16  const whole = area(area(2));',
    'src/main.ts:2:21  const whole = area(area(2));',
    'src/util.ts:1:17  export function area(side) { return side * side; }',
    '(1 in files that are kept from you)',
  ]);
});

test('more places than the limit are counted', async () => {
  const { call } = bench();
  const { content } = await call(references, { path: 'src/main.ts', line: 1, symbol: 'area', limit: 2 });
  expect(content.split('\n').at(-1)).toBe('(3 more; raise limit for them)');
});

test('a symbol that stands several times in a line, elsewhere or nowhere is refused with where it stands', async () => {
  const { call } = bench();
  const words = async (line: number, symbol: string) =>
    (await call(definition, { path: 'src/main.ts', line, symbol })).content;
  expect([
    await words(2, 'area'),
    await words(2, 'import'),
    await words(1, 'are'),
    await words(9, 'area'),
  ]).toEqual([
    'definition: "area" stands 2 times in line 2 of src/main.ts: give column 16, 21',
    'definition: "import" stands not in line 2 of src/main.ts but in line 1',
    'definition: "are" stands nowhere in src/main.ts',
    'definition: src/main.ts has 2 lines, no line 9',
  ]);
});

test('a column is held against its line, and a place without either is refused', async () => {
  const { call } = bench();
  const words = async (more: object) =>
    (await call(hover, { path: 'src/main.ts', line: 1, ...more })).content;
  expect([await words({ column: 99 }), await words({}), await words({ column: 3, symbol: 'area' })]).toEqual([
    'hover: line 1 of src/main.ts has 30 columns, no column 99',
    'hover: give symbol or column',
    'hover: "area" is not at column 3 of line 1; leave column out',
  ]);
});

test('places are those of unsaved text', async () => {
  const { call, host, folder } = bench();
  host.dirty.set(folder.at('src/main.ts'), '// new first line\nconst x = area(3);\n');
  const { content } = await call(references, { path: 'src/main.ts', line: 2, symbol: 'area' });
  expect(content.split('\n').slice(0, 3)).toEqual([
    '2 references:',
    'src/main.ts:2:11  const x = area(3);',
    'src/util.ts:1:17  export function area(side) { return side * side; }',
  ]);
});

test('hover gives the server’s words, and nothing of what stands in a file that is kept', async () => {
  const { call } = bench();
  const shown = await call(hover, { path: 'src/main.ts', line: 1, symbol: 'area' });
  const kept = bench({ ...FILES, 'src/main.ts': 'secret();\n' });
  const withheld = await kept.call(hover, { path: 'src/main.ts', line: 1, symbol: 'secret' });
  expect([shown.content, withheld.content]).toEqual([
    '```ts\nexport function area(side) { return side * side; }\n```',
    'What the language server says of "secret" comes from a file that is kept from you.',
  ]);
});

test('what a server says is bounded, and invisible characters in it are revealed', async () => {
  const made = bench();
  const hostile = async () => ({ kind: 'known', value: [`a\u202Eb${'x'.repeat(100_000)}`] }) as const;
  const { call } = toolBench(FILES, { intelligence: { ...made.intelligence, hover: hostile } });
  const { content } = await call(hover, { path: 'src/util.ts', line: 2, symbol: 'two' });
  expect([content.slice(0, 9), content.length < 9000]).toEqual(['a\\u{202e}', true]);
});

test('the outline of a file, symbols of the workspace and callers', async () => {
  const { call } = bench();
  const outline = await call(documentSymbols, { path: 'src/util.ts' });
  const found = await call(workspaceSymbols, { query: 'e' });
  const callers = await call(callHierarchy, {
    path: 'src/util.ts',
    line: 1,
    symbol: 'area',
    direction: 'incoming',
  });
  expect([outline.content, found.content, callers.content].map((text) => text.split('\n'))).toEqual([
    ['src/util.ts: 2 symbols', '  1:17  function area', '  2:14  const two'],
    [
      '2 symbols:',
      'src/main.ts:2:8  const whole',
      'src/util.ts:1:17  function area',
      '(1 in files that are kept from you)',
    ],
    [
      '1 caller of "area":',
      'src/main.ts:2:8  const whole; calls it at line 2',
      '(1 in files that are kept from you)',
    ],
  ]);
});

test('a place outside of the workspace is named without its text, also behind a link inside', async () => {
  const outside = bench({ 'lib.ts': 'function outer() {}\n' });
  const made = bench({ 'a.ts': 'outer();\n' });
  symlinkSync(outside.folder.at('lib.ts'), made.folder.at('link.ts'));
  const places = async () =>
    ({
      kind: 'known',
      value: ['link.ts', 'a.ts'].map((name) => ({
        path: made.folder.at(name),
        uri: `file://${made.folder.at(name)}`,
        range: { start: { line: 0, column: 0 }, end: { line: 0, column: 5 } },
      })),
    }) as const;
  Object.assign(made.intelligence, { places });
  const { content } = await made.call(definition, { path: 'a.ts', line: 1, symbol: 'outer' });
  expect(content.split('\n')).toEqual([
    '2 definitions:',
    `${made.folder.at('link.ts')}:1:1  (outside the workspace)`,
    'a.ts:1:1  outer();',
  ]);
});

test('no server, one that is starting, one that is late and one that refuses are told apart; two of them may be asked again', async () => {
  const { call, intelligence } = bench({ ...FILES, 'notes.txt': 'area\n' });
  const asked = async (path = 'src/main.ts') => {
    const { status, content, retryable } = await call(definition, { path, line: 1, symbol: 'area' });
    return [status, content.replace(/; .*| it may be.*/, ''), retryable];
  };
  const plain = await asked('notes.txt');
  intelligence.next({ kind: 'starting', language: 'typescript' });
  const starting = await asked();
  intelligence.next({ kind: 'late' });
  const late = await asked();
  intelligence.next({ kind: 'refused', why: 'Not\nhere.' });
  expect([plain, starting, late, await asked()]).toEqual([
    ['error', 'definition: no language server of the editor serves plaintext files', false],
    [
      'error',
      'definition: the language server for typescript is still starting and has found nothing yet',
      false,
    ],
    ['error', 'definition: the language server did not answer in time', false],
    ['error', 'definition: the language server says: Not here.', false],
  ]);
});

test('outside the editor every tool says that there is no language server', async () => {
  const { call } = toolBench({ 'a.ts': 'const a = 1;\n' });
  const input = {
    path: 'a.ts',
    line: 1,
    symbol: 'a',
    direction: 'incoming',
    query: 'a',
    newName: 'b',
    id: 'x',
  };
  for (const tool of LSP_TOOLS) {
    const keys = Object.keys((tool.inputSchema as unknown as { shape: object }).shape);
    const own = Object.fromEntries(Object.entries(input).filter(([key]) => keys.includes(key)));
    const { status, content } = await call(tool, own);
    expect([tool.name, status, content.includes('there is no language server here')]).toEqual([
      tool.name,
      'error',
      true,
    ]);
  }
});

test('a hidden file, a notebook and one that is no text are refused', async () => {
  const { call } = bench({ ...FILES, '.belayignore': 'src/\n', 'n.ipynb': '{}', 'b.ts': 'a\0b' });
  const words = async (path: string) => (await call(documentSymbols, { path })).content;
  expect([await words('src/util.ts'), await words('n.ipynb'), await words('b.ts')]).toEqual([
    expect.stringMatching(/is hidden by ".belayignore"/),
    expect.stringMatching(/is a notebook/),
    expect.stringMatching(/b\.ts is binary|b\.ts is a binary/),
  ]);
});

test('where all that was found is kept, it is not said that there is nothing', async () => {
  const { call } = bench({
    'src/util.ts': 'export function area(side) { return side; }\n',
    'keys/.env.ts': FILES['keys/.env.ts'],
  });
  const place = { path: 'src/util.ts', line: 1, symbol: 'area' };
  const callers = await call(callHierarchy, { ...place, direction: 'incoming' });
  const found = await call(workspaceSymbols, { query: 'secret' });
  expect([callers.content, found.content]).toEqual([
    'Nothing that may be shown.\n(1 in files that are kept from you)',
    'Nothing that may be shown.\n(1 in files that are kept from you)',
  ]);
});
