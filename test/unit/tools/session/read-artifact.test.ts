import { expect, test } from 'vitest';
import { type Bench, toolBench } from '#test/support/tool-context';
import { readArtifact } from '#tools/session/read-artifact';

async function kept(
  content: string,
): Promise<{ bench: Bench; id: string; read(more?: object): ReturnType<Bench['call']> }> {
  const bench = toolBench();
  const { id } = await bench.context.artifacts.put(content);
  return { bench, id, read: (more = {}) => bench.call(readArtifact, { id, ...more }) };
}

const LINES = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);

test('reads by bytes, and says how to go on', async () => {
  const { id, read } = await kept('abcdef');
  expect(await read({ maxBytes: 4 })).toEqual({
    version: 1,
    status: 'success',
    content: 'abcd\n\n(bytes 0–4 of 6; go on with offset 4)',
    display: { kind: 'artifact', title: 'a long output', fields: [{ key: 'bytes', value: '0–4' }], body: '' },
    artifact: { id, bytes: 6 },
  });
  expect((await read({ offset: 4 })).content).toBe('ef\n\n(bytes 4–6 of 6; the end)');
});

test('a byte inside a character leads to the character, and the range says so', async () => {
  const { read } = await kept('a€b');
  expect((await read({ offset: 2 })).content).toBe('€b\n\n(bytes 1–5 of 5; the end)');
});

test('reads by lines with their numbers', async () => {
  const { read } = await kept(`${LINES.join('\r\n')}\r\n`);
  expect((await read({ line: 3, maxLines: 2 })).content).toBe(
    '3\tline 3\n4\tline 4\n\n(lines 3–4 of 30; go on with line 5)',
  );
  expect((await read({ line: 30 })).content).toBe('30\tline 30\n\n(lines 30–30 of 30; the end)');
  expect((await read({ maxLines: 1 })).display?.fields).toEqual([{ key: 'lines', value: '1–1' }]);
});

test('finds a keyword as it is written, whatever its case, with lines around it', async () => {
  const { read } = await kept(['one', 'two', 'a.*[b', 'four', 'five', 'six', 'A.*[B too', 'axxb'].join('\n'));
  const { content, display } = await read({ keyword: 'a.*[B', context: 1 });
  expect(content).toBe('2-two\n3:a.*[b\n4-four\n--\n6-six\n7:A.*[B too\n8-axxb\n\n(2 lines hold "a.*[B")');
  expect(display).toMatchObject({
    kind: 'artifact',
    body: '',
    fields: [{ key: 'hits', value: '“a.*[B” · 2' }],
  });
});

test('lines around neighbouring hits are shown once, and none twice', async () => {
  const { read } = await kept(LINES.join('\n'));
  expect((await read({ keyword: 'line 1' })).content.split('\n').slice(0, 4)).toEqual([
    '1:line 1',
    '2-line 2',
    '3-line 3',
    '--',
  ]);
  const numbers = [...(await read({ keyword: 'line', context: 20 })).content.matchAll(/^\d+/gm)].map(Number);
  expect(numbers).toEqual(LINES.map((_, index) => index + 1));
});

test('more hits than fit are counted, and can be gone on with', async () => {
  const { read } = await kept(Array.from({ length: 5000 }, (_, i) => `hit ${i + 1}`).join('\n'));
  const first = await read({ keyword: 'HIT', context: 0 });
  expect(first.content).toMatch(
    /^100:hit 100\n\n\(5000 lines hold "HIT"; 100 shown, go on with line 101\)$/m,
  );
  const second = await read({ keyword: 'HIT', context: 0, line: 4999 });
  expect(second.content).toBe('4999:hit 4999\n5000:hit 5000\n\n(2 lines from line 4999 on hold "HIT")');
});

test('a keyword that is nowhere is no failure', async () => {
  const { read } = await kept('abc');
  expect(await read({ keyword: 'x' })).toMatchObject({ status: 'success', content: '(0 lines hold "x")' });
});

test.each([
  [{ offset: 6 }, 'offset 6 is past the end, at 6 bytes'],
  [{ offset: Number.MAX_SAFE_INTEGER }, 'offset 9007199254740991 is past the end, at 6 bytes'],
  [{ line: 2 }, 'line 2 is past the end; it has 1 line'],
  [{ line: 1, offset: 0 }, 'offset and maxBytes count bytes; leave them out with line, maxLines or keyword'],
  [
    { keyword: 'a', maxBytes: 4 },
    'offset and maxBytes count bytes; leave them out with line, maxLines or keyword',
  ],
  [{ context: 1 }, 'context goes with keyword; leave it out or give a keyword'],
])('%j is not accepted', async (input, words) => {
  const { read } = await kept('abcdef');
  expect(await read(input)).toMatchObject({ code: 'rejected_arguments', content: `read_artifact: ${words}` });
});

test('an id that is none of this session is not accepted, in every way of reading', async () => {
  const { bench } = await kept('abcdef');
  for (const more of [{}, { line: 1 }, { keyword: 'a' }])
    expect(await bench.call(readArtifact, { id: '../other', ...more })).toMatchObject({
      code: 'rejected_arguments',
      content: 'read_artifact: there is no artifact "../other" in this session; use the id a result named',
    });
});

test('an empty output is empty in every way of reading', async () => {
  const { read } = await kept('');
  expect([
    (await read()).content,
    (await read({ line: 1 })).content,
    (await read({ keyword: 'a' })).content,
  ]).toEqual(['\n\n(bytes 0–0 of 0; the end)', '\n\n(lines empty of 0; the end)', '(0 lines hold "a")']);
});

test('of one line of ten megabytes each way gives a bounded part and the place where it goes on', async () => {
  const { read } = await kept(`${'字'.repeat(2_000_000)}needle${'x'.repeat(4_000_000)}`);
  const sizes: number[] = [];
  const bytes = await read({ offset: 3_000_001 });
  sizes.push(bytes.content.length);
  expect(bytes.content).toMatch(/\(bytes 3000000–3050001 of 10000006; go on with offset 3050001\)$/);
  const lines = await read({ line: 1 });
  sizes.push(lines.content.length);
  expect(lines.content).toMatch(
    /字… \(5998007 more characters; go on with offset 5997\)\n\n\(lines 1–1 of 1; the end\)$/,
  );
  const found = await read({ keyword: 'NEEDLE' });
  sizes.push(found.content.length);
  expect(found.content).toMatch(
    /^1:…字+needlex+… \(of 6000006 characters; this part is at offset 5999400\)\n\n\(1 line holds "NEEDLE"\)$/,
  );
  expect(Math.max(...sizes)).toBeLessThan(51_000);
});

test('a page is bounded whatever is asked for', async () => {
  const { read } = await kept(`${'y'.repeat(1900)}\n`.repeat(5000));
  for (const input of [{ maxBytes: 1e9 }, { line: 1, maxLines: 1e9 }, { keyword: 'y', context: 20 }])
    expect((await read(input)).content.length).toBeLessThan(101_000);
});
