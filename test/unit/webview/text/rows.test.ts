import { expect, onTestFinished, test } from 'vitest';
import type { Display } from '#protocol/tool-result';
import type { CallItem } from '#protocol/turn';
import { approval, callId, turnId } from '#test/unit/protocol/session-log';
import { rowText, spokenState, stateOf } from '#webview/text/rows';
import { loadWords } from '#webview/text/words';

function call(name: string, facts: Partial<CallItem> = {}): CallItem {
  return {
    kind: 'call',
    key: 'c',
    callId: callId('c'),
    name,
    summary: '',
    state: 'success',
    trace: [],
    lastLine: '',
    ms: 8,
    ...facts,
  };
}
const row = (item: CallItem) => {
  const { verb, subject, detail, counts, cost } = rowText(item, stateOf(item, true), undefined);
  return [verb, subject, detail, counts ? `+${counts.added} −${counts.removed}` : '', cost];
};
const command = (exitCode: number): Display => ({
  kind: 'command',
  title: 'npm test',
  command: 'npm test',
  body: '',
  exitCode,
});
const diff: Display = {
  kind: 'diff',
  title: 'src/a.ts',
  path: 'src/a.ts',
  operation: 'modify',
  added: 3,
  removed: 1,
  hunks: [],
};

test.each([
  [
    call('read_file', {
      display: { kind: 'text', title: 'src/a.ts', fields: [{ key: 'lines', value: '1–120' }], body: '' },
    }),
    ['Read', 'src/a.ts', '1–120', '', '8 ms'],
  ],
  [
    call('search_files', { display: { kind: 'search', title: 'parseNumber', body: '', hits: 1, files: 1 } }),
    ['Search', '"parseNumber"', '1 hit in 1 file', '', '8 ms'],
  ],
  [
    call('glob_files', { display: { kind: 'search', title: '**/*.ts', body: '', hits: 9, files: 9 } }),
    ['Find', '**/*.ts', '9 files', '', '8 ms'],
  ],
  [call('edit_file', { display: diff, ms: 1200 }), ['Edit', 'src/a.ts', '', '+3 −1', '1.2 s']],
  [
    call('write_file', { display: { ...diff, operation: 'create' } }),
    ['Create', 'src/a.ts', '', '+3 −1', '8 ms'],
  ],
  [call('write_file', { display: diff }), ['Overwrite', 'src/a.ts', '', '+3 −1', '8 ms']],
  [call('run_command', { display: command(0), ms: 61_000 }), ['Run', 'npm test', 'exit 0', '', '1 min']],
  [
    call('edit_file', { summary: 'Edit src/b.ts', state: 'error', code: 'invalid_json' }),
    ['Edit', 'src/b.ts', 'arguments are not JSON', '', '8 ms'],
  ],
  [
    call('run_command', { summary: 'Find my keys', state: 'waiting' }),
    ['Run', 'Find my keys', '', '', 'waiting'],
  ],
  [call('run_command', { summary: 'x', state: 'cancelled' }), ['Run', 'x', '', '', 'did not run']],
  [
    call('run_command', { summary: 'x', state: 'cancelled', startedAt: 1, ms: 6000 }),
    ['Run', 'x', '', '', 'stopped at 6 s'],
  ],
  [call('run_command', { summary: 'x', state: 'unknown' }), ['Run', 'x', '', '', 'result unknown']],
  [
    call('run_command', { summary: 'x', state: 'denied', code: 'forbidden' }),
    ['Run', 'x', '', '', 'never allowed'],
  ],
  [call('weather', { summary: 'Oslo' }), ['Use', 'Oslo', '', '', '8 ms']],
])('%o reads %j', (item, words) => {
  expect(row(item)).toEqual(words);
});

test.each([
  ['edit_file', 'src/b.ts'],
  ['apply_code_action', 'the code action'],
  ['cancel_command', 'c1'],
  ['command_status', 'Findings'],
])('a summary of %s that begins with the verb of any row is shown without it', (name, rest) => {
  const { verb } = rowText(call(name, { state: 'running' }), 'running', undefined);
  const subjects = [`${verb} ${rest}`, rest, `Write ${rest}`, `Look up ${rest}`].map(
    (summary) => rowText(call(name, { summary, state: 'running' }), 'running', undefined).subject,
  );
  expect(subjects).toEqual([rest, rest, rest, rest]);
});

test('in another language the longest of verbs that begin alike is taken off', () => {
  onTestFinished(() => loadWords({}));
  loadWords({ List: '列出', Outline: '列出大纲' });
  const subject = (summary: string) =>
    rowText(call('document_symbols', { summary, state: 'running' }), 'running', undefined).subject;
  expect([subject('列出大纲 a.ts'), subject('列出 a.ts')]).toEqual(['a.ts', 'a.ts']);
});

test('who denied a call is said', () => {
  const item = call('run_command', { summary: 'x', state: 'denied' });
  const stop = (by: 'rule' | 'mode') => ({
    ...item,
    trace: [{ stage: 'permission', verdict: 'stop' as const, why: 'as the person reads it', by, ms: 1 }],
  });
  const answered = {
    turnId: turnId(1),
    request: approval('a', 'c'),
    answer: { answer: 'deny-once' as const },
    by: 'panel' as const,
  };
  expect([
    rowText(item, 'denied', answered).cost,
    rowText(stop('rule'), 'denied', undefined).cost,
    rowText(stop('mode'), 'denied', undefined).cost,
    rowText(item, 'denied', { ...answered, by: 'nobody' }).cost,
  ]).toEqual(['denied by you', 'denied by rule', 'denied by mode', 'not answered']);
});

test('nothing runs in a turn that ended, and an exit code that isn’t 0 is a failure to the eye', () => {
  expect(stateOf(call('run_command', { state: 'running' }), false)).toBe('unknown');
  expect(stateOf(call('run_command', { display: command(1) }), true)).toBe('error');
  expect(stateOf(call('run_command', { display: command(0) }), true)).toBe('success');
});

test('a call that went well says nothing before its verb', () => {
  expect([spokenState('success'), spokenState('denied')]).toEqual(['', 'Denied: ']);
});
