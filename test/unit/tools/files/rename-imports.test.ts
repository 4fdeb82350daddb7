import { chmodSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { plainEncodings } from '#disk/encodings';
import { noIntelligence } from '#headless/no-intelligence';
import type { Intelligence } from '#host/intelligence';
import type { FileChanges, FileMove, NamingPlace } from '#host/language/edits';
import type { AbsolutePath } from '#protocol/ids';
import { type Bench, toolBench } from '#test/support/tool-context';
import { editFile } from '#tools/files/edit-file';
import { readFile } from '#tools/files/read-file';
import { renameFile } from '#tools/files/rename-file';

const FILES = {
  'src/util.ts': "import { b } from './b';\nexport const util = b;\n",
  'src/b.ts': 'export const b = 1;\n',
  'src/main.ts': "import { util } from './util';\r\nutil;\r\n",
  'test/util.test.ts': 'const { util } = require("../src/util.js");\n',
};

interface Asked {
  readonly move: FileMove;
}

/** A server that knows each quoted `from` of those files and what it becomes. */
function serverOf(becomes: Readonly<Record<string, readonly [from: string, to: string]>>) {
  const asked: Asked[] = [];
  let bench: Bench | undefined;
  const intelligence: Intelligence = {
    ...noIntelligence,
    watchProblems: async () => ({ since: async () => ({ kind: 'unknown' }), dispose: () => undefined }),
    async movingFile(move) {
      asked.push({ move });
      return Object.entries(becomes).map(([name, [from, to]]): FileChanges => {
        const path = bench?.folder.at(name) as AbsolutePath;
        const before = readFileSync(path, 'utf8');
        const line = before.split(/\r?\n/).findIndex((text) => text.includes(from));
        const column = (before.split(/\r?\n/)[line] ?? '').indexOf(from);
        const end = { line, column: column + from.length };
        return { path, before, changes: [{ start: { line, column }, end, text: to }] };
      });
    },
  };
  const open = (files: Readonly<Record<string, string>> = FILES) => {
    bench = toolBench(files, { intelligence });
    return bench;
  };
  return { asked, open };
}

const MOVE = { from: 'src/util.ts', to: 'src/lib/tool.ts' };
const BECOMES = {
  'src/util.ts': ['./b', '../b'],
  'src/main.ts': ['./util', './lib/tool'],
  'test/util.test.ts': ['../src/util.js', '../src/lib/tool.js'],
} as const;

test('imports of a renamed file and in it follow, byte for byte the rest stays', async () => {
  const { open } = serverOf(BECOMES);
  const { call, folder } = open();
  const { content, display } = await call(renameFile, MOVE);
  expect(content).toBe(
    'Renamed src/util.ts to src/lib/tool.ts.\nUpdated the imports in src/lib/tool.ts, src/main.ts, test/util.test.ts.',
  );
  expect([
    folder.text('src/lib/tool.ts'),
    folder.text('src/main.ts'),
    folder.text('test/util.test.ts'),
  ]).toEqual([
    "import { b } from '../b';\nexport const util = b;\n",
    "import { util } from './lib/tool';\r\nutil;\r\n",
    'const { util } = require("../src/lib/tool.js");\n',
  ]);
  expect(display).toMatchObject({
    operation: 'rename',
    added: 1,
    removed: 1,
    fields: [{ key: 'Imports updated', value: '3 files' }],
  });
});

test('the server is asked where the name stands in quotes, and not where it only looks like it', async () => {
  const { asked, open } = serverOf({});
  const { call, folder } = open({
    ...FILES,
    'src/other.ts': "import './utils';\nconst text = 'a util';\n// util\nimport './my-util';\n",
    'notes.md': '"./util"\n',
  });
  await call(renameFile, MOVE);
  const places = asked[0]?.move.named.map(({ path, line, text }: NamingPlace) => [
    path.slice(folder.path.length + 1),
    line,
    text,
  ]);
  expect(places?.toSorted()).toEqual([
    ['src/main.ts', 1, './util'],
    ['test/util.test.ts', 1, '../src/util.js'],
  ]);
});

test('a folder’s index is meant by the folder’s name and by dots too', async () => {
  const { asked, open } = serverOf({});
  const { call } = open({
    'lib/index.ts': 'export {};\n',
    'a.ts': "import './lib';\n",
    'lib/b.ts': "import '.';\n",
    'lib/c.ts': "import './index.js';\n",
  });
  await call(renameFile, { from: 'lib/index.ts', to: 'lib/main.ts' });
  expect(asked[0]?.move.named.map(({ text }) => text).toSorted()).toEqual(['.', './index.js', './lib']);
});

test('where no server knows, the places that may mean it are named', async () => {
  const { call } = toolBench(FILES);
  expect((await call(renameFile, MOVE)).content.split('\n').toSorted()).toEqual([
    'Its own relative imports were not updated.',
    'No import was updated. These lines may mean it: src/main.ts:1, test/util.test.ts:1.',
    'Renamed src/util.ts to src/lib/tool.ts.',
  ]);
});

test('a file with unsaved changes, one that permissions hold and one that changed meanwhile are left and named', async () => {
  const { open } = serverOf({ ...BECOMES, 'src/b.ts': ['b = 1', 'b = 2'] });
  const { call, context, folder, host } = open();
  host.dirty.set(folder.at('src/main.ts'), 'typing');
  const held = { ok: false, error: { kind: 'denied', message: 'the permissions hold it' } } as const;
  const { writer } = context;
  const replaceFound: typeof writer.replaceFound = async (path, ...more) =>
    path === 'test/util.test.ts' ? held : writer.replaceFound(path, ...more);
  Object.assign(context, { writer: { ...writer, replaceFound } });
  const { content } = await call(renameFile, MOVE);
  expect(content.split('\n')).toEqual([
    'Renamed src/util.ts to src/lib/tool.ts.',
    'Updated the imports in src/lib/tool.ts, src/b.ts.',
    'The imports in src/main.ts were not updated: it has unsaved changes by the user.',
    'The imports in test/util.test.ts were not updated: the permissions hold it.',
  ]);
  expect([folder.text('src/main.ts'), folder.text('test/util.test.ts')]).toEqual([
    FILES['src/main.ts'],
    FILES['test/util.test.ts'],
  ]);
});

test('what the model had read whole before it may edit after, what it hadn’t it may not', async () => {
  const { open } = serverOf(BECOMES);
  const { call } = open();
  await call(readFile, { path: 'src/main.ts' });
  await call(renameFile, MOVE);
  const edit = async (path: string) =>
    (await call(editFile, { path, oldText: 'tool', newText: 'tool' + 's' })).status;
  expect([await edit('src/main.ts'), await edit('test/util.test.ts')]).toEqual(['success', 'error']);
});

test('a file that can’t be read is left', async () => {
  const { open } = serverOf({ 'src/main.ts': ['./util', './lib/tool'] });
  const { call, folder } = open({ ...FILES, 'src/main.ts': `import './util';\n${'x'.repeat(1024 * 1024)}` });
  chmodSync(folder.at('src/main.ts'), 0o644);
  expect((await call(renameFile, MOVE)).content).toMatch(/src\/main\.ts were not updated/);
});

test('a name that no import can hold is renamed without looking for imports', async () => {
  const { call, folder } = toolBench({ 'a\nb.ts': 'export {};\n' });
  expect((await call(renameFile, { from: 'a\nb.ts', to: 'c.ts' })).content).toBe(
    'Renamed "a\\nb.ts" to c.ts.',
  );
  expect(folder.text('c.ts')).toBe('export {};\n');
});

test('of a hidden file that a server would change nothing is told but that there is one', async () => {
  const { open } = serverOf(BECOMES);
  const { call, folder } = open({ ...FILES, '.belayignore': 'test/\n' });
  expect((await call(renameFile, MOVE)).content.split('\n')).toEqual([
    'Renamed src/util.ts to src/lib/tool.ts.',
    'Updated the imports in src/lib/tool.ts, src/main.ts.',
    'The imports in a file that is hidden from you were not updated.',
  ]);
  expect(folder.text('test/util.test.ts')).toBe(FILES['test/util.test.ts']);
});

test('a file over 1 MB and one whose encoding lacks the new name are left, with the reason', async () => {
  const { open } = serverOf({ 'src/main.ts': ['./util', './lib/tool'], 'b.ts': ['./src/util', './文'] });
  const large = `${FILES['src/main.ts']}${'//\n'.repeat(400_000)}`;
  const bench = open({ ...FILES, 'src/main.ts': large, 'b.ts': "import './src/util';\n" });
  const encodings = plainEncodings(() => ({ encoding: 'windows1252' }));
  const { writer, workspace } = bench.context;
  const result = await renameFile.execute(MOVE, { ...bench.context, encodings, writer, workspace });
  const lines = typeof result === 'string' ? [] : result.content.split('\n').slice(1);
  expect(lines).toEqual([
    'The imports in src/main.ts were not updated: it is over 1 MB.',
    expect.stringMatching(
      /^The imports in b\.ts were not updated: .* has no "文" \(U\+6587\), which stands in line 1 /,
    ),
  ]);
  expect([bench.folder.text('src/main.ts'), bench.folder.text('b.ts')]).toEqual([
    large,
    "import './src/util';\n",
  ]);
});
