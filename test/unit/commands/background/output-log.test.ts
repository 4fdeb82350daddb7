import { expect, test } from 'vitest';
import { OutputLog } from '#commands/background/output-log';

test('an offset means the same byte however much was printed since', () => {
  const log = new OutputLog({ head: 10, tail: 10 });
  for (let line = 0; line < 10; line++) log.push(`line ${line}\n`);
  expect([log.read(0, 100), log.read(10, 100), log.read(65, 100), log.end]).toEqual([
    { text: 'line 0\nlin', start: 0, next: 10, end: 70, dropped: 0 },
    { text: ' 8\nline 9\n', start: 60, next: 70, end: 70, dropped: 50 },
    { text: 'ne 9\n'.slice(0, 5), start: 65, next: 70, end: 70, dropped: 0 },
    70,
  ]);
});

test('a character is never cut, neither by a page nor where the middle goes', () => {
  const log = new OutputLog({ head: 5, tail: 7 });
  log.push('ab≤');
  log.push('≥≤');
  log.push('≤≥');
  const pages = [log.read(0, 4), log.read(4, 4), log.read(5, 100)];
  expect([pages.map(({ text }) => text), log.whole()]).toEqual([
    ['ab', expect.not.stringContaining('�'), '≤≥'],
    'ab≤\n… 6 bytes not kept …\n≤≥',
  ]);
});

test('fifty megabytes cost no more than what is kept', () => {
  const log = new OutputLog();
  const piece = 'x'.repeat(65_535);
  for (let n = 0; n < 800; n++) log.push(`${piece}\n`);
  log.push('the end\n');
  const { text, dropped } = log.read(log.end - 8, 100);
  expect([
    text,
    dropped,
    log.end,
    log.whole().length < 2_500_000,
    log.read(1_000_000, 10).dropped > 0,
  ]).toEqual(['the end\n', 0, 52_428_808, true, true]);
});

test('what is forgotten after the end is said, the last lines stay', () => {
  const log = new OutputLog();
  log.push('first\n'.repeat(100));
  log.push('last\n');
  log.shrink(16);
  expect([log.read(0, 100), log.last(11)]).toEqual([
    { text: 'first\nlast\n', start: 594, next: 605, end: 605, dropped: 594 },
    'last\n',
  ]);
});

test('a million tiny pieces take no longer than they are long, and no more memory than is kept', () => {
  const log = new OutputLog();
  const before = process.memoryUsage().arrayBuffers;
  for (let line = 0; line < 1_500_000; line++) log.push('é\n');
  expect([log.end, log.last(6), log.read(3, 100).text.slice(0, 3)]).toEqual([4_500_000, 'é\n', 'é\né']);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16_000_000);
});

test.each([1, 2, 3, 7, 16, 100])('in pieces of %d characters the same is kept as of the whole', (size) => {
  const text = Array.from({ length: 60 }, (_, at) => `${at}€😀`).join('');
  const log = new OutputLog({ head: 33, tail: 41 });
  const characters = [...text];
  for (let at = 0; at < characters.length; at += size) log.push(characters.slice(at, at + size).join(''));
  const [head, , tail] = log.whole().split('\n');
  const bytes = Buffer.byteLength(`${head}${tail}`);
  expect([
    log.end,
    text.startsWith(head ?? '?'),
    text.endsWith(tail ?? '?'),
    bytes > 64 && bytes <= 74,
  ]).toEqual([Buffer.byteLength(text), true, true, true]);
});
