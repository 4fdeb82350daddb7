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

test('keys that edit the line make it unknown until it is carried out, since what drops a line may do nothing', () => {
  const line = new TypedLine();
  const first = line.doubt('ls\x1b[D\x1b[Dx');
  line.take('ls\x1b[D', 'bash');
  const then = line.doubt('x\n');
  line.take('\x03', 'bash');
  const dropped = [line.with('ls\n'), line.doubt('ls\n')];
  line.take('\n', 'bash');
  expect([first, then, dropped, line.doubt('ls\n'), line.doubt('\x03')]).toEqual([
    'keys',
    'keys',
    ['ls\n', 'keys'],
    undefined,
    undefined,
  ]);
});

test.each(['\x03', '\x04', '\x15'])(
  '%j on an empty line changes nothing; on another one nobody can be sure',
  (key) => {
    const line = new TypedLine();
    line.take(key, 'bash');
    const empty = line.doubt('ls\n');
    line.take('s', 'bash');
    line.take(key, 'bash');
    expect([empty, line.doubt('udo true\n')]).toEqual([undefined, 'keys']);
  },
);

test.each([
  ['echo !!', 'history'],
  ['^echo^su^', 'history'],
  ['fc -s', 'history'],
  ['x; bind -x y', 'history'],
  [': # ; reboot', 'comment'],
  ['s\t', 'keys'],
  ['echo a#b;', undefined],
  ['echo x # why', undefined],
] as const)('%j typed in one piece or two is in doubt: %s', (text, doubt) => {
  const halves = new TypedLine();
  halves.take(text.slice(0, 2), 'bash');
  expect([new TypedLine().doubt(`${text}\n`), halves.doubt(`${text.slice(2)}\n`)]).toEqual([doubt, doubt]);
});

test('a line longer than can be kept stays in doubt', () => {
  const line = new TypedLine();
  line.take(`: ${'x'.repeat(70_000)};s`, 'bash');
  const before = line.doubt('udo true\n');
  line.take('\n', 'bash');
  expect([before, line.doubt('ls\n')]).toEqual(['keys', 'keys']);
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
