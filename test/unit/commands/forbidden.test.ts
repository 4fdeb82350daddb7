import { expect, test } from 'vitest';
import { forbidden } from '#commands/forbidden';
import { readCorpus } from '#test/support/corpus/read';
import { processorSeconds } from '#test/support/processor';

const PLACE = { workspaceRoot: '/home/me/project', home: '/home/me' };

test.each(readCorpus('forbidden'))('$shell: $line is never run', ({ shell, line, because }) => {
  expect(forbidden(line, { ...PLACE, shell })).toContain(because);
});

test('nothing else of the corpus is forbidden', () => {
  const hits = readCorpus('harmless').filter(
    ({ shell, line }) => forbidden(line, { ...PLACE, shell }) !== undefined,
  );
  expect(hits).toEqual([]);
});

test.each([
  'privileges',
  'devices',
  'a device',
  'the kernel',
  'the firewall',
  'accounts',
  'under /etc',
  'under /boot',
  'under /usr',
  'under /proc',
  'under /sys',
  'the whole disk',
  'a home folder',
  'a top-level folder',
  'the whole workspace',
  'holds the workspace',
  'may be empty',
  'restarts the machine',
  'fork bomb',
  'every process',
  'a whole drive',
])('the corpus has lines of the class: %s', (reason) => {
  expect(readCorpus('forbidden').some(({ because }) => because?.includes(reason))).toBe(true);
});

test('the sentence names the command, the reason and what is left to do', () => {
  expect(forbidden('ls && sudo apt install x', { ...PLACE, shell: 'bash' })).toBe(
    '`sudo apt install x` is never run, whatever the approval: it gains other privileges or leaves the sandbox. If it is really needed, the user does it in a terminal of their own.',
  );
});

test('where a line starts decides what its relative paths mean', () => {
  const inside = forbidden('rm -rf ..', { ...PLACE, shell: 'bash', cwd: '/home/me/project/src' });
  const deeper = forbidden('rm -rf ../old', { ...PLACE, shell: 'bash', cwd: '/home/me/project/src' });
  expect([inside, deeper]).toEqual([expect.stringContaining('it takes the whole workspace'), undefined]);
});

test('a subshell gives the folder back, a list keeps it', () => {
  const judge = (line: string) => forbidden(line, { ...PLACE, shell: 'bash' }) !== undefined;
  expect([judge('(cd /; ls); rm -rf *'), judge('cd /; ls; rm -rf *')]).toEqual([false, true]);
});

test('a workspace under /usr may be written', () => {
  const place = { workspaceRoot: '/usr/src/app', home: '/root', shell: 'bash' as const };
  expect([forbidden('touch /usr/src/app/a', place), forbidden('touch /usr/src/b', place)]).toEqual([
    undefined,
    expect.stringContaining('it writes under /usr'),
  ]);
});

test.each([
  ['much too long', `echo ${'x'.repeat(70_000)}`],
  ['too many substitutions', '$('.repeat(2000)],
  ['too deep', `${"sh -c '".repeat(1)}${'eval eval eval eval eval eval eval eval eval eval sudo'}'`],
])('a line that nobody can judge is refused: %s', (_name, line) => {
  expect(forbidden(line, { ...PLACE, shell: 'bash' })).toMatch(/never run/);
});

test('a hostile line costs little time', async () => {
  const lines = [
    '{a,b}'.repeat(50),
    '$('.repeat(900),
    '`'.repeat(4000),
    '('.repeat(4000),
    'rm -rf {1..9}{a,b}{c,d}'.repeat(100),
    `for i in ${'a '.repeat(5000)}; do rm -rf $i$i$i; done`,
  ];
  for (const line of lines)
    expect(await processorSeconds(() => forbidden(line, { ...PLACE, shell: 'bash' }))).toBeLessThan(5);
});
