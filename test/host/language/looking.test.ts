import assert from 'node:assert/strict';
import { suite, test } from 'mocha';
import { languageLab, view } from '#test/host/support/language-lab';

const PROJECT = {
  'tsconfig.json':
    '{ "compilerOptions": { "strict": true, "module": "esnext", "moduleResolution": "bundler" } }\n',
  'src/shape.ts':
    '/** Something with a size. */\nexport interface Shape {\n  area(): number;\n}\nexport function sizeOf(shape: Shape): number {\n  return shape.area();\n}\n',
  'src/square.ts':
    "import type { Shape } from './shape';\nexport class Square implements Shape {\n  constructor(readonly side: number) {}\n  area(): number {\n    return this.side * this.side;\n  }\n}\n",
  'src/main.ts':
    "import { sizeOf } from './shape';\nimport { Square } from './square';\nconst square = new Square(2);\nexport const size = sizeOf(square);\nexport function twice(): number {\n  return 2 * sizeOf(square);\n}\n",
};

suite('the language tools that only look', () => {
  test('TypeScript: each is answered by the editor’s own server, in closed files, and nothing shows', async () => {
    await using lab = await languageLab(PROJECT);
    const before = view();
    const main = { path: 'src/main.ts' };
    const results = await lab.ask(
      ['definition', { ...main, line: 4, symbol: 'sizeOf' }],
      ['type_definition', { ...main, line: 4, symbol: 'square' }],
      ['references', { path: 'src/shape.ts', line: 5, symbol: 'sizeOf' }],
      ['implementation', { path: 'src/shape.ts', line: 2, symbol: 'Shape' }],
      ['hover', { ...main, line: 4, symbol: 'sizeOf' }],
      ['document_symbols', { path: 'src/square.ts' }],
      ['workspace_symbols', { query: 'sizeOf', path: 'src/shape.ts' }],
      ['call_hierarchy', { path: 'src/shape.ts', line: 5, symbol: 'sizeOf', direction: 'incoming' }],
      ['call_hierarchy', { ...main, line: 5, symbol: 'twice', direction: 'outgoing' }],
    );
    const told = results.map(({ content }) => content.split('\n'));
    assert.deepEqual(
      told.map((lines, index) => (index === 4 ? lines.filter((line) => line !== '').slice(0, 3) : lines)),
      [
        ['1 definition:', 'src/shape.ts:5:17  export function sizeOf(shape: Shape): number {'],
        ['1 type definition:', 'src/square.ts:2:14  export class Square implements Shape {'],
        [
          '4 references:',
          'src/shape.ts:5:17  export function sizeOf(shape: Shape): number {',
          "src/main.ts:1:10  import { sizeOf } from './shape';",
          'src/main.ts:4:21  export const size = sizeOf(square);',
          'src/main.ts:6:14  return 2 * sizeOf(square);',
        ],
        ['1 implementation:', 'src/square.ts:2:14  export class Square implements Shape {'],
        ['```typescript', '(alias) sizeOf(shape: Shape): number', 'import sizeOf'],
        [
          'src/square.ts: 4 symbols',
          '  2:14-7  class Square',
          '    3:3  constructor constructor',
          '    3:24  property side',
          '    4:3-6  method area',
        ],
        ['1 symbol:', 'src/shape.ts:5:1  function sizeOf()'],
        [
          '2 callers of "sizeOf":',
          'src/main.ts:1:1  module main.ts; calls it at line 4',
          'src/main.ts:5:17  function twice; calls it at line 6',
        ],
        ['"twice" calls 1:', 'src/shape.ts:5:17  function sizeOf; called at line 6'],
      ],
    );
    assert.deepEqual(view(), before);
  });

  test('JSON, CSS and HTML: what their servers offer; a language without one says so', async () => {
    await using lab = await languageLab({
      'data.json': '{ "name": { "first": 1 } }\n',
      'site.css': ':root { --main: red; }\n.box { color: var(--main); }\n',
      'page.html': '<div class="box"><p>text</p></div>\n',
      'notes.xyz': 'nothing\n',
    });
    const before = view();
    const results = await lab.ask(
      ['document_symbols', { path: 'data.json' }],
      ['document_symbols', { path: 'site.css' }],
      ['references', { path: 'site.css', line: 2, symbol: '--main' }],
      ['hover', { path: 'site.css', line: 2, symbol: 'color' }],
      ['document_symbols', { path: 'page.html' }],
      ['hover', { path: 'page.html', line: 1, column: 3 }],
      ['definition', { path: 'notes.xyz', line: 1, symbol: 'nothing' }],
    );
    const told = results.map(({ content }) => content.split('\n'));
    assert.deepEqual(told[0]?.slice(0, 2), ['data.json: 2 symbols', '  1:3  module name']);
    assert.deepEqual(told[1], ['site.css: 2 symbols', '  1:1  class :root', '  2:1  class .box']);
    assert.equal(told[2]?.[0], '2 references:');
    assert.match(results[3]?.content ?? '', /color/i);
    assert.match(results[4]?.content ?? '', /div\.box/);
    assert.match(results[5]?.content ?? '', /div/);
    assert.equal(
      results[6]?.content,
      'definition: no language server of the editor serves plaintext files; use search_files and read_file instead',
    );
    assert.deepEqual(view(), before);
  });

  test('text that was just written counts, in a file without a tab', async () => {
    await using lab = await languageLab(PROJECT);
    await lab.ask(['references', { path: 'src/shape.ts', line: 5, symbol: 'sizeOf' }]);
    const results = await lab.turn(
      ['read_file', { path: 'src/main.ts' }],
      [
        'edit_file',
        { path: 'src/main.ts', oldText: 'import { sizeOf', newText: '// one more line\nimport { sizeOf' },
      ],
      ['definition', { path: 'src/main.ts', line: 5, symbol: 'sizeOf' }],
    );
    assert.equal(
      results.at(-1)?.content,
      '1 definition:\nsrc/shape.ts:5:17  export function sizeOf(shape: Shape): number {',
    );
  });
});
