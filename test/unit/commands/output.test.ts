import { expect, test } from 'vitest';
import { OUTPUT_LIMIT, OutputCollector } from '#commands/output';

test('nothing printed is nothing', () => {
  expect(new OutputCollector().finish()).toEqual({ text: '', omitted: 0 });
});

test('each stream keeps half a character of its own back', () => {
  const output = new OutputCollector();
  for (const byte of [0xe2, 0x89, 0xa4]) {
    output.push('stdout', Buffer.from([byte]));
    output.push('stderr', Buffer.from([byte]));
  }
  expect(output.finish()).toEqual({ text: '≤≤', omitted: 0 });
});

test('characters of two streams that share a pipe stay whole, whatever comes between their parts', () => {
  const output = new OutputCollector();
  for (const bytes of [
    [0x61, 0xe2, 0xe2],
    [0x89, 0x89, 0xa4],
    [0xa4, 0xf0, 0x9f],
    [0xc3],
    [0xa9, 0x98],
    [0x80, 0x62],
  ])
    output.push('stdout', Buffer.from(bytes));
  expect(output.finish().text).toBe('a≤≤é😀b');
});

test('what is no UTF-8 hides nothing of what is', () => {
  const output = new OutputCollector();
  output.push('stdout', Buffer.from('caf\xe9 ok \xe9\xe9\xe9!\n', 'latin1'));
  output.push('stdout', Buffer.concat([Buffer.from([0x80, 0xc0]), Buffer.from('é')]));
  expect(output.finish().text).toBe('caf\ufffd ok \ufffd\ufffd\ufffd!\n\ufffd\ufffdé');
});

test('undecodable bytes become replacement characters, a cut character at the end too', () => {
  const output = new OutputCollector();
  output.push('stdout', Buffer.from([0x61, 0xff, 0x62, 0xe2, 0x89]));
  expect(output.finish().text).toBe('a\ufffdb\ufffd');
});

test('exactly the limit is whole, one more is cut and counted', () => {
  const exact = new OutputCollector();
  exact.push('stdout', Buffer.from('x'.repeat(OUTPUT_LIMIT)));
  const more = new OutputCollector();
  more.push('stdout', Buffer.from('x'.repeat(OUTPUT_LIMIT + 1)));
  expect(exact.finish()).toEqual({ text: 'x'.repeat(OUTPUT_LIMIT), omitted: 0 });
  expect(more.finish()).toMatchObject({ omitted: 1, whole: 'x'.repeat(OUTPUT_LIMIT + 1) });
});

test('a flood keeps its first and last megabytes and says how much is gone', () => {
  const output = new OutputCollector();
  output.push('stdout', Buffer.from('first\n'));
  const chunk = Buffer.from(`${'é'.repeat(50)}\n`.repeat(10_000));
  for (let index = 0; index < 30; index++) output.push('stdout', chunk);
  output.push('stderr', Buffer.from('last\n'));
  const { text, omitted, whole } = output.finish();
  expect(text).toMatch(/^first\n(é{50}\n)+[\s\S]*\n… \d+ characters left out …\n[é\n]+last\n$/);
  expect(text.length).toBeLessThan(OUTPUT_LIMIT + 100);
  expect(omitted).toBeGreaterThan(15_000_000);
  expect(whole).toMatch(/^first\n[\s\S]*\n… \d+ bytes not kept …\n[é\n]*last\n$/);
  expect(Buffer.byteLength(whole ?? '')).toBeLessThan(10_500_000);
  expect(whole).not.toContain('\ufffd');
});

test('people see the text as it comes, without what drives a terminal', () => {
  const seen: string[] = [];
  const output = new OutputCollector((text) => seen.push(text));
  for (const chunk of ['\x1b[31mone\x1b[0m\ntw', 'o\n', 'thr', 'ee'])
    output.push('stdout', Buffer.from(chunk));
  output.finish();
  expect(seen).toEqual(['one\n', 'two\n', 'three']);
});
