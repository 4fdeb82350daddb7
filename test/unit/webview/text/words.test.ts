import { afterEach, expect, test } from 'vitest';
import { approval } from '#test/unit/protocol/session-log';
import { approvalTitle, concernLines, riskWords } from '#webview/text/approval-words';
import { ago, duration, elapsed, fineDuration, size } from '#webview/text/durations';
import { lineWords } from '#webview/text/line-words';
import { shortPath } from '#webview/text/paths';
import { ruleChoice, shortRule } from '#webview/text/rule-words';
import { counted, loadWords, t } from '#webview/text/words';

afterEach(() => loadWords({}));

test('words are English until a bundle translates them, and places are filled in its order', () => {
  expect(t('{0} of {1}', 1, 4)).toBe('1 of 4');
  loadWords({ '{0} of {1}': '{1} 中的 {0}' });
  expect(t('{0} of {1}', 1, 4)).toBe('4 中的 1');
  expect(t('{0} stays')).toBe('{0} stays');
});

test('one and many are messages of their own', () => {
  expect([counted(1, '{0} file', '{0} files'), counted(3, '{0} file', '{0} files')]).toEqual([
    '1 file',
    '3 files',
  ]);
});

test.each([
  [1, 0, '1 line added'],
  [3, 0, '3 lines added'],
  [1, 1, '1 line added, 1 removed'],
  [3, 1, '3 lines added, 1 removed'],
  [0, 1, '1 line removed'],
  [0, 2, '2 lines removed'],
  [0, 0, '0 lines added'],
])('the counts +%i −%i are spoken as “%s”', (added, removed, words) => {
  expect(lineWords(added, removed)).toBe(words);
});

test('times go from milliseconds to minutes', () => {
  expect([0, 0.3, 8, 999, 1000, 4250, 9949, 9950, 59_400, 125_000].map(duration)).toEqual([
    '0 ms',
    '1 ms',
    '8 ms',
    '999 ms',
    '1.0 s',
    '4.3 s',
    '9.9 s',
    '10 s',
    '59 s',
    '2 min',
  ]);
  expect([elapsed(-5000), elapsed(14_200), fineDuration(0.04), fineDuration(18)]).toEqual([
    '0 s',
    '14 s',
    '0.0 ms',
    '18 ms',
  ]);
  expect([1000, 5 * 60_000, 3 * 3_600_000, 50 * 3_600_000].map(ago)).toEqual([
    'just now',
    '5 min',
    '3 h',
    '2 d',
  ]);
  expect([512, 60_000, 5_000_000].map(size)).toEqual(['512 B', '59 KB', '4.8 MB']);
});

test.each([
  ['run_command(npm test -- parser)', 'Only this command', 'npm test -- parser', 'npm test -- parser'],
  ['run_command(npm test:*)', 'npm test with any arguments', 'npm test:*', 'npm test …'],
  ['Bash(npm:*)', 'Any npm command', 'npm:*', 'npm …'],
  ['run_command', 'Any command', 'run_command', 'run_command'],
  ['edit_file(./src/**)', 'Every file in src', './src/**', 'src/**'],
  ['edit_file', 'Anything with edit_file', 'edit_file', 'edit_file'],
  ['WebFetch(domain:example.com)', 'Only this host', 'domain:example.com', 'domain:example.com'],
  ['@network(npm ci)', 'Only this command, with network', 'npm ci', 'npm ci with network'],
  [
    'run_command(npm install:*) + @network(npm install:*)',
    'npm install with any arguments, with network',
    'npm install:*',
    'npm install … with network',
  ],
  ['run_command(echo a + b)', 'Only this command', 'echo a + b', 'echo a + b'],
  ['edit_file(src/a (copy).ts)', 'Only this file', 'src/a (copy).ts', 'src/a (copy).ts'],
])('the rule %s means "%s"', (rule, label, matcher, short) => {
  expect([ruleChoice(rule), shortRule(rule)]).toEqual([{ rule, label, matcher }, short]);
});

test('a long path keeps its top and its name', () => {
  expect(shortPath('src/deeply/nested/folder/lexer.ts')).toBe('src/…/lexer.ts');
  expect(shortPath('src/parser.ts')).toBeUndefined();
  expect(shortPath('a-very-long-file-name-without-any-folder.ts')).toBeUndefined();
});

test('a tool of others is asked about by the name that people know, with what acts in it shown', () => {
  const request = { ...approval('a', 'c'), tool: 'mcp__tickets__close', touches: [] };
  const preview = { kind: 'json', title: 'tickets: close\u202e', body: '{}' } as const;
  expect([approvalTitle(request), approvalTitle({ ...request, preview })]).toEqual([
    'Use mcp__tickets__close?',
    'Use tickets: close\\u{202e}?',
  ]);
});

test('an approval says its risk in words, and what is not confined stands first among the concerns', () => {
  const request = approval('a', 'c');
  const open = {
    ...request,
    concerns: ['writes to .git/config'],
    sandbox: { active: false, words: 'bwrap was not found' },
    network: true,
  };
  expect([approvalTitle(request), riskWords(request), concernLines(request)]).toEqual([
    'Run a command?',
    'Executes · no network · sandboxed',
    [],
  ]);
  expect([riskWords(open), concernLines(open)]).toEqual([
    'Executes · with network',
    ['Runs without a sandbox: bwrap was not found', 'writes to .git/config'],
  ]);
  expect(riskWords({ ...open, risk: 'workspace-write' })).toBe('Writes in this folder');
  const sandbox = { active: true, words: 'sandboxed' } as const;
  expect([
    riskWords({ ...request, sandbox: { ...sandbox, reach: 'hosts' } }),
    riskWords({ ...request, network: true, sandbox: { ...sandbox, reach: 'hosts' } }),
    riskWords({ ...request, sandbox: { ...sandbox, workspace: 'read-only' } }),
  ]).toEqual([
    'Executes · allowed hosts only · sandboxed',
    'Executes · with network · sandboxed',
    'Executes · no network · sandboxed, folder read-only',
  ]);
});
