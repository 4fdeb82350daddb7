import { expect, test } from 'vitest';
import { notebookText } from '#editor/notebook-text';
import { codeCell, notebookOf } from '#test/support/notebook';

const TEXT = notebookOf([codeCell('a', ['x\n', 'y'])]);
const read = (text: string) => notebookText(Buffer.from(text));

test('parts a notebook into sources and the rest', () => {
  expect([read(TEXT)?.sources, read(TEXT)?.rest === read(TEXT.replace('"y"', '"z"'))?.rest]).toEqual([
    ['x\ny'],
    true,
  ]);
  expect(read(TEXT)?.rest).not.toBe(read(TEXT.replace('"id": "a"', '"id": "b"'))?.rest);
});

test.each([
  ['as Jupyter writes it', TEXT, true],
  ['indented by tabs', TEXT.replace(/^ +/gm, (spaces) => '\t'.repeat(spaces.length)), true],
  ['without the last line end', TEXT.trimEnd(), false],
  ['with CRLF', TEXT.replaceAll('\n', '\r\n'), false],
  ['with another order of keys', `${JSON.stringify({ nbformat: 4, ...JSON.parse(TEXT) }, null, 1)}\n`, false],
  ['with an escape', TEXT.replace('"y"', '"\\u0079"'), false],
  ['with a number of another form', TEXT.replace('"nbformat_minor": 5', '"nbformat_minor": 5.0'), false],
])('knows whether the editor would write a file %s', (_, text, isEditorsOwn) => {
  expect(read(text)?.isEditorsOwn).toBe(isEditorsOwn);
});

test('what is no notebook of format 4 is none', () => {
  const others = ['', '{', 'null', '{"nbformat":3,"cells":[]}', '{"nbformat":4}', `\uFEFF${TEXT}`];
  expect([...others.map(read), notebookText(Buffer.from([0xff]))]).toEqual(Array(7).fill(undefined));
});
