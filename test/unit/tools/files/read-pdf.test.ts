import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { RelativePath } from '#protocol/ids';
import { pdfBomb, pdfOf } from '#test/support/pdf';
import { toolBench } from '#test/support/tool-context';
import { readFile } from '#tools/files/read-file';
import { readPdf } from '#tools/formats/pdf';

const NAME_PAGES = 'name such pages to see the images that they may hold';
const signal = new AbortController().signal;

test('shows the text of a PDF page by page, whatever its name', async () => {
  const bytes = pdfOf([['Hello there', 'second line'], [], ['The end']]);
  const { call, context } = toolBench({ 'a.bin': bytes });
  expect(await call(readFile, { path: 'a.bin' })).toEqual({
    version: 1,
    status: 'success',
    content: [
      '     1→--- page 1 of 3 ---',
      '     2→Hello there',
      '     3→second line',
      '     4→--- page 2 of 3 ---',
      '     5→',
      '     6→--- page 3 of 3 ---',
      '     7→The end',
      '',
      `(a PDF, ${bytes.length.toLocaleString('en')} bytes; pages 1–3 of 3; 1 of them hold no text; ${NAME_PAGES})`,
    ].join('\n'),
    display: {
      kind: 'text',
      title: 'a.bin',
      fields: [{ key: 'pages', value: '1–3 / 3' }],
      body: '--- page 1 of 3 ---\nHello there\nsecond line\n--- page 2 of 3 ---\n\n--- page 3 of 3 ---\nThe end\n',
    },
  });
  expect(context.reads.seen('a.bin' as RelativePath)).toBeUndefined();
});

test('reads the pages that are named, and says how to go on after a full answer', async () => {
  const long = Array.from({ length: 60 }, (_, line) => `line ${line} ${'x'.repeat(700)}`);
  const { call } = toolBench({ 'a.pdf': pdfOf([long, long, long, ['last']]) });
  const first = await call(readFile, { path: 'a.pdf' });
  expect(first.content).toMatch(
    /pages 1–3 of 4; lines 1–\d+ of 183; go on with offset \d+ and the same pages\)$/,
  );
  expect((await call(readFile, { path: 'a.pdf', pages: '1-2' })).content).toMatch(/pages 1–2 of 4\)$/);
  expect((await call(readFile, { path: 'a.pdf', pages: '4' })).content).toMatch(
    /^ {5}1→--- page 4 of 4 ---\n {5}2→last\n/,
  );
  expect((await call(readFile, { path: 'a.pdf', pages: '5-9' })).content).toBe(
    'read_file: a.pdf has 4 pages; name pages from 1 to 4',
  );
  expect((await call(readFile, { path: 'a.pdf', pages: '3-2' })).content).toBe(
    'read_file: pages "3-2" is no range; give "4" or "4-7", from 1',
  );
});

test('says of a scanned PDF that it holds no text', async () => {
  const { call } = toolBench({ 'scan.pdf': pdfOf([[], []]) });
  expect((await call(readFile, { path: 'scan.pdf' })).content).toMatch(
    /pages 1–2 of 2; these pages hold no text: they may be scanned or drawn; name such pages to see the images that they may hold\)$/,
  );
});

test('says of an encrypted PDF that it wants a password, and of a broken one that it is damaged', async () => {
  const { call } = toolBench({
    'locked.pdf': pdfOf([['secret']], { locked: true }),
    'cut.pdf': Buffer.from('%PDF-1.7\n1 0 obj\n<< /Type /Cat'),
  });
  expect([
    (await call(readFile, { path: 'locked.pdf' })).content,
    (await call(readFile, { path: 'cut.pdf' })).content,
  ]).toEqual([
    'read_file: locked.pdf is a PDF that is encrypted with a password; ask the user for a copy without one',
    "read_file: cut.pdf could not be read: the PDF is damaged or isn't one",
  ]);
});

test('gives up a PDF that unfolds to more than memory and time bear', async () => {
  const bytes = pdfBomb(deflateSync(Buffer.alloc(120_000_000, 'q Q ')));
  const limits = { patienceMs: 1500, growth: 1024 ** 3 };
  const { texts, end } = await readPdf({ bytes, first: 1, last: 9, enough: 1000 }, signal, limits);
  expect([texts, ['too-long', 'too-large'].includes(end)]).toEqual([[], true]);
});

test('a stop ends the reading of a PDF', async () => {
  const stop = new AbortController();
  const reading = readPdf({ bytes: pdfOf([['x']]), first: 1, last: 1, enough: 9 }, stop.signal);
  stop.abort(new Error('stopped'));
  await expect(reading).rejects.toThrow('stopped');
});

test('refuses pages of what is no PDF', async () => {
  const { call } = toolBench({ 'a.txt': 'x\n' });
  expect((await call(readFile, { path: 'a.txt', pages: '2' })).content).toBe(
    'read_file: a.txt is no PDF; leave pages out',
  );
});
