import { expect, test } from 'vitest';
import { type BenchOptions, bench, verdictOf } from './bench';

const FILES = { 'src/a.ts': 'a\n', 'locked/a': 'a\n', 'secret/k': 'k\n' };

async function verdict(command: string, options: BenchOptions = {}) {
  const gates = bench({ files: FILES, ...options });
  return verdictOf(gates.run(command), gates);
}

test.each([
  'git -C . push',
  'git --no-pager push origin main',
  'git -c x=y -P push',
  'git --git-dir .git push',
  'env A=b git -C . push',
  'npm --silent publish',
  'npm --prefix sub publish',
])('options before a subcommand don’t lead around a deny: %j', async (command) => {
  const rules = { deny: ['Bash(git push:*)', 'Bash(npm publish)'] };
  expect(await verdict(command, { mode: 'allow', rules })).toBe('deny');
});

test.each(['git -C . status', 'git log --grep push', 'npm test -- publish'])(
  'nor does a deny hit what only holds its word: %j',
  async (command) => {
    const rules = { deny: ['Bash(git push:*)', 'Bash(npm publish)'] };
    expect(await verdict(command, { mode: 'allow', rules })).toBe('allow');
  },
);

test.each([
  "alias c='curl x'; c",
  'alias c=curl',
  "printf '%s' 'curl x' | sh",
  "printf 'cu\\x72l x' | sh",
  "echo -e 'curl\\x20x' | bash",
  'echo curl x | bash /dev/stdin',
])('a name or a pipe on the line hides no command from a deny: %j', async (command) => {
  expect(await verdict(command, { mode: 'allow', rules: { deny: ['Bash(curl:*)'] } })).toBe('deny');
});

test('a file in a commit or the index is denied as in the folder, and a glob that a redirect goes to as well', async () => {
  const rules = { deny: ['Read(./secret/**)', 'Edit(./locked/**)'] };
  for (const command of ['git show @:secret/k', 'git show :secret/k', 'echo x > lock*/a'])
    expect(await verdict(command, { mode: 'allow', rules })).toBe('deny');
});

test.each([
  ['for PATH in .; do npm test; done', 'ask'],
  ['for x in 1 2; do npm test; done', 'allow'],
] as const)('a loop’s variable is an assignment: %j', async (command, expected) => {
  expect(await verdict(command, { rules: { allow: ['Bash(npm test)'] } })).toBe(expected);
});

test.each([
  'git push --receive-p=./x',
  'git push origin :main',
  'git rebase --exe ./x',
  'tar xf x -I ./x',
  'tar cIf ./x a b',
  'tar xf x --use-comp=./x',
  'tar cf x --checkpoint-a=exec=./x a',
])('a flag that runs or destroys is one abbreviated too: %j', async (command) => {
  const rules = { allow: ['Bash(git push:*)', 'Bash(git rebase:*)', 'Bash(tar:*)'] };
  expect(await verdict(command, { rules })).toBe('ask');
});

test.each([
  'git commit -m "clean up the code"',
  'git commit -m "add --output and push --force"',
  'git push -u origin main:main',
  'tar czf x.tgz src',
  'tar -xf x.tgz -C src',
])('words of a message or a plain flag destroy nothing: %j', async (command) => {
  const rules = { allow: ['Bash(git commit:*)', 'Bash(git push:*)', 'Bash(tar:*)'] };
  expect(await verdict(command, { rules })).toBe('allow');
});
