import { execFileSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { attachMentions } from '#agent/mentions';
import { fail } from '#base/result';
import { type Bench, toolBench } from '#test/support/tool-context';
import { runCommand } from '#tools/commands/run-command';
import { deleteFile } from '#tools/files/delete-file';
import { editFile } from '#tools/files/edit-file';
import { readFile } from '#tools/files/read-file';
import { renameFile } from '#tools/files/rename-file';
import { writeFile } from '#tools/files/write-file';
import { globFiles } from '#tools/search/glob-files';
import { searchFiles } from '#tools/search/search-files';
import type { ToolDefinition } from '#tools/tool';

const FILES = {
  '.belayignore': 'tasks.txt\ndb/*.sql\n/private/\n',
  'tasks.txt': 'needle\n',
  'sub/tasks.txt': 'needle\n',
  'db/dump.sql': 'needle\n',
  'db/notes.md': 'needle\n',
  'private/a.txt': 'needle\n',
  'a.txt': 'needle\n',
};
const SEEN = ['.belayignore', 'a.txt', 'db/notes.md'];

/** Every tool that takes a path, called with this one. */
const NAMING: readonly (readonly [string, ToolDefinition, (path: string) => unknown])[] = [
  ['read_file', readFile as ToolDefinition, (path) => ({ path })],
  ['edit_file', editFile as ToolDefinition, (path) => ({ path, oldText: 'needle', newText: 'x' })],
  ['write_file', writeFile as ToolDefinition, (path) => ({ path, content: 'x' })],
  ['delete_file', deleteFile as ToolDefinition, (path) => ({ path })],
  ['rename_file', renameFile as ToolDefinition, (path) => ({ from: path, to: 'shown.txt' })],
  ['rename_file', renameFile as ToolDefinition, (path) => ({ from: 'a.txt', to: path })],
  ['search_files', searchFiles as ToolDefinition, (path) => ({ pattern: 'needle', path })],
  ['glob_files', globFiles as ToolDefinition, (path) => ({ pattern: '*', path })],
  ['run_command', runCommand as ToolDefinition, (path) => ({ command: 'true', description: 'd', cwd: path })],
];

const words = (path: string, file = '.belayignore') =>
  `"${path}" is hidden by "${file}": the user keeps it from you; go on without it, or tell the user what you would need it for`;

async function found(bench: Bench, more: object = {}): Promise<readonly (readonly string[])[]> {
  const searched = await bench.call(searchFiles, { pattern: 'needle', mode: 'count', ...more });
  const listed = await bench.call(globFiles, { pattern: '**/*', ...more });
  const paths = (text: string) =>
    text
      .split('\n')
      .map((line) => line.replace(/: \d+( .*)?$/, ''))
      .filter((line) => /^[\w./-]+$/.test(line))
      .sort();
  return [paths(searched.content), paths(listed.content)];
}

test.each(NAMING)(
  'PA-12: %s says of a hidden path that it is hidden, and by what',
  async (name, tool, input) => {
    const bench = toolBench(FILES);
    const refusals = [];
    for (const path of [
      'tasks.txt',
      'sub/tasks.txt',
      'db/dump.sql',
      './db/../db/dump.sql',
      'private',
      'private/new.txt',
    ])
      refusals.push((await bench.call(tool, input(path))).content);
    expect(refusals).toEqual(
      ['tasks.txt', 'sub/tasks.txt', 'db/dump.sql', './db/../db/dump.sql', 'private', 'private/new.txt'].map(
        (path) => `${name}: ${words(path)}`,
      ),
    );
    expect([bench.written, bench.ran]).toEqual([[], []]);
  },
);

test('PA-12: search and glob leave hidden files out, also where ignored ones are asked for', async () => {
  const bench = toolBench(FILES);
  const [searched, listed] = await found(bench);
  expect([searched, listed]).toEqual([SEEN.slice(1), SEEN]);
  expect(await found(bench, { includeIgnored: true })).toEqual([SEEN.slice(1), SEEN]);
});

test('PA-12: unsaved text of a hidden file is not searched', async () => {
  const bench = toolBench(FILES);
  bench.host.dirty.set(bench.folder.at('tasks.txt'), 'unsaved needle');
  expect((await bench.call(searchFiles, { pattern: 'unsaved' })).content).not.toContain('tasks.txt');
});

test('PA-12: a hidden file that a person attaches is named as hidden and not shown', async () => {
  const { context } = toolBench(FILES);
  const world = {
    context,
    resources: { read: async () => fail('none') },
    signal: context.signal,
    redact: <T>(value: T) => value,
  };
  const { text } = await attachMentions([{ kind: 'file', path: 'tasks.txt' }], world);
  expect(text).toBe(`(the attached file tasks.txt could not be read: read_file: ${words('tasks.txt')})`);
});

test('PA-13: patterns hold in a nested repository too', async () => {
  const bench = toolBench({
    '.belayignore': 'vendor/some-lib/\n',
    'vendor/some-lib/x.c': 'needle\n',
    'vendor/other/x.c': 'needle\n',
  });
  execFileSync('git', ['init', '-q', bench.folder.at('vendor/some-lib')]);
  expect((await bench.call(readFile, { path: 'vendor/some-lib/x.c' })).content).toContain('is hidden by');
  expect((await bench.call(globFiles, { pattern: '*', path: 'vendor/some-lib' })).content).toContain(
    'is hidden by',
  );
  expect(await found(bench)).toEqual([['vendor/other/x.c'], ['.belayignore', 'vendor/other/x.c']]);
});

test('a link to a hidden file and a hidden link are hidden', async () => {
  const bench = toolBench(FILES);
  symlinkSync('tasks.txt', bench.folder.at('innocent'));
  symlinkSync('../a.txt', bench.folder.at('db/link.sql'));
  const results = await Promise.all(
    ['innocent', 'db/link.sql'].map((path) => bench.call(readFile, { path })),
  );
  expect(results.map(({ content }) => content)).toEqual(
    ['innocent', 'db/link.sql'].map((path) => `read_file: ${words(path)}`),
  );
});

test('a name that is like a hidden one doesn’t give it away', async () => {
  const bench = toolBench(FILES);
  expect((await bench.call(readFile, { path: 'tasks.md' })).content).toBe(
    'read_file: "tasks.md" does not exist; find it with glob_files',
  );
});

test('a .belayignore that can’t be used hides its folder and says why', async () => {
  const bench = toolBench({ 'sub/a.txt': 'needle\n', 'b.txt': 'needle\n' });
  writeFileSync(bench.folder.at('sub/.belayignore'), 'a\0b');
  expect((await bench.call(readFile, { path: 'sub/a.txt' })).content).toBe(
    'read_file: "sub/a.txt" is hidden, because "sub/.belayignore" is not text in UTF-8 and hides its whole folder until it is a text file of patterns; ask the user to mend it',
  );
  expect(await found(bench)).toEqual([['b.txt'], ['b.txt']]);
});

test('search, glob and read agree on every file, whatever the patterns, nested ones and negation included', async () => {
  const names = ['a.txt', 'b.md', 'x/a.txt', 'x/y/a.txt', 'x/y/b.md', 'z/a.txt', 'z/x/b.md', 'A.TXT.d/b.md'];
  const patterns = [
    'a.txt',
    '*.md\n!b.md',
    '*\n!*/\n!*.md',
    'x/',
    '/x/*\n!x/a.txt',
    '**/y/**',
    'z/**/b.md',
    '!a.txt',
    '[ab].*',
  ];
  for (const [at, top] of patterns.entries()) {
    const nested = patterns[(at * 4 + 3) % patterns.length] ?? '';
    const bench = toolBench(Object.fromEntries(names.map((name) => [name, 'needle\n'])));
    bench.folder.write({ '.belayignore': top, 'x/.belayignore': nested, '.gitignore': 'z/\n' });
    const readable = [];
    for (const path of names)
      if ((await bench.call(readFile, { path })).status === 'success') readable.push(path);
    const all = await found(bench, { includeIgnored: true });
    const own = (paths: readonly string[] = []) => paths.filter((path) => names.includes(path));
    expect([top, nested, ...all.map(own)]).toEqual([top, nested, readable.toSorted(), readable.toSorted()]);
  }
});
