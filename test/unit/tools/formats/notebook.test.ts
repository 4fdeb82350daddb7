import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readNotebook, withSources } from '#tools/formats/notebook';

/** As Jupyter writes it: one space of indentation, sources as lists of lines. */
const jupyter = (cells: readonly object[], more: object = {}) =>
  `${JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5, ...more }, null, 1)}\n`;
const code = (id: string, source: unknown, outputs: readonly object[] = []) => ({
  cell_type: 'code',
  execution_count: 1,
  id,
  metadata: {},
  outputs,
  source,
});
const read = (json: string) => {
  const notebook = readNotebook(json);
  if (!notebook) throw new Error('no notebook');
  return notebook;
};
const edited = (json: string, from: string, to: string) => {
  const { text } = read(json);
  const result = withSources(
    json,
    text.replace(from, () => to),
  );
  return result.ok ? result.value : result.error;
};

test('shows the sources under headings, and the outputs by the line they come behind', () => {
  const outputs = [
    { output_type: 'stream', name: 'stdout', text: ['one\n', '\u001b[31mtwo\u001b[0m\n'] },
    { output_type: 'display_data', data: { 'image/png': 'AAAA'.repeat(30), 'text/plain': ['<Figure>'] } },
    { output_type: 'error', ename: 'ValueError', evalue: 'no', traceback: [] },
  ];
  const json = jupyter(
    [
      { cell_type: 'markdown', metadata: {}, source: '# Title\n' },
      code('a-1', ['x = 1\n', 'x'], outputs),
      { cell_type: 'raw', metadata: {}, source: [] },
    ],
    { metadata: { language_info: { name: 'python' } } },
  );
  expect(read(json)).toEqual({
    text: '--- cell 1 (markdown) ---\n# Title\n\n--- cell 2 (code, id a-1) ---\nx = 1\nx\n--- cell 3 (raw) ---\n\n',
    outputs: new Map([[6, ['one', 'two', '<Figure>', '(image/png, 90 bytes)', 'ValueError: no']]]),
    facts: '3 cells, python',
  });
});

test('reads format 3 with its worksheets, inputs and headings', () => {
  const cells = [
    { cell_type: 'heading', level: 1, source: ['Old'] },
    { cell_type: 'code', input: 'print 1', outputs: [{ output_type: 'pyout', text: '1', png: 'AAAA' }] },
  ];
  const json = JSON.stringify({ nbformat: 3, nbformat_minor: 0, worksheets: [{ cells }] });
  expect(read(json)).toEqual({
    text: '--- cell 1 (heading) ---\nOld\n--- cell 2 (code) ---\nprint 1\n',
    outputs: new Map([[4, ['1', '(image/png, 3 bytes)']]]),
    facts: '2 cells',
  });
  expect(edited(json, 'print 1', 'print(1)')).toBe(json.replace('print 1', 'print(1)'));
});

test('an edit replaces the lines that differ and no other byte', () => {
  const json = jupyter([code('a', ['one\n', 'two\n', 'three']), code('b', ['one\n', 'two\n', 'three'])]);
  const line = '    "two\\n",\n';
  const at = json.lastIndexOf(line);
  const replaced = (by: string) => json.slice(0, at) + by + json.slice(at + line.length);
  const wanted = (to: string) => {
    const { text } = read(json);
    const place = text.lastIndexOf('two\n');
    const result = withSources(json, text.slice(0, place) + to + text.slice(place + 4));
    return result.ok ? result.value : result.error;
  };
  expect([wanted('2\n'), wanted('2\n2.5\n'), wanted('')]).toEqual([
    replaced('    "2\\n",\n'),
    replaced('    "2\\n",\n    "2.5\\n",\n'),
    replaced(''),
  ]);
});

test('escapes stay as the file writes them', () => {
  const escaped = '{"nbformat":4,"cells":[{"cell_type":"code","source":"caf\\u00e9 = \\"\\/\\"\\nb"}]}';
  expect([edited(escaped, '\nb', '\nü'), edited(escaped, '\nb', '\n"')]).toEqual([
    escaped.replace('\\nb', '\\n\\u00fc'),
    escaped.replace('\\nb', '\\n\\"'),
  ]);
});

test('an empty cell gets its first lines in the manner of the file', () => {
  const json = jupyter([code('a', [])]);
  expect(edited(json, '---\n\n', '---\nx\ny\n')).toBe(
    json.replace('"source": []', '"source": [\n    "x\\n",\n    "y"\n   ]'),
  );
  expect(edited(jupyter([code('a', ['x'])]), 'x\n', '')).toBe(json);
});

test('headings must stay, and are not made up', () => {
  const json = jupyter([code('a', ['one']), code('b', ['two'])]);
  const refusal = expect.stringMatching(
    /^an edit of a notebook changes the sources of its cells, so the lines/,
  );
  expect([
    edited(json, '--- cell 2 (code, id b) ---\n', ''),
    edited(json, 'cell 2 (code', 'cell 2 (markdown'),
    edited(json, 'one', 'one\n--- cell 7 (code) ---\nnew'),
  ]).toEqual([refusal, refusal, refusal]);
});

test.each([
  ['not JSON', '{"cells": ['],
  ['a comment', '{"nbformat":4,/* */"cells":[]}'],
  ['no format', '{"cells": []}'],
  ['an old format', '{"nbformat":2,"worksheets":[]}'],
  ['no cells', '{"nbformat":4}'],
  ['a cell without a source', '{"nbformat":4,"cells":[{"cell_type":"code"}]}'],
  ['a source of numbers', '{"nbformat":4,"cells":[{"cell_type":"code","source":[1]}]}'],
  ['a source that stands twice', '{"nbformat":4,"cells":[{"cell_type":"code","source":"a","source":"b"}]}'],
  ['a heading in a source', '{"nbformat":4,"cells":[{"cell_type":"code","source":"--- cell 9 (code) ---"}]}'],
  ['absurd nesting', `{"nbformat":4,"cells":${'['.repeat(100_000)}`],
  ['null', 'null'],
])('is no notebook: %s', (_, json) => {
  expect(readNotebook(json)).toBeUndefined();
});

const line = fc.string({ unit: fc.constantFrom('a', ' ', '"', '\\', '/', 'é', '😀', '\u2028', '\t', '-') });
const source = fc.array(line, { maxLength: 5 }).map((lines) => lines.join('\n'));
const form = fc.constantFrom('list', 'text', 'pieces');
const cell = fc.record({ source, next: fc.option(source), form });
const style = fc.constantFrom<string | number>('', 1, 2, '\t');

test('whatever is written into cells is read again, and nothing else of the file changes', () => {
  fc.assert(
    fc.property(
      fc.array(cell, { minLength: 1, maxLength: 4 }),
      style,
      fc.boolean(),
      (cells, indent, crlf) => {
        const written = cells.map(({ source, form }, n) => code(`c${n}`, inForm(source, form)));
        const plain = JSON.stringify({ nbformat: 4, cells: written, metadata: { é: 1.0 } }, null, indent);
        const json = crlf ? plain.replaceAll('\n', '\r\n') : plain;
        const wanted = cells.map(({ source, next }) => next ?? source);
        const text = wanted
          .map((source, n) => `--- cell ${n + 1} (code, id c${n}) ---\n${source}\n`)
          .join('');
        const result = withSources(json, text);
        if (!result.ok) throw new Error(result.error);
        expect(read(result.value).text).toBe(text);
        expect(withoutSources(result.value)).toBe(withoutSources(json));
        if (cells.every(({ source, next }) => next === null || next === source))
          expect(result.value).toBe(json);
      },
    ),
    { numRuns: 500 },
  );
});

function inForm(source: string, form: string): unknown {
  if (form === 'text') return source;
  if (form === 'pieces') return source.match(/.{1,3}/gsu) ?? [];
  return source.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** The file with nothing where the sources stand. */
function withoutSources(json: string): string {
  return json.replace(/"source":\s*(\[[^\]]*\]|"(\\.|[^"\\])*")/g, '"source"');
}
