import { expect, test } from 'vitest';
import { ignoreRules } from '#disk/ignore-rules';
import { processorSeconds } from '#test/support/processor';

const rules = (text: string | Uint8Array) =>
  ignoreRules(typeof text === 'string' ? new TextEncoder().encode(text) : text);
const hidden = (text: string, paths: readonly string[]) => paths.filter((path) => rules(text)?.hides(path));

test('speaks gitignore: names at any depth, anchors, folders, negation', () => {
  const paths = [
    'a.pem',
    'x/b.pem',
    'x/keep.pem',
    'top.txt',
    'x/top.txt',
    'logs',
    'logs/',
    'logs/a',
    'x/logs/b',
  ];
  expect(hidden('*.pem\n!keep.pem\n/top.txt\nlogs/\n', paths)).toEqual([
    'a.pem',
    'x/b.pem',
    'top.txt',
    'logs/',
    'logs/a',
    'x/logs/b',
  ]);
});

test('what lies in a hidden folder can’t be brought back', () => {
  expect(hidden('db/\n!db/seed.sql\n', ['db/', 'db/seed.sql'])).toEqual(['db/', 'db/seed.sql']);
});

test('letters’ case, composition, a mark at the beginning and CRLF make no difference', () => {
  expect(hidden('\uFEFFSecret.TXT\r\ncafe\u0301\r\n', ['secret.txt', 'caf\u00e9', 'cafe\u0301'])).toEqual([
    'secret.txt',
    'caf\u00e9',
    'cafe\u0301',
  ]);
});

test.each([
  ['nothing', ''],
  ['comments and blanks', '# secret.txt\n\n   \n'],
])('%s hides nothing', (_name, text) => {
  expect(rules(text)).toBeUndefined();
});

test.each([
  ['is larger than 256 KB', new Uint8Array(256 * 1024 + 1).fill(35)],
  ['is not text in UTF-8', new Uint8Array([0x61, 0xff, 0xfe, 0x0a])],
  ['is not text in UTF-8', 'a\0b\n'],
  ['has more than 2000 patterns', 'x\n'.repeat(2001)],
  ['has more than two ** in line 2', 'a\n**/a/**/a/**/b\n'],
])('what %s hides everything', (problem, content) => {
  const found = rules(content);
  expect([found?.problem, found?.hides('any/file')]).toEqual([problem, true]);
});

test('a pattern made to be slow is tried in no time', async () => {
  const taken = await processorSeconds(() => {
    const found = rules('*a*a*a*a*a*a*a*a*b\n**/a/**/b\n');
    expect(found?.hides(`${'a/'.repeat(100)}${'a'.repeat(200)}`)).toBe(false);
  });
  expect(taken).toBeLessThan(5);
});
