import { expect, test } from 'vitest';
import { fits, parseMatcher } from '#gates/hooks/matcher';
import { readHooks } from '#gates/hooks/read-hooks';

const read = (value: unknown) => readHooks(value, 'user settings');

test('Claude Code’s shape is read as it is written', () => {
  const set = read({
    PreToolUse: [
      {
        matcher: 'Bash|Edit',
        hooks: [
          {
            type: 'command',
            command: 'python3 "$CLAUDE_PROJECT_DIR"/.claude/hooks/check.py',
            timeout: 10,
            if: 'Bash(git *)',
            statusMessage: 'checking',
          },
        ],
      },
    ],
    Stop: [{ hooks: [{ type: 'command', command: 'say done' }] }],
  });
  expect(set).toMatchObject({
    problems: [],
    hooks: [
      {
        event: 'PreToolUse',
        source: 'user settings',
        command: 'python3 "$CLAUDE_PROJECT_DIR"/.claude/hooks/check.py',
        timeoutMs: 10_000,
        condition: { text: 'Bash(git *)' },
      },
      { event: 'Stop', matcher: { kind: 'all' }, command: 'say done', timeoutMs: 60_000 },
    ],
  });
});

test('a whole settings file, pasted, is read too', () => {
  expect(read({ hooks: { Stop: [{ hooks: [{ command: 'x' }] }] } }).hooks).toHaveLength(1);
});

test.each([undefined, null, {}, { PreToolUse: [] }])('%j configures nothing', (value) => {
  expect(read(value)).toEqual({ hooks: [], problems: [] });
});

test('events that wait for their feature, and those of others, are read and never run', () => {
  const entry = [{ hooks: [{ type: 'command', command: 'x' }] }];
  expect(read({ SubagentStop: entry, PostCompact: entry, Notification: entry })).toEqual({
    hooks: [],
    problems: [],
  });
});

test('one broken entry does not lose the others, and is named with its place', () => {
  const good = { type: 'command', command: 'good' };
  const { hooks, problems } = read({
    PreToolUse: [
      { matcher: '[', hooks: [good] },
      { matcher: 'Bash', hooks: [{ type: 'prompt', prompt: 'x' }, { type: 'command' }, 7, good] },
      'x',
    ],
    PostToolUse: 'x',
    PretoolUse: [],
  });
  expect(hooks.map(({ command }) => command)).toEqual(['good']);
  expect(problems.map(({ words, guards }) => [words.slice(0, 36), guards])).toEqual([
    ['hooks.PreToolUse[0].matcher can’t be', true],
    ['hooks.PreToolUse[1].hooks[0]: Belay ', true],
    ['hooks.PreToolUse[1].hooks[1]: "comma', true],
    ['hooks.PreToolUse[1].hooks[2]: the en', true],
    ['hooks.PreToolUse[2]: needs "hooks", ', true],
    ['hooks.PostToolUse is not a list', false],
    ['hooks: there is no event "PretoolUse', true],
  ]);
});

test.each([7, 'x', [1]])('%j instead of the events is a guard that is lost', (value) => {
  expect(read(value)).toMatchObject({ hooks: [], problems: [{ guards: true }] });
});

test('a condition that can’t be read leaves the hook running for all', () => {
  const set = read({ PreToolUse: [{ hooks: [{ command: 'x', if: 'Bash(' }] }] });
  expect(set).toMatchObject({
    hooks: [{ command: 'x' }],
    problems: [{ words: expect.stringContaining('hooks[0].if: ') }],
  });
  expect(set.hooks[0]).not.toHaveProperty('condition');
});

test.each([0, -1, '10', true])('a time-out of %j is a slip, not a hook without one', (timeout) => {
  expect(read({ PreToolUse: [{ hooks: [{ command: 'x', timeout }] }] })).toMatchObject({
    hooks: [],
    problems: [{ guards: true }],
  });
});

test('no hook may take longer than ten minutes', () => {
  const [hook] = read({ Stop: [{ hooks: [{ command: 'x', timeout: 1e9 }] }] }).hooks;
  expect(hook?.timeoutMs).toBe(600_000);
});

test.each([
  ['Bash', ['Bash'], true],
  ['Bash', ['BashOutput'], false],
  ['bash', ['Bash'], false],
  ['Edit|Write', ['Write'], true],
  ['Edit, Write', ['Write'], true],
  ['Edit|Write', ['MultiEdit', 'Edit', 'edit_file'], true],
  ['run_command', ['Bash', 'run_command'], true],
  ['', ['x'], true],
  ['*', ['x'], true],
  ['mcp__.*', ['mcp__github__get_issue'], true],
  ['mcp__my-server__.*', ['mcp__my-server__x'], true],
  ['^Ba', ['Bash'], true],
  ['Notebook.*', ['Bash'], false],
  ['Bash', [], true],
])('matcher %j over %j: %s', (matcher, names, expected) => {
  const parsed = parseMatcher(matcher);
  expect(parsed.ok && fits(parsed.value, names)).toBe(expected);
});
