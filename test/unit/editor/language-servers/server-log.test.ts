import { expect, test } from 'vitest';
import { ServerLog } from '#editor/language-servers/server-log';

function lab() {
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  const time = { now: 0 };
  const log = new ServerLog('one', { debug: write, info: write, warn: write, error: write }, () => time.now);
  return { lines, time, log };
}

test('a flood costs two hundred lines in ten seconds, and the rest is counted', () => {
  const { lines, time, log } = lab();
  for (let line = 0; line < 100_000; line += 1) log.says('noise');
  time.now = 10_000;
  log.says('calm again');
  expect([lines.length, lines.slice(-2)]).toEqual([
    202,
    ['language server one: 99800 more lines were left out of this log', 'one: calm again'],
  ]);
});

test('lines of stderr are put together, and one without an end is cut', () => {
  const { lines, log } = lab();
  log.stderr('first ha');
  log.stderr('lf\n\nsecond\n');
  for (let piece = 0; piece < 1000; piece += 1) log.stderr('x'.repeat(1000));
  log.stderr('\n');
  expect([lines.slice(0, 2), lines.length, (lines[2] ?? '').length < 2100]).toEqual([
    ['one: first half', 'one: second'],
    3,
    true,
  ]);
});
