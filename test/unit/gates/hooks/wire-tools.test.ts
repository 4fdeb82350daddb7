import { expect, test } from 'vitest';
import { fromWire, toWire } from '#gates/hooks/wire-tools';

const ROOT = '/work/space';

const CALLS: readonly (readonly [string, object, string, object])[] = [
  [
    'run_command',
    { command: 'ls', description: 'lists', timeoutMs: 5000, cwd: 'src', network: true },
    'Bash',
    { command: 'ls', description: 'lists', timeout: 5000, cwd: 'src', network: true },
  ],
  [
    'read_file',
    { path: 'src/a.ts', offset: 3, limit: 9 },
    'Read',
    { file_path: '/work/space/src/a.ts', offset: 3, limit: 9 },
  ],
  [
    'edit_file',
    { path: 'a', oldText: 'x', newText: 'y', replaceAll: true },
    'Edit',
    { file_path: '/work/space/a', old_string: 'x', new_string: 'y', replace_all: true },
  ],
  [
    'edit_file',
    {
      path: 'a',
      edits: [
        { oldText: 'x', newText: 'y' },
        { oldText: 'p', newText: 'q', replaceAll: true },
      ],
    },
    'MultiEdit',
    {
      file_path: '/work/space/a',
      edits: [
        { old_string: 'x', new_string: 'y' },
        { old_string: 'p', new_string: 'q', replace_all: true },
      ],
    },
  ],
  [
    'write_file',
    { path: 'a', content: 'x', overwrite: true },
    'Write',
    { file_path: '/work/space/a', content: 'x', overwrite: true },
  ],
  [
    'search_files',
    { pattern: 'x', path: 'src', mode: 'content', before: 1, ignoreCase: true, literal: true },
    'Grep',
    { pattern: 'x', path: '/work/space/src', output_mode: 'content', '-B': 1, '-i': true, literal: true },
  ],
  ['glob_files', { pattern: '*.ts' }, 'Glob', { pattern: '*.ts' }],
  ['todo_write', { todos: [] }, 'TodoWrite', { todos: [] }],
  ['mcp__github__get_issue', { path: 'a' }, 'mcp__github__get_issue', { path: 'a' }],
  ['rename_file', { path: 'a', to: 'b' }, 'rename_file', { path: 'a', to: 'b' }],
];

test.each(CALLS)('%s %j is %s to a hook', (tool, input, name, wire) => {
  expect(toWire(tool, input, ROOT)).toMatchObject({ name, input: wire });
});

test.each(CALLS)('what a hook gives back of %s %j is the same call', (tool, input) => {
  const wire = toWire(tool, input, ROOT).input as Record<string, unknown>;
  expect(fromWire(tool, wire, input, ROOT)).toEqual(input);
});

test('an updated input replaces what its side knows and keeps what only Belay has', () => {
  const original = { command: 'ls', description: 'lists', timeoutMs: 5, cwd: 'src', network: true };
  expect(fromWire('run_command', { command: 'ls -l' }, original, ROOT)).toEqual({
    command: 'ls -l',
    description: 'lists',
    cwd: 'src',
    network: true,
  });
  expect(fromWire('run_command', { command: 'ls', network: false }, original, ROOT)).toMatchObject({
    network: false,
  });
});

test('a path outside the workspace stays what it is, for the tool to refuse', () => {
  expect(fromWire('read_file', { file_path: '/etc/passwd' }, {}, ROOT)).toEqual({ path: '/etc/passwd' });
  expect(fromWire('read_file', { file_path: '/work/space-2/a' }, {}, ROOT)).toEqual({
    path: '/work/space-2/a',
  });
});

test('arguments that are no object, and odd values, are handed on', () => {
  expect(toWire('run_command', 7, ROOT)).toEqual({ name: 'Bash', names: ['Bash', 'run_command'], input: 7 });
  expect(toWire('edit_file', { path: 7, edits: [1] }, ROOT).input).toEqual({ file_path: 7, edits: [1] });
});
