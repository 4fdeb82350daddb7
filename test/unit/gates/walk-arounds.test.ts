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

test.each([
  'git -C . status',
  'git -C push status',
  'git --namespace push status',
  'git --git-dir push --work-tree push status',
  'git --attr-source push diff',
  'git log --grep push',
  'npm test -- publish',
])('nor does a deny hit what only holds its word: %j', async (command) => {
  const rules = { deny: ['Bash(git push:*)', 'Bash(npm publish)'] };
  expect(await verdict(command, { mode: 'allow', rules })).toBe('allow');
});

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

test.each([
  'echo push | xargs git',
  'echo push origin | xargs -I{} git {}',
  'parallel git ::: push',
  "env GIT_PAGER='git push' git log",
  ". /dev/stdin <<< 'git push'",
  'git -c alias.p=push p origin',
  "git -c alias.p='!git push' p",
  "git -c core.pager='git push' log",
  'git bisect run git push',
  "git submodule foreach --recursive 'git push'",
  "git rebase --exe 'git push' main",
  "GIT_PAGER='git push' git log",
  'cat <<E | sh\ngit push\nE',
  'env --chd sub git push',
  'env -iu X git push',
  'timeout --sig KILL 5 git push',
  'timeout -vk 1 5 git push',
  'nice --adj 5 git push',
  'xargs --replace git push',
])('what git, xargs or a wrapper runs is found behind their own options: %j', async (command) => {
  expect(await verdict(command, { mode: 'allow', rules: { deny: ['Bash(git push:*)'] } })).toBe('deny');
});

test.each([
  'ls | xargs git',
  'xargs -a list git',
  'ls | xargs -I% git %',
  'parallel git :::: list',
  'find . -exec git {} \\;',
  'fd . -x git',
  "sh -c 'git $1' _ push",
  'bash -c \'git "$@"\' _ push',
  'sed s/x/push/ <<< "git x" | sh',
  'bash <(echo git push)',
  'source <(echo git push)',
])('words that are only known when it runs may complete what a rule guards: %j', async (command) => {
  for (const guard of ['Bash(git push:*)', 'Bash(git push*)'])
    for (const kind of ['deny', 'ask'])
      expect(await verdict(command, { mode: 'allow', rules: { [kind]: [guard] } })).toBe('ask');
});

test.each(['ls | xargs cat', "find . -name '*.ts' -exec wc -l {} +", "sh -c 'npm $1' _ test"])(
  'and where they can’t, nothing is asked: %j',
  async (command) => {
    const rules = { deny: ['Bash(git push:*)', 'Bash(curl*)'] };
    expect(await verdict(command, { mode: 'allow', rules })).toBe('allow');
  },
);

test.each([
  'git checkout .',
  'git checkout -- src',
  'git checkout HEAD src/a.ts',
  'git checkout src/a.ts',
  'git checkout HEAD --pathspec-from-file=list',
  'git checkout -- src -b',
  'git restore --staged --source HEAD -W src',
  'git restore -s --staged src',
  'git restore --source --staged src',
  'git restore -- --staged src',
  'git restore -sStable src',
  'git restore .',
  'git restore -SW src/a.ts',
  'git switch --disc main',
  'git clean -fd',
  'git -C sub clean -fd',
  'git reset --har',
  'git reset --merge',
  'git mv -f a b',
  'git mv --force a b',
  'git rm -rf src',
  'git push --del origin x',
  'git worktree add ../other',
  'git -C sub -c core.pager=./x log',
  'tar xf a.tar -C /',
  'tar xf a.tar --dir=../x',
  "vim -es -c 'silent !touch m' -c q",
  'docker run -v /srv/data:/data node',
  'docker run --network host node',
])('a rule for the program doesn’t open what throws work away or leads out: %j', async (command) => {
  const rules = { allow: ['Bash(git:*)', 'Bash(tar:*)', 'Bash(vim:*)', 'Bash(docker:*)'] };
  expect(await verdict(command, { rules })).toBe('ask');
});

test.each([
  'git checkout main',
  'git checkout feature/login',
  'git checkout -b next origin/main',
  'git switch main',
  'git restore --staged .',
  'git restore --staged --source HEAD~1 src',
  'git restore --source=HEAD~1 --staged src',
  'git mv a b',
  'git worktree add trees/x',
  'git rm src/a.ts',
  'docker run -v .:/w node npm test',
])('and opens what doesn’t: %j', async (command) => {
  expect(await verdict(command, { rules: { allow: ['Bash(git:*)', 'Bash(docker:*)'] } })).toBe('allow');
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
