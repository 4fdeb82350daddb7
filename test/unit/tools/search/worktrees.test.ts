import { execFileSync } from 'node:child_process';
import { renameSync, rmSync, symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { hiddenFiles } from '#disk/hidden-files';
import type { AbsolutePath } from '#protocol/ids';
import { toolBench } from '#test/support/tool-context';
import { readFile } from '#tools/files/read-file';
import { globFiles } from '#tools/search/glob-files';
import { searchFiles } from '#tools/search/search-files';

const AUTHOR = ['-c', 'user.name=A', '-c', 'user.email=a@example.org', '-c', 'commit.gpgsign=false'];
const NO_CONFIG = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
const FILES = { 'src/X.ts': 'needle\n' };
const ONE_LEFT_OUT = (path: string) =>
  `1 linked git worktree of this repository left out (${path}); set path to one to look in it`;

/** A repository with one commit and linked worktrees at these places. */
function repository(worktrees: readonly string[], files: Readonly<Record<string, string>> = FILES) {
  const bench = toolBench(files);
  const git = (...args: string[]) =>
    execFileSync('git', [...AUTHOR, ...args], { cwd: bench.folder.path, env: NO_CONFIG, stdio: 'pipe' });
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'first');
  for (const path of worktrees) git('worktree', 'add', '-q', '--detach', path);
  const glob = async (input: object) => (await bench.call(globFiles, input)).content;
  const search = async (input: object) =>
    (await bench.call(searchFiles, { pattern: 'needle', ...input })).content;
  /** The same tools in a folder of it that is opened by itself. */
  const inFolder = (path: string) => {
    const root = bench.folder.at(path);
    const workspace = { root, name: 'test', hidden: hiddenFiles(root) };
    return { ...bench.context, workspace };
  };
  return { ...bench, git, glob, search, inFolder };
}

test('SE-04 finds a file once, though linked worktrees hold copies of it', async () => {
  const { glob, search } = repository([1, 2, 3, 4, 5, 6].map((n) => `.agent/worktrees/a${n}`));
  const note =
    '(6 linked git worktrees of this repository left out (.agent/worktrees/a1, .agent/worktrees/a2, .agent/worktrees/a3, …); set path to one to look in it)';
  expect([
    await glob({ pattern: '**/X.ts' }),
    await glob({ pattern: '**/X.ts', includeIgnored: true }),
    await search({}),
    await search({ mode: 'count' }),
  ]).toEqual([`src/X.ts\n\n${note}`, `src/X.ts\n\n${note}`, `src/X.ts\n\n${note}`, `src/X.ts: 1\n\n${note}`]);
});

test('SE-04 looks into a linked worktree that the call names', async () => {
  const { glob, search, call } = repository(['.agent/worktrees/a1', '.agent/worktrees/a2']);
  const named = '.agent/worktrees/a1/src/X.ts';
  expect([
    await glob({ pattern: '**/X.ts', path: '.agent/worktrees/a1' }),
    await glob({ pattern: '.agent/worktrees/a1/**/X.ts' }),
    await glob({ pattern: '*', path: '.agent/worktrees/a1/src' }),
    await search({ path: '.agent/worktrees/a1' }),
    await search({ path: named }),
    (await call(readFile, { path: named })).content,
  ]).toEqual([named, named, named, named, named, '     1→needle']);
});

test('SE-04 says what was left out where nothing is found, too', async () => {
  const { glob, search } = repository(['trees/a1']);
  const end = `${ONE_LEFT_OUT('trees/a1')}.`;
  expect((await glob({ pattern: 'X.ts', path: 'trees' })).endsWith(` ${end}`)).toBe(true);
  expect((await search({ path: 'trees' })).endsWith(` ${end}`)).toBe(true);
});

test('SE-04 tells nothing of worktrees that are ignored or hidden anyway, or lie elsewhere', async () => {
  const { glob, folder, git } = repository(['.trees/a1', 'kept/a2'], {
    ...FILES,
    '.gitignore': '.trees/\n',
    '.belayignore': 'kept/\n',
  });
  git('worktree', 'add', '-q', '--detach', `${folder.path}-beside`);
  expect(await glob({ pattern: '**/X.ts' })).toBe('src/X.ts');
  expect(await glob({ pattern: '**/X.ts', includeIgnored: true })).toBe(
    `src/X.ts\n\n(${ONE_LEFT_OUT('.trees/a1')})`,
  );
  rmSync(`${folder.path}-beside`, { recursive: true });
});

test('SE-04 means the very folder, whatever stands in its name', async () => {
  const names = ['a[b]*{c,d}?', '!e', ' f ', 'g\nh', '#i'];
  const { glob } = repository(names, { ...FILES, 'ab/X.ts': '', 'e/X.ts': '' });
  const [list, note] = (await glob({ pattern: '**/X.ts' })).split('\n\n(');
  expect(list?.split('\n').sort()).toEqual(['ab/X.ts', 'e/X.ts', 'src/X.ts']);
  expect(note).toMatch(/^5 linked git worktrees /);
});

test('SE-04 holds in a worktree that is opened by itself, and in a folder of the repository', async () => {
  const { inFolder, git } = repository(['trees/a1', 'src/a2']);
  git('worktree', 'add', '-q', '--detach', 'trees/a1/inner');
  const listed = async (folder: string) =>
    (await globFiles.execute({ pattern: '**/X.ts' }, inFolder(folder))) as { content: string };
  expect((await listed('trees/a1')).content).toBe(`src/X.ts\n\n(${ONE_LEFT_OUT('inner')})`);
  expect((await listed('src')).content).toBe(`X.ts\n\n(${ONE_LEFT_OUT('a2')})`);
});

test('a repository of its own below the workspace is searched, and so is a submodule', async () => {
  const { glob, git, folder } = repository([]);
  folder.write({ 'other/X.ts': '' });
  git('init', '-q', 'other');
  git('-C', 'other', 'add', '-A');
  git('-C', 'other', ...AUTHOR, 'commit', '-qm', 'first');
  git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', './other', 'module');
  expect((await glob({ pattern: '**/X.ts' })).split('\n').sort()).toEqual([
    'module/X.ts',
    'other/X.ts',
    'src/X.ts',
  ]);
});

test('a list that git did not write leaves nothing out', async () => {
  const { glob, folder } = repository(['trees/real']);
  const claim = (name: string, text: string | Buffer) =>
    folder.write({ [`.git/worktrees/${name}/gitdir`]: text });
  claim('src', `${folder.at('src/.git')}\n`);
  claim('whole', `${folder.at('.git')}\n`);
  claim('outside', '/etc/.git\n');
  claim('up', '../../../../.git\n');
  claim('huge', Buffer.alloc(100_000, 'x'));
  claim('empty', '');
  folder.write({ '.git/worktrees/none/': '' });
  symlinkSync('/dev/zero', folder.at('.git/worktrees/none/gitdir'));
  symlinkSync(folder.at('src'), folder.at('.git/worktrees/link'));
  // It points into the list, but to another one's entry.
  folder.write({
    'trees/false/.git': `gitdir: ${folder.at('.git/worktrees/real')}\n`,
    'trees/false/X.ts': '',
  });
  claim('false', `${folder.at('trees/false/.git')}\n`);
  const listed = (await glob({ pattern: '**/X.ts' })).split('\n\n(');
  expect([listed[0]?.split('\n').sort(), listed[1]]).toEqual([
    ['src/X.ts', 'trees/false/X.ts'],
    `${ONE_LEFT_OUT('trees/real')})`,
  ]);
});

test('a worktree that was moved by hand is searched: git no longer knows it', async () => {
  const { glob, folder } = repository(['trees/a1']);
  renameSync(folder.at('trees/a1'), folder.at('trees/moved'));
  expect((await glob({ pattern: '**/X.ts' })).split('\n').sort()).toEqual([
    'src/X.ts',
    'trees/moved/src/X.ts',
  ]);
});

test('never asks another machine where git’s folder is', async () => {
  const asked: string[] = [];
  const bench = toolBench({ 'X.ts': '', '.git': 'gitdir: //machine/share/git\n' });
  const read = (path: AbsolutePath) => {
    asked.push(path);
    return bench.host.files.read(path);
  };
  await globFiles.execute({ pattern: '**/X.ts' }, { ...bench.context, files: { ...bench.host.files, read } });
  expect(asked.filter((path) => !path.startsWith(bench.folder.path))).toEqual([]);
});
