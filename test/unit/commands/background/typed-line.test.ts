import { expect, test } from 'vitest';
import { mayBeShell } from '#commands/background/programs';
import { TypedLine } from '#commands/background/typed-line';

test('a command that is typed in pieces is judged whole', () => {
  const line = new TypedLine();
  line.take('su', 'bash');
  expect([line.with('do true\n'), line.with('\n')]).toEqual(['sudo true\n', 'su\n']);
});

test('what was carried out is gone from the line, what is unfinished is not', () => {
  const line = new TypedLine();
  line.take('echo one\n', 'bash');
  const after = line.with('two\n');
  line.take('echo "three\n', 'bash');
  expect([after, line.with('four"\n')]).toEqual(['two\n', 'echo "three\nfour"\n']);
});

test('Enter is a carriage return in a terminal', () => {
  const line = new TypedLine();
  line.take('echo one\r', 'bash');
  expect(line.with('two\r')).toBe('two\n');
});

test('keys that edit the line make it unknown until it is dropped or carried out', () => {
  const line = new TypedLine();
  const first = line.doubt('ls\x1b[D\x1b[Dx');
  line.take('ls\x1b[D', 'bash');
  const then = line.doubt('x\n');
  line.take('\x03', 'bash');
  expect([first, then, line.doubt('ls\n'), line.doubt('\x03'), line.doubt('echo !!\n')]).toEqual([
    'keys',
    'keys',
    undefined,
    undefined,
    'history',
  ]);
});

test.each([
  ['bash', true],
  ['/bin/bash -i', true],
  ['ssh host', true],
  ['docker exec -it box sh', true],
  ['cd x && exec zsh', true],
  ['env X=1 bash', true],
  ['$SHELL', true],
  ['"unclosed', true],
  ['node -i', false],
  ['python3', false],
  ['npm run dev', false],
])('%s may hand what is typed to a shell: %s', (command, expected) => {
  expect(mayBeShell(command, 'bash')).toBe(expected);
});
