import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sha256 } from '#base/hash';
import type { RelativePath } from '#protocol/ids';
import { codeCell, notebookOf, printed } from '#test/support/notebook';
import { toolBench } from '#test/support/tool-context';
import { editFile } from '#tools/files/edit-file';
import { readFile } from '#tools/files/read-file';
import { writeFile } from '#tools/files/write-file';

const PATH = 'nb.ipynb' as RelativePath;
const NOTES =
  'a notebook: 2 cells, python; numbered lines are what edit_file sees of it, lines with | are outputs';
const JSON_TEXT = notebookOf([
  codeCell('a', ['import os\n', 'print(os.name)'], [printed('posix\n')]),
  codeCell('b', ['x = 1\n', 'x']),
]);

test('reads a notebook as cells, by pages too, and remembers what was shown', async () => {
  const { call, context } = toolBench({ [PATH]: JSON_TEXT });
  expect((await call(readFile, { path: PATH, limit: 3 })).content).toBe(
    [
      '     1→--- cell 1 (code, id a) ---',
      '     2→import os',
      '     3→print(os.name)',
      '      | posix',
      '',
      `(lines 1–3 of 6; go on with offset 4; ${NOTES})`,
    ].join('\n'),
  );
  expect(context.reads.seen(PATH)).toEqual({ sha256: sha256(JSON_TEXT), whole: false });
  expect((await call(readFile, { path: PATH, offset: 4 })).content).toMatch(
    /^ {5}4→--- cell 2 \(code, id b\) ---\n {5}5→x = 1\n {5}6→x\n\n/,
  );
  expect(context.reads.seen(PATH)?.whole).toBe(true);
});

test('an edit of what was shown changes that source and no other byte, and is found again', async () => {
  const { call, folder, written } = toolBench({ [PATH]: JSON_TEXT });
  await call(readFile, { path: PATH });
  const oldText = '     5→x = 1\n     6→x';
  const newText = '     5→x = 1\n     6→print(x)\n     7→y = "2"';
  const result = await call(editFile, { path: PATH, oldText, newText });
  expect([result.content, result.display]).toMatchObject([
    'Edited nb.ipynb: 1 replacement at line 6.\nline numbers of read_file were taken off oldText and newText',
    { kind: 'diff', added: 2, removed: 1 },
  ]);
  expect(readFileSync(folder.at(PATH), 'utf8')).toBe(
    JSON_TEXT.replace('    "x"\n', '    "print(x)\\n",\n    "y = \\"2\\""\n'),
  );
  expect((await call(readFile, { path: PATH, offset: 6 })).content).toMatch(
    /^ {5}6→print\(x\)\n {5}7→y = "2"\n/,
  );
  expect(written.length).toBe(1);
  expect((await call(editFile, { path: PATH, oldText: 'y = "2"', newText: 'y = 3' })).status).toBe('success');
});

test('outputs and headings can’t be edited', async () => {
  const { call, folder } = toolBench({ [PATH]: JSON_TEXT });
  await call(readFile, { path: PATH });
  const contents = [
    (await call(editFile, { path: PATH, oldText: 'posix', newText: 'nt' })).content,
    (await call(editFile, { path: PATH, oldText: '(code, id b)', newText: '(markdown)' })).content,
  ];
  expect(contents).toEqual([
    expect.stringMatching(/^edit_file: nb\.ipynb: oldText was not found; read it again/),
    expect.stringMatching(/^edit_file: nb\.ipynb: an edit of a notebook changes the sources of its cells/),
  ]);
  expect(readFileSync(folder.at(PATH), 'utf8')).toBe(JSON_TEXT);
});

test('a notebook of several MB is read and edited: its outputs are what is large', async () => {
  const data = { 'image/png': 'iVBO'.repeat(750_000), 'text/plain': ['<Figure>'] };
  const json = notebookOf([codeCell('a', ['plot()'], [{ output_type: 'display_data', data, metadata: {} }])]);
  const { call, folder } = toolBench({ [PATH]: json });
  expect((await call(readFile, { path: PATH })).content).toMatch(
    /^ {5}1→--- cell 1 \(code, id a\) ---\n {5}2→plot\(\)\n {6}\| <Figure>\n {6}\| \(image\/png, 2,250,000 bytes\)\n\n/,
  );
  expect((await call(editFile, { path: PATH, oldText: 'plot()', newText: 'show()' })).status).toBe('success');
  expect(readFileSync(folder.at(PATH), 'utf8')).toBe(json.replace('plot()', 'show()'));
});

test('a broken notebook is read and edited as the text that it is, with a note', async () => {
  const { call, folder } = toolBench({ [PATH]: '{"cells": [\n' });
  expect((await call(readFile, { path: PATH })).content).toBe(
    '     1→{"cells": [\n\n(it is no whole Jupyter notebook, or one over 16 MB, so this is its text)',
  );
  await call(editFile, { path: PATH, oldText: '[', newText: '[]}' });
  expect(readFileSync(folder.at(PATH), 'utf8')).toBe('{"cells": []}\n');
});

test('a broken notebook over 1 MB is not edited', async () => {
  const { call } = toolBench({ [PATH]: `{"cells": [\n${'x\n'.repeat(600_000)}` });
  await call(readFile, { path: PATH });
  expect((await call(editFile, { path: PATH, oldText: 'x', newText: 'y' })).content).toBe(
    'edit_file: nb.ipynb is over 1 MB; change it with a command instead',
  );
});

test('a notebook with unsaved changes is a conflict, and reading says that they are not in the text', async () => {
  const bench = toolBench({ [PATH]: JSON_TEXT });
  const documents = { ...bench.host.documents, dirtyNotebook: () => true };
  const { call, folder } = toolBench({ [PATH]: JSON_TEXT }, { context: { documents } });
  expect((await call(readFile, { path: PATH })).content).toMatch(
    /\(the user has unsaved changes in this notebook, which are not in here; it can be edited once they save it and it is read again; a notebook/,
  );
  expect((await call(editFile, { path: PATH, oldText: 'x = 1', newText: 'x = 2' })).content).toBe(
    'edit_file: nb.ipynb has unsaved changes by the user; ask them to save, then read it again',
  );
  expect(readFileSync(folder.at(PATH), 'utf8')).toBe(JSON_TEXT);
});

test('a notebook that ran meanwhile has to be read again', async () => {
  const { call, folder } = toolBench({ [PATH]: JSON_TEXT });
  await call(readFile, { path: PATH });
  writeFileSync(folder.at(PATH), JSON_TEXT.replace('posix', 'nt'));
  expect((await call(editFile, { path: PATH, oldText: 'x = 1', newText: 'x = 2' })).content).toBe(
    'edit_file: nb.ipynb has changed since it was read; read it again',
  );
});

test('an overwrite that would lose outputs says so before a person is asked', async () => {
  const { call, context } = toolBench({ [PATH]: JSON_TEXT });
  await call(readFile, { path: PATH });
  const concernsOf = (content: string) =>
    writeFile.concerns?.({ path: PATH, content, overwrite: true }, context);
  expect([
    await concernsOf(JSON_TEXT.replace('x = 1', 'x = 2')),
    await concernsOf(JSON_TEXT.replace('"posix\\n"', '')),
  ]).toEqual([[], ['the outputs of 1 cells would be lost']]);
});

test('a new notebook is written as JSON and read as cells', async () => {
  const { call } = toolBench();
  await call(writeFile, { path: 'new.ipynb', content: notebookOf([codeCell('n', ['1 + 1'])]) });
  expect((await call(readFile, { path: 'new.ipynb' })).content).toMatch(
    /^ {5}1→--- cell 1 \(code, id n\) ---\n {5}2→1 \+ 1\n/,
  );
  expect((await call(editFile, { path: 'new.ipynb', oldText: '1 + 1', newText: '2' })).status).toBe(
    'success',
  );
});
