import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Bench, bench, verdictOf } from '../bench';

function git(folder: string, ...args: readonly string[]): string {
  return execFileSync('git', ['-C', folder, '-c', 'user.name=x', '-c', 'user.email=x@y', ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

/** A repository that tracks these files, in one commit. */
function tracked(files: Readonly<Record<string, string>>): Bench {
  const gates = bench({ files, reading: true });
  git(gates.folder.path, 'init', '-q');
  git(gates.folder.path, 'add', '-A');
  git(gates.folder.path, 'commit', '-qm', 'feat: all');
  return gates;
}

const verdict = (gates: Bench, command: string) => verdictOf(gates.run(command), gates);

const SECRET = { 'src/a.ts': 'a\n', 'deploy/.env': 'KEY=x \n' };
const CLEAN = { 'src/a.ts': 'a\n' };

test.each([
  // git's own stars, which the shell leaves alone
  "git grep -n KEY -- '*'",
  "git grep -n KEY -- 'deploy/*'",
  "git diff HEAD -- '*nv'",
  "git show HEAD -- '[d]eploy'",
  "git log -p -- 'd?ploy'",
  "git log -p -- '\\deploy'",
  // a revision with a colon in it is a whole commit, not one file
  "git show 'HEAD^{/feat: all}'",
  "git show 'HEAD@{10:00:00}'",
  "git diff 'HEAD@{2020-01-01 10:00:00}'",
  'git show :/feat',
  // words that are the values of flags say nothing
  'git grep -e -l -e KEY',
  'git grep -e -c -e KEY',
  'git show --until --stat HEAD',
  'git show -S -s HEAD',
  'git grep -A 40 -e -- HEAD',
  'git diff -G -- HEAD',
  // further ways to print
  "git diff ':!src'",
  "git diff ':(glob)**'",
  'git diff HEAD:deploy HEAD~1:deploy',
  'git status -v',
  'git status -sv',
  'git status --verbose',
  'git log --check',
  'git cat-file blob 0123456789',
  'git show --stat --patch-with-stat',
])('what shows tracked files asks where a secret is among them, however it is said: %s', async (command) => {
  expect([await verdict(tracked(SECRET), command), await verdict(tracked(CLEAN), command)]).toEqual([
    'ask',
    expect.stringMatching(/allow|ask/),
  ]);
});

test.each([
  'git diff --stat',
  'git diff --cached --stat',
  'git diff -w --name-only',
  'git show -s HEAD',
  'git show HEAD --stat',
  'git show --no-color --stat --oneline',
  'git diff HEAD -- src',
  'git show HEAD:src/a.ts',
  'git grep -l KEY',
  'git grep -il KEY',
  'git status',
  'git status -sb',
  'git log --oneline -3',
  'git cat-file -t HEAD',
])('what shows none of their contents goes unasked: %s', async (command) => {
  expect(await verdict(tracked(SECRET), command)).toBe('allow');
});

test.each(['git branch --format --list evil', 'git tag --format --list evil'])(
  'a flag’s value doesn’t make a list of what makes a name: %s',
  async (command) => {
    expect(await verdict(tracked(CLEAN), command)).toBe('ask');
  },
);

/** Whatever git reads there is somebody else's: its configuration names a program. */
function evil(folder: string): void {
  mkdirSync(join(folder, 'info'), { recursive: true });
  writeFileSync(join(folder, 'config'), '[filter "x"]\n\tclean = touch mark\n');
  writeFileSync(join(folder, 'info/attributes'), '* filter=x\n');
}

test('a git folder that takes its configuration from elsewhere asks', async () => {
  const gates = tracked(CLEAN);
  evil(join(gates.folder.path, 'elsewhere'));
  writeFileSync(join(gates.folder.path, '.git/commondir'), '../elsewhere\n');
  expect(await verdict(gates, 'git status')).toBe('ask');
});

test('a submodule with a git folder of its own is looked at like the repository', async () => {
  const gates = tracked(CLEAN);
  const inner = join(gates.folder.path, 'sub');
  mkdirSync(inner);
  git(inner, 'init', '-q');
  writeFileSync(join(inner, 'x'), 'x\n');
  git(inner, 'add', '-A');
  git(inner, 'commit', '-qm', 'x');
  git(gates.folder.path, 'add', 'sub');
  const harmless = await verdict(gates, 'git status');
  evil(join(inner, '.git'));
  const harmful = await verdict(gates, 'git status');
  rmSync(inner, { recursive: true });
  expect([harmless, harmful, await verdict(gates, 'git status')]).toEqual(['allow', 'ask', 'allow']);
});

test('a git folder elsewhere counts only where it knows of this one', async () => {
  const gates = tracked(CLEAN);
  const other = tracked({ ...CLEAN, 'diary.txt': 'private\n' });
  const at = (name: string) => join(gates.folder.path, name);
  for (const name of ['by-file', 'by-link']) mkdirSync(at(name));
  writeFileSync(at('by-file/.git'), `gitdir: ${other.folder.path}/.git\n`);
  symlinkSync(join(other.folder.path, '.git'), at('by-link/.git'));
  git(other.folder.path, 'worktree', 'add', '-q', at('worktree'));
  const commands = ['by-file', 'by-link', 'worktree'].map((name) => `git -C ${name} show`);
  const verdicts = [];
  for (const command of commands) verdicts.push(await verdict(gates, command));
  expect(verdicts).toEqual(['ask', 'ask', 'allow']);
});
