import { symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { renameSymbol } from '#addons/lsp/rename-symbol';
import type { Intelligence } from '#host/intelligence';
import type { FileChanges } from '#host/language/edits';
import type { ModelItem } from '#protocol/scenario';
import { type CoreLab, type CoreLabOptions, call, coreLab } from '#test/support/core-lab';
import { type MemoryIntelligence, memoryIntelligence } from '#test/support/memory-intelligence';
import { toolBench } from '#test/support/tool-context';

interface RenameLab extends CoreLab {
  readonly server: MemoryIntelligence;
}

/** The real core with a small language server. */
async function renameLab(
  options: CoreLabOptions = {},
  change: Partial<Intelligence> = {},
): Promise<RenameLab> {
  const server = memoryIntelligence();
  const lab = await coreLab({ workspace: FILES, ...options, intelligence: { ...server, ...change } });
  server.serve(lab.folder.path, lab.host.dirty);
  return { ...lab, server };
}

const FILES = {
  'src/area.ts': 'export function area(side) { return side * side; }\r\n',
  'src/main.ts': "import { area } from './area';\nconst whole = area(area(2));\n",
  'src/other.ts': 'const other = area(3); // é\n',
};

const INPUT = { path: 'src/area.ts', line: 1, symbol: 'area', newName: 'surface' };

function renaming(input: object = INPUT): readonly ModelItem[] {
  return [
    { calls: [call('s', 'search_tools', { query: 'select:rename_symbol' })] },
    { calls: [call('r', 'rename_symbol', input)] },
    { text: 'done' },
  ];
}

async function renamed(lab: CoreLab, input: object = INPUT) {
  await lab.turn('rename it', ...renaming(input));
  const result = lab.results().at(-1);
  if (result === undefined) throw new Error('no result');
  return result;
}

const texts = (lab: CoreLab, names: readonly string[] = Object.keys(FILES)) =>
  names.map((name) => lab.folder.text(name));

test('a name changes in all files, byte for byte the rest stays, as one checkpoint that undo takes back', async () => {
  const workspace = Object.fromEntries([
    ['src/area.ts', FILES['src/area.ts']],
    ...Array.from({ length: 19 }, (_, n): [string, string] => [
      `src/deep/user-${n}.ts`,
      `\uFEFFconst v${n} = area(${n});\r\n\tarea(area(1)); // ü ${n}\r\n`,
    ]),
  ]);
  const lab = await renameLab({ workspace });
  const { status, content } = await renamed(lab);
  const [checkpoint] = lab.app.checkpoints(lab.session.id);
  const names = Object.keys(workspace);
  expect([status, content.split('\n')[0]?.slice(0, 62)]).toEqual([
    'success',
    'Renamed "area" to "surface": 58 changes in 20 files: src/area.',
  ]);
  expect(texts(lab, names)).toEqual(names.map((name) => workspace[name]?.replaceAll('area(', 'surface(')));
  expect(checkpoint?.files.length).toBe(20);
  expect((await lab.session.undo(1, 'files')).status).toBe('done');
  expect(texts(lab, names)).toEqual(Object.values(workspace));
});

test('asked at a use it renames where the thing is declared', async () => {
  const lab = await renameLab();
  const { content } = await renamed(lab, { ...INPUT, path: 'src/other.ts', line: 1 });
  expect(content.split('\n')[0]).toBe(
    'Renamed "area" to "surface": 6 changes in 3 files: src/area.ts, src/main.ts, src/other.ts.',
  );
});

test('a file that a rule denies is left and named, and the rest follows', async () => {
  const lab = await renameLab({
    settings: { permissions: { allow: [], ask: [], deny: ['Edit(src/main.ts)'] } },
  });
  const { status, content } = await renamed(lab);
  expect([status, content.split('\n').slice(0, 3)]).toEqual([
    'success',
    [
      'Renamed "area" to "surface": 2 changes in 2 files: src/area.ts, src/other.ts.',
      "Left as they were, since the permissions don't let this call change them: src/main.ts.",
      'What was left still says "area", so it may be broken: tell the user, or mend what you may.',
    ],
  ]);
  expect(texts(lab)[1]).toBe(FILES['src/main.ts']);
});

test('where the file that declares it is denied nothing is renamed', async () => {
  const lab = await renameLab({
    settings: { permissions: { allow: [], ask: [], deny: ['Edit(src/area.ts)'] } },
  });
  const { status } = await renamed(lab);
  expect([status, texts(lab)]).toEqual(['denied', Object.values(FILES)]);
});

test('of hidden files nothing is told but how many there are', async () => {
  const lab = await renameLab({ workspace: { ...FILES, '.belayignore': 'src/other.ts\n' } });
  const { content } = await renamed(lab);
  expect([content.includes('other'), content.split('\n')[1], texts(lab)[2]]).toEqual([
    false,
    'Left as it was: a file that is hidden from you.',
    FILES['src/other.ts'],
  ]);
});

test('unsaved changes in any file of it refuse all of it', async () => {
  const lab = await renameLab();
  lab.host.dirty.set(lab.folder.at('src/main.ts'), `// typing\n${FILES['src/main.ts']}`);
  const { status, content } = await renamed(lab);
  expect([status, content, texts(lab)]).toEqual([
    'error',
    'rename_symbol: src/main.ts has unsaved changes by the user; ask them to save. Nothing was changed',
    Object.values(FILES),
  ]);
});

test('a person is shown every file and its changed lines before it happens, and no is no', async () => {
  const lab = await renameLab({ settings: { mode: 'prompt' }, answers: ['deny-once'] });
  await renamed(lab);
  const [asked] = lab.host.asked;
  const paths = asked?.touches.flatMap((touch) => (touch.kind === 'write' ? [touch.path] : []));
  expect([paths, asked?.preview, texts(lab)]).toEqual([
    Object.keys(FILES),
    {
      kind: 'text',
      title: 'area → surface',
      fields: [{ key: 'Files', value: '3' }],
      body: expect.stringContaining('  +const whole = surface(surface(2));'),
    },
    Object.values(FILES),
  ]);
});

test('a file that a rule denies isn’t on the card; one that is protected asks for all', async () => {
  const workspace = { ...FILES, '.vscode/task.ts': 'area(1);\n' };
  const permissions = { allow: [], ask: [], deny: ['Edit(src/main.ts)'] };
  const lab = await renameLab({ workspace, settings: { permissions }, answers: ['allow-once'] });
  lab.server.serve(lab.folder.path);
  await lab.turn('x', ...renaming());
  const [asked, ...more] = lab.host.asked;
  const paths = asked?.touches.flatMap((touch) => (touch.kind === 'write' ? [touch.path] : []));
  expect([
    more,
    paths,
    asked?.subject.includes('main'),
    texts(lab)[1],
    lab.folder.text('.vscode/task.ts'),
  ]).toEqual([
    [],
    ['.vscode/task.ts', 'src/area.ts', 'src/other.ts'],
    false,
    FILES['src/main.ts'],
    'surface(1);\n',
  ]);
});

test('more files or other text than was allowed is refused', async () => {
  const server = memoryIntelligence();
  let extra = '';
  const lab = await coreLab({
    workspace: { ...FILES, 'late.ts': 'let later;\n' },
    intelligence: {
      ...server,
      async rename(at, newName, signal) {
        const answer = await server.rename(at, newName, signal);
        if (answer.kind !== 'known' || server.renames < 2) return answer;
        const at0 = { line: 0, column: 0 };
        const path = lab.folder.at(extra);
        const late: FileChanges = {
          path,
          before: lab.folder.text(extra),
          changes: [{ start: at0, end: at0, text: '/**/' }],
        };
        const others = answer.value.files.filter((file) => file.path !== path);
        return { ...answer, value: { ...answer.value, files: [...others, late] } };
      },
    },
  });
  server.serve(lab.folder.path, lab.host.dirty);
  extra = 'late.ts';
  const more = await renamed(lab);
  const before = server.renames;
  extra = 'src/other.ts';
  expect([more.content, before, texts(lab)]).toEqual([
    'rename_symbol: it would change more files by now (late.ts), which is not what was allowed. Nothing was changed; call it again',
    2,
    Object.values(FILES),
  ]);
});

test('a file that fails in the middle is named, the others follow, and it is no success', async () => {
  const lab = await renameLab();
  const { land } = lab.host.files;
  Object.assign(lab.host.files, {
    land: async (change: Parameters<typeof land>[0]) =>
      change.kind === 'replace' && change.path.endsWith('main.ts')
        ? { ok: false, error: { kind: 'failed', message: 'the disk is full' } }
        : land(change),
  });
  const { status, code, content } = await renamed(lab);
  expect([status, code, content.split('\n').slice(0, 3)]).toEqual([
    'error',
    'tool_failed',
    [
      'Renamed "area" to "surface": 2 changes in 2 files: src/area.ts, src/other.ts.',
      'Not changed: src/main.ts: the disk is full.',
      'What was left still says "area", so it may be broken: tell the user, or mend what you may.',
    ],
  ]);
});

test('a stop in the middle leaves what was done, and says which files weren’t reached', async () => {
  const server = memoryIntelligence();
  const stop = new AbortController();
  const bench = toolBench(FILES, { intelligence: server, context: { signal: stop.signal } });
  server.serve(bench.folder.path);
  const { writer } = bench.context;
  const replace: typeof writer.replace = async (...change) => {
    const written = await writer.replace(...change);
    stop.abort();
    return written;
  };
  Object.assign(bench.context, { writer: { ...writer, replace } });
  const { status, code, content } = await bench.call(renameSymbol, INPUT);
  expect([status, code, content.split('\n').slice(0, 2), bench.folder.text('src/main.ts')]).toEqual([
    'cancelled',
    'cancelled',
    [
      'Renamed "area" to "surface": 1 change in 1 file: src/area.ts.',
      'Not reached, since the user stopped it: src/main.ts, src/other.ts.',
    ],
    FILES['src/main.ts'],
  ]);
});

test('what the server refuses, the name that it has already and a place without a name are told', async () => {
  const lab = await renameLab();
  lab.server.next({ kind: 'known', value: [] as never });
  lab.server.next({ kind: 'refused', why: 'You cannot rename this element.' });
  const refused = await renamed(lab);
  const same = await renamed(lab, { ...INPUT, newName: 'area' });
  const nothing = await renamed(lab, { path: 'src/area.ts', line: 1, column: 28, newName: 'x' });
  expect([refused.content, same.content, nothing.content]).toEqual([
    'rename_symbol: the language server says: You cannot rename this element.',
    'rename_symbol: "area" is its name already',
    'rename_symbol: no name stands at line 1, column 28',
  ]);
});

test('files outside of the workspace and renames of files are left out and named', async () => {
  const server = memoryIntelligence();
  const outside = '/usr/share/area.ts' as never;
  const lab = await coreLab({
    workspace: FILES,
    intelligence: {
      ...server,
      async rename(at, newName, signal) {
        const answer = await server.rename(at, newName, signal);
        if (answer.kind !== 'known') return answer;
        const far = { path: outside, before: '', changes: [] };
        const moved = [{ path: lab.folder.at('src/area.ts'), to: lab.folder.at('src/surface.ts') }];
        return { ...answer, value: { ...answer.value, files: [...answer.value.files, far], moved } };
      },
    },
  });
  server.serve(lab.folder.path);
  const { content } = await renamed(lab);
  expect(content.split('\n').slice(1, 3)).toEqual([
    'Left as it was: /usr/share/area.ts, outside the workspace.',
    'Not done: renaming src/area.ts to src/surface.ts; rename_file does that.',
  ]);
});

test('a file that the server names twice, by a link and by its own name, is written once', async () => {
  const lab = await renameLab();
  symlinkSync(lab.folder.at('src/main.ts'), lab.folder.at('src/link.ts'));
  const { content } = await renamed(lab);
  expect([content.split('\n')[0], texts(lab)[1]]).toEqual([
    'Renamed "area" to "surface": 6 changes in 3 files: src/area.ts, src/main.ts, src/other.ts.',
    FILES['src/main.ts'].replaceAll('area', 'surface'),
  ]);
});

test('before the gates nothing is told of what stands in a file that they keep', async () => {
  const lab = await renameLab({
    workspace: { ...FILES, 'keys/.env.ts': 'const key = 1;\n' },
    settings: { permissions: { allow: [], ask: [], deny: ['Read(src/other.ts)'] } },
  });
  const words = async (path: string, symbol: string) =>
    (await renamed(lab, { path, line: 1, symbol, newName: 'x' })).content;
  const told = [
    await words('src/other.ts', 'other'),
    await words('src/other.ts', 'absent'),
    await words('keys/.env.ts', 'key'),
    await words('keys/.env.ts', 'absent'),
  ];
  await lab.turn(
    'look',
    { calls: [call('s', 'search_tools', { query: 'select:definition' })] },
    {
      calls: ['other', 'absent'].map((symbol) =>
        call(symbol, 'definition', { path: 'src/other.ts', line: 1, symbol }),
      ),
    },
    { text: 'done' },
  );
  const kept = (path: string) =>
    `rename_symbol: ${path} may not be read without asking the user; leave it, or ask them to do it`;
  expect([
    told,
    lab
      .results()
      .slice(-2)
      .map(({ status }) => status),
  ]).toEqual([
    [kept('src/other.ts'), kept('src/other.ts'), kept('keys/.env.ts'), kept('keys/.env.ts')],
    ['denied', 'denied'],
  ]);
});

test('what the edit broke is told with the result', async () => {
  const lab = await renameLab();
  const { content } = await renamed(lab, { ...INPUT, newName: 'BROKEN' });
  expect(content).toContain('New problems:\n  src/area.ts:1: error: export function BROKEN(side)');
});

test('problems of a file that may not be read aren’t told with it', async () => {
  const workspace = { ...FILES, 'keys/.env.ts': 'area("key-of-the-house"); // BRO\n' };
  const lab = await renameLab({ workspace });
  const { content } = await renamed(lab, { ...INPUT, newName: 'BROKEN' });
  expect([content.includes('key-of-the-house'), lab.folder.text('keys/.env.ts').includes('BROKEN')]).toEqual([
    false,
    true,
  ]);
});

test('in read-only mode it is not there', async () => {
  const lab = await renameLab({ settings: { mode: 'read-only' } });
  await lab.turn(
    'x',
    { calls: [call('s', 'search_tools', { query: 'select:rename_symbol' })] },
    { text: 'done' },
  );
  expect(lab.requests.some(({ tools }) => tools.some(({ name }) => name === 'rename_symbol'))).toBe(false);
});
