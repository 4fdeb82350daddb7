import { expect, test } from 'vitest';
import { z } from 'zod';
import { applyCodeAction } from '#addons/lsp/apply-code-action';
import { codeActions } from '#addons/lsp/code-actions';
import { format } from '#addons/lsp/format';
import type { FileText } from '#host/language/answer';
import { memoryIntelligence } from '#test/support/memory-intelligence';
import { toolBench } from '#test/support/tool-context';
import { readFile } from '#tools/files/read-file';

const FILES = { 'a.ts': 'const a = 1\r\nconst b = 2  \r\n', 'notes.txt': 'text  \n' };

function bench() {
  const intelligence = memoryIntelligence();
  const made = toolBench(FILES, { intelligence });
  intelligence.serve(made.folder.path, made.host.dirty);
  return { ...made, intelligence };
}

const idIn = (content: string) => /^ {2}(\w{8}) /m.exec(content)?.[1] ?? '';

test('what is offered is listed by ids with kinds and files; what only commands do is counted', async () => {
  const { call } = bench();
  const { content } = await call(codeActions, { path: 'a.ts', line: 1 });
  expect(content.split('\n')).toEqual([
    '1 code action:',
    expect.stringMatching(/^ {2}[0-9a-f]{8} {2}\[quickfix\] Add semicolon {2}\(changes a\.ts\)$/),
    "1 more works by a command of the server or of the editor, which can't be done here.",
  ]);
  expect((await call(codeActions, { path: 'a.ts', line: 1, kind: 'refactor' })).content.split('\n')[0]).toBe(
    'No code actions at a.ts:1.',
  );
});

test('an action is applied as it was listed, through the one writer', async () => {
  const { call, folder, written } = bench();
  const id = idIn((await call(codeActions, { path: 'a.ts', line: 1 })).content);
  const { content, display } = await call(applyCodeAction, { path: 'a.ts', line: 1, id });
  expect([content, display?.kind, folder.text('a.ts'), written.length]).toEqual([
    'Applied "Add semicolon": 1 change in 1 file: a.ts.\nNo new problems.',
    'diff',
    'const a = 1;\r\nconst b = 2  \r\n',
    1,
  ]);
});

test('an id of other lines, or of what is offered no more, is refused', async () => {
  const { call, folder } = bench();
  const id = idIn((await call(codeActions, { path: 'a.ts', line: 1 })).content);
  const { content } = await call(applyCodeAction, { path: 'a.ts', line: 2, id });
  expect([content, folder.text('a.ts')]).toEqual([
    `apply_code_action: no code action at a.ts:2 is "${id}" (any more); list them again with code_actions`,
    FILES['a.ts'],
  ]);
});

test('without a tab it is said that there are no quick fixes', async () => {
  const { call, intelligence } = bench();
  const none = async () =>
    ({ kind: 'known', value: { actions: [], withoutEdit: 0, hasTab: false } }) as const;
  Object.assign(intelligence, { actions: none });
  expect((await call(codeActions, { path: 'a.ts', line: 1, endLine: 2 })).content.split('\n')).toEqual([
    'No code actions at a.ts:1.',
    'a.ts has no tab in the editor, so there are no quick fixes for its problems: the user can open it.',
  ]);
});

test('lines and columns are held against the file', async () => {
  const { call } = bench();
  const words = async (more: object) => (await call(codeActions, { path: 'a.ts', line: 2, ...more })).content;
  expect([
    await words({ endLine: 9 }),
    await words({ endLine: 1 }),
    await words({ column: 5, endColumn: 2 }),
  ]).toEqual([
    'code_actions: a.ts has lines 1 to 2; give a line and an endLine among them',
    'code_actions: a.ts has lines 1 to 2; give a line and an endLine among them',
    'code_actions: endColumn is before column',
  ]);
});

test('an action that makes a file makes it through the writer, too', async () => {
  const { call, intelligence, folder } = bench();
  const edit = {
    files: [],
    created: [{ path: folder.at('new/made.ts'), text: 'made\n' }],
    moved: [],
    elsewhere: [],
  };
  const actions = [{ title: 'Move to a new file', kind: 'refactor.move', edit, hasCommand: true }];
  Object.assign(intelligence, {
    actions: async () => ({ kind: 'known', value: { actions, withoutEdit: 0, hasTab: true } }),
  });
  const listed = (await call(codeActions, { path: 'a.ts', line: 1 })).content;
  await call(applyCodeAction, { path: 'a.ts', line: 1, id: idIn(listed) });
  expect([listed.includes('its command after that is not run'), folder.text('new/made.ts')]).toEqual([
    true,
    'made\n',
  ]);
});

test('a file is formatted, or some lines of it; what the model has read counts as read after it', async () => {
  const { call, folder, context } = bench();
  await call(readFile, { path: 'a.ts' });
  const first = await call(format, { path: 'a.ts', range: { from: 1, to: 1 } });
  const { content } = await call(format, { path: 'a.ts' });
  expect([first.content, content, folder.text('a.ts'), context.reads.seen('a.ts' as never)?.whole]).toEqual([
    "Nothing to format in a.ts: either it is formatted already, or no formatter of the editor takes it; the editor doesn't say which.",
    'Formatted a.ts: 1 change in 1 file: a.ts.\nNo new problems.',
    'const a = 1\r\nconst b = 2\r\n',
    true,
  ]);
});

test('what nobody formats, what is being typed into and a range beyond the end are refused', async () => {
  const { call, host, folder } = bench();
  const words = async (input: object) => (await call(format, input)).content;
  const beyond = await words({ path: 'a.ts', range: { from: 2, to: 9 } });
  host.dirty.set(folder.at('a.ts'), 'typing');
  expect([
    await words({ path: 'notes.txt' }),
    beyond,
    await words({ path: 'a.ts' }),
    folder.text('a.ts'),
  ]).toEqual([
    'format: no language server of the editor serves plaintext files; use search_files and read_file instead',
    'format: a.ts has lines 1 to 2; give a range among them',
    'format: a.ts has unsaved changes by the user; ask them to save, then read it again',
    FILES['a.ts'],
  ]);
});

test('a formatter that answers otherwise than a person was shown changes nothing', async () => {
  const { call, context, folder, intelligence } = bench();
  const input = { path: 'a.ts' };
  const same = { ...format, validate: async () => undefined, inputSchema: z.custom<typeof input>() };
  const shown = JSON.stringify(await format.preview?.(input, context));
  const change = { start: { line: 0, column: 0 }, end: { line: 0, column: 0 }, text: 'evil();' };
  Object.assign(intelligence, {
    format: async (file: FileText) => ({
      kind: 'known',
      value: [{ path: file.path, before: file.text, changes: [change] }],
    }),
  });
  const { content } = await call(same, input);
  expect([shown.includes('evil'), content, folder.text('a.ts')]).toEqual([
    false,
    'format: it would change other text by now (a.ts), which is not what was allowed. Nothing was changed; call it again',
    FILES['a.ts'],
  ]);
});
