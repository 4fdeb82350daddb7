import { mkdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { hiddenFiles } from '#disk/hidden-files';
import { toolBench } from '#test/support/tool-context';
import { globFiles } from '#tools/search/glob-files';
import { searchFiles } from '#tools/search/search-files';

/** A workspace `work` inside a folder with files of its own; what its tools find there and in its folder `src`. */
function workspaceInside(files: Readonly<Record<string, string>>) {
  const inside = { 'work/src/seen.ts': 'needle\n', 'work/src/logs/left-out.log': 'needle\n' };
  const bench = toolBench({ ...inside, ...files });
  const root = bench.folder.at('work');
  const context = { ...bench.context, workspace: { root, name: 'test', hidden: hiddenFiles(root) } };
  return {
    folder: bench.folder,
    async found() {
      const said: unknown[] = [];
      for (const path of ['.', 'src']) {
        said.push(await globFiles.execute({ pattern: '**/*.{ts,log}', path }, context));
        said.push(await searchFiles.execute({ pattern: 'needle', mode: 'count', path }, context));
      }
      return said
        .map((result) => JSON.stringify(result).match(/src\/[\w./-]+\.\w+/g) ?? [])
        .map((paths) => [...new Set(paths)].sort().join(' '));
    },
  };
}

const ALL = 'src/logs/left-out.log src/seen.ts';
const NO_LOGS = 'src/seen.ts';

test.each(['.gitignore', '.ignore', '.rgignore'])(
  'a %s above a workspace without a repository says nothing of it: a home folder may be kept in git file by file',
  async (name) => {
    expect(await workspaceInside({ [name]: '*\n' }).found()).toEqual([ALL, ALL, ALL, ALL]);
  },
);

test('an ignore file of the workspace counts in its folders too', async () => {
  expect(await workspaceInside({ 'work/.gitignore': '*.log\n' }).found()).toEqual([
    ...[NO_LOGS, NO_LOGS, NO_LOGS, NO_LOGS],
  ]);
});

test('in a folder of a repository that is opened by itself, the ignore files of the repository count', async () => {
  const { folder, found } = workspaceInside({ '.gitignore': '*.log\n' });
  mkdirSync(folder.at('.git'));
  expect(await found()).toEqual([NO_LOGS, NO_LOGS, NO_LOGS, NO_LOGS]);
});

test('in a repository inside another, the ignore files of its own count, as they do for git', async () => {
  const { folder, found } = workspaceInside({ 'work/.gitignore': '*.log\n' });
  mkdirSync(folder.at('work/.git'));
  mkdirSync(folder.at('work/src/logs/.git'));
  expect(await found()).toEqual([ALL, ALL, ALL, ALL]);
});

test('what stands above the repository says nothing of it', async () => {
  const { folder, found } = workspaceInside({ '.gitignore': '*\n', 'work/.gitignore': '*.log\n' });
  mkdirSync(folder.at('work/.git/info'), { recursive: true });
  expect(await found()).toEqual([NO_LOGS, NO_LOGS, NO_LOGS, NO_LOGS]);
});

test.each(['/work/', '/work/src', '/work/src/*', 'src/', '**/src/**'])(
  'a folder that is opened or named is looked into, though its repository ignores it by %s',
  async (pattern) => {
    const { folder, found } = workspaceInside({ '.gitignore': `${pattern}\n` });
    mkdirSync(folder.at('.git'));
    // Opened by itself; named; and what the opened one ignores of its own stays out of a look that doesn't name it.
    const [glob, search, ...named] = await found();
    expect(named).toEqual([ALL, ALL]);
    const opened = pattern === '/work/' ? ALL : '';
    expect([glob, search]).toEqual([opened, opened]);
  },
);

test.each(['src/', 'src/*', 'src/**', '/src'])(
  'a folder that is named is looked into, though this machine excludes it by %s',
  async (pattern) => {
    const { folder, found } = workspaceInside({});
    mkdirSync(folder.at('work/.git/info'), { recursive: true });
    folder.write({ 'work/.git/info/exclude': `${pattern}\n` });
    expect(await found()).toEqual(['', '', ALL, ALL]);
  },
);

test('an opened folder that its repository ignores still leaves out what it ignores of its own', async () => {
  const { folder, found } = workspaceInside({ '.gitignore': '/work/\n', 'work/.gitignore': '*.log\n' });
  mkdirSync(folder.at('.git'));
  expect((await found()).slice(0, 2)).toEqual([NO_LOGS, NO_LOGS]);
});
