import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type CoreLabOptions, call, coreLab } from '#test/support/core-lab';
import { decides, hooksOf, says } from '#test/support/hook-scripts';
import { tempFolder } from '#test/support/temp-folder';

function gives(updatedInput: object, more: object = {}): string {
  return says({ hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput, ...more } });
}

async function run(hooks: unknown, command: string, options: CoreLabOptions = {}) {
  const lab = await coreLab({ ...options, settings: { hooks, ...options.settings } });
  await lab.turn('x', { calls: [call('c', 'run_command', { command, description: 'a test' })] });
  const completed = lab.session.events().find(({ type }) => type === 'tool.completed');
  const trace = completed?.type === 'tool.completed' ? completed.trace : [];
  return {
    lab,
    result: lab.results()[0],
    asked: lab.host.asked.map(({ subject }) => subject),
    trace: trace.map(({ stage, verdict }) => `${stage} ${verdict}`),
  };
}

test('a changed input walks the gates anew from parse, hooks don’t run twice, and a person is asked about what will run', async () => {
  const marks = tempFolder();
  const hooks = hooksOf('PreToolUse', `echo x >> ${marks.at('runs')}; ${gives({ command: 'touch right' })}`);
  const { lab, asked, trace } = await run(hooks, 'touch wrong', { answers: ['allow-once'] });
  expect({
    asked,
    runs: marks.text('runs'),
    wrong: existsSync(lab.folder.at('wrong')),
    right: existsSync(lab.folder.at('right')),
  }).toEqual({ asked: ['touch right'], runs: 'x\n', wrong: false, right: true });
  expect(trace).toEqual([
    'find-tool pass',
    'origin pass',
    'parse pass',
    'schema pass',
    'validate pass',
    'classify pass',
    'hooks changed',
    'parse pass',
    'schema pass',
    'validate pass',
    'classify pass',
    'hooks pass',
    'permission asked',
    'confine pass',
  ]);
});

test('an allow with a changed input is an allow of that input', async () => {
  const { lab, asked } = await run(
    hooksOf('PreToolUse', gives({ command: 'touch right' }, { permissionDecision: 'allow' })),
    'touch wrong',
  );
  expect([asked, existsSync(lab.folder.at('right'))]).toEqual([[], true]);
});

test.each([
  ['what is forbidden', { command: 'sudo id' }, 'forbidden'],
  ['what doesn’t fit the schema', { command: 7 }, 'invalid_arguments'],
  ['what the tool refuses', { command: '' }, 'rejected_arguments'],
])('a hook that allows and gives %s gets the gates’ own no', async (_what, input, code) => {
  const { result, asked } = await run(
    hooksOf('PreToolUse', gives(input, { permissionDecision: 'allow' })),
    'touch a',
  );
  expect([result?.code, asked]).toEqual([code, []]);
});

test('the input that it came with is no change', async () => {
  const { trace } = await run(hooksOf('PreToolUse', gives({ command: 'touch a' })), 'touch a');
  expect(trace).not.toContain('hooks changed');
});

test('hooks that give different inputs make a person decide', async () => {
  const { lab, asked } = await run(
    hooksOf(
      'PreToolUse',
      gives({ command: 'touch one' }, { permissionDecision: 'allow' }),
      gives({ command: 'touch two' }),
    ),
    'touch a',
  );
  expect(asked).toEqual(['touch two']);
  expect(lab.host.asked[0]?.concerns.join()).toContain('hooks disagree about the input');
});

test('what a person edits is seen by the hooks too, and their no counts', async () => {
  const hooks = hooksOf('PreToolUse', 'grep -q evil && exit 2 || exit 0');
  const input = { command: 'touch evil', description: 'x' };
  const { result, asked } = await run(hooks, 'touch fine', { answers: [{ answer: 'allow-once', input }] });
  expect([result?.code, asked]).toEqual(['hook_denied', ['touch fine']]);
});

test('a hook that changes what a person edited makes them see it before it runs', async () => {
  const script = `input=$(cat); case "$input" in *edited*) ${gives({ command: 'touch rewritten' })};; esac`;
  const input = { command: 'touch edited', description: 'x' };
  const { lab, asked } = await run(hooksOf('PreToolUse', script), 'touch a', {
    answers: [{ answer: 'allow-once', input }, 'allow-once'],
  });
  expect([asked, existsSync(lab.folder.at('rewritten'))]).toEqual([['touch a', 'touch rewritten'], true]);
});

test('a hook that asks about what a person has just edited doesn’t ask them again', async () => {
  const input = { command: 'touch edited', description: 'x' };
  const { lab, asked } = await run(hooksOf('PreToolUse', decides('ask')), 'touch a', {
    answers: [{ answer: 'allow-once', input }],
  });
  expect([asked, existsSync(lab.folder.at('edited'))]).toEqual([['touch a'], true]);
});

test('a person who edits without end is not followed without end', async () => {
  const edits = Array.from({ length: 30 }, (_, n) => ({
    answer: 'allow-once' as const,
    input: { command: `touch edit-${n}`, description: 'x' },
  }));
  const script = `input=$(cat); n=$(date +%N); printf '{"hookSpecificOutput":{"updatedInput":{"command":"touch r%s"}}}' "$n"`;
  const { result, lab } = await run(hooksOf('PreToolUse', script), 'touch a', { answers: edits });
  expect(result).toMatchObject({
    code: 'permission_denied',
    content: expect.stringContaining('over and over'),
  });
  expect(lab.host.asked.length).toBeLessThan(12);
});

test('a file’s path is given back relative to the workspace, and one outside is refused', async () => {
  const lab = await coreLab({
    workspace: { 'a.txt': 'a', 'b.txt': 'b' },
    settings: {
      hooks: hooksOf(
        'PreToolUse',
        `printf '{"hookSpecificOutput":{"updatedInput":{"file_path":"%s/b.txt"}}}' "$CLAUDE_PROJECT_DIR"`,
      ),
    },
  });
  await lab.turn('x', { calls: [call('c', 'read_file', { path: 'a.txt' })] });
  expect(lab.results()[0]?.content).toContain('b');
  lab.host.configure({
    hooks: hooksOf('PreToolUse', gives({ file_path: '/etc/passwd' }, { permissionDecision: 'allow' })),
  });
  await lab.turn('y', { calls: [call('d', 'read_file', { path: 'a.txt' })] });
  expect(lab.results()[1]).toMatchObject({ code: 'rejected_arguments' });
});
