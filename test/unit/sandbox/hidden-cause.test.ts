import { expect, test } from 'vitest';
import { hiddenCause } from '#sandbox/hidden-cause';
import { processorSeconds } from '#test/support/processor';

const MASKED = ['/ws/a.pem', '/ws/config/prod', '/ws/my secrets/key file.txt'];

test.each([
  ['cat: a.pem: Permission denied', '/ws/a.pem'],
  ['cat: ../a.pem: Permission denied', '/ws/a.pem'],
  ['bash: line 1: ./a.pem: Permission denied', '/ws/a.pem'],
  ["Error: EACCES: permission denied, open '/ws/a.pem'", '/ws/a.pem'],
  ["PermissionError: [Errno 13] Permission denied: 'config/prod/db.json'", '/ws/config/prod'],
  ["ls: cannot open directory 'config/prod/': Permission denied", '/ws/config/prod'],
  ['grep: prod/deep/db.json: Permission denied', '/ws/config/prod'],
  ['error: open("a.pem"): Permission denied', '/ws/a.pem'],
  ["mv: cannot move 'a.pem' to 'b': Device or resource busy", '/ws/a.pem'],
  ['cat: my secrets/key file.txt: Permission denied', '/ws/my secrets/key file.txt'],
  ["cat: 'key file.txt': Permission denied", '/ws/my secrets/key file.txt'],
])('a masked file is known by what programs say of it: %s', (line, expected) => {
  expect(hiddenCause(`before\n${line}\nafter\n`, MASKED)).toBe(expected);
});

test.each([
  'a.pem',
  'cat: a.pem: No such file or directory',
  'cat: b.pem: Permission denied',
  'cat: xa.pem: Permission denied',
  'cat: a.pem.txt: Permission denied',
  '/other/a.pem: Permission denied',
  'git@host: Permission denied (publickey).',
  'Permission denied',
  '',
])('what speaks of no masked file names none: %j', (line) => {
  expect(hiddenCause(line, MASKED)).toBe(undefined);
});

test('a flood of such lines is looked at from its end, in no time', async () => {
  const flood = `${'x'.repeat(100)} '${'a/'.repeat(2000)}': Permission denied\n`.repeat(500);
  const taken = await processorSeconds(() => {
    expect(hiddenCause(`${flood}cat: a.pem: Permission denied`, MASKED)).toBe('/ws/a.pem');
    expect(hiddenCause(`cat: a.pem: Permission denied\n${flood}`, MASKED)).toBe(undefined);
  });
  expect(taken).toBeLessThan(5);
});
