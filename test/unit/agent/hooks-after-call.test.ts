import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type CoreLab, call, coreLab } from '#test/support/core-lab';
import { hooksOf, keeps, kept, says } from '#test/support/hook-scripts';
import { tempFolder } from '#test/support/temp-folder';

const RUN = (command: string) => call('c', 'run_command', { command, description: 'a test' });

function lastNote(lab: CoreLab): string {
  const last = lab.requests.at(-1)?.messages.at(-1);
  return last?.kind === 'note' ? last.text : '';
}

test('after a success and after a failure the right hooks hear of it', async () => {
  const marks = tempFolder();
  const hooks = {
    ...hooksOf('PostToolUse', keeps(marks.at('good'))),
    ...hooksOf('PostToolUseFailure', keeps(marks.at('bad'))),
  };
  const lab = await coreLab({ settings: { hooks }, answers: ['allow-once', 'allow-once'] });
  await lab.turn('x', { calls: [RUN('echo fine')] }, { calls: [{ ...RUN('echo oh; exit 3'), id: 'd' }] });
  expect([kept(marks, 'good'), kept(marks, 'bad')]).toEqual([
    [
      expect.objectContaining({
        hook_event_name: 'PostToolUse',
        tool_name: 'Bash',
        tool_input: { command: 'echo fine', description: 'a test' },
        tool_response: expect.objectContaining({
          stdout: expect.stringContaining('fine'),
          interrupted: false,
        }),
        duration_ms: expect.any(Number),
      }),
    ],
    [
      expect.objectContaining({
        hook_event_name: 'PostToolUseFailure',
        error: expect.stringContaining('oh'),
        is_interrupt: false,
      }),
    ],
  ]);
});

test('calls that never ran are none of their business', async () => {
  const marks = tempFolder();
  const hooks = {
    ...hooksOf('PostToolUse', `touch ${marks.at('ran')}`),
    ...hooksOf('PostToolUseFailure', `touch ${marks.at('ran')}`),
  };
  const lab = await coreLab({ settings: { hooks } });
  await lab.turn('x', {
    calls: [RUN('touch denied'), call('d', 'read_file', {}), call('e', 'read_file', { path: 'gone' })],
  });
  expect(existsSync(marks.at('ran'))).toBe(false);
});

test.each([
  ['a block', says({ decision: 'block', reason: 'the types are broken' })],
  ['exit code 2', 'echo "the types are broken" >&2; exit 2'],
])('%s can’t undo what ran: the model and the person are told', async (_what, command) => {
  const lab = await coreLab({
    settings: { hooks: hooksOf('PostToolUse', command) },
    answers: ['allow-once'],
  });
  const status = await lab.turn('x', { calls: [RUN('true')] }, { text: 'ok' });
  expect([status, lab.results()[0]?.status]).toEqual(['done', 'success']);
  expect(lastNote(lab)).toContain('the types are broken');
  expect(lab.session.transcript().turns[0]?.items).toContainEqual(
    expect.objectContaining({ kind: 'hook', report: 'blocked', text: 'the types are broken' }),
  );
});

test('context goes along with the next request, a failure only to the person, plain text only into the trace', async () => {
  const context = {
    hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'run the tests' },
  };
  const hooks = hooksOf('PostToolUse', says(context), 'echo formatted', 'echo broke >&2; exit 1');
  const lab = await coreLab({ settings: { hooks }, answers: ['allow-once'] });
  await lab.turn('x', { calls: [RUN('true')] }, { text: 'ok' });
  expect(lastNote(lab)).toContain('run the tests');
  expect(lastNote(lab)).not.toMatch(/formatted|broke/);
  const completed = lab.session.events().find(({ type }) => type === 'tool.completed');
  expect(completed?.type === 'tool.completed' && completed.trace.at(-1)).toMatchObject({
    stage: 'post-hooks',
    verdict: 'pass',
    why: expect.stringMatching(/run the tests.*formatted.*it failed with 1: broke/),
  });
});

test('continue: false ends the turn after the batch', async () => {
  const hooks = hooksOf('PostToolUse', says({ continue: false, stopReason: 'enough' }));
  const lab = await coreLab({ settings: { hooks }, workspace: { a: 'a', b: 'b' } });
  const reads = ['a', 'b'].map((path) => call(path, 'read_file', { path }));
  expect(await lab.turn('x', { calls: reads }, { text: 'never said' })).toBe('denied');
  expect([lab.results().map(({ status }) => status), lab.requests.length]).toEqual([
    ['success', 'success'],
    1,
  ]);
});

test('a formatter after an edit, as people write them: the next edit knows that the file changed', async () => {
  const format = `node -e '
    const fs = require("node:fs");
    const { tool_input: input } = JSON.parse(fs.readFileSync(0, "utf8"));
    fs.writeFileSync(input.file_path, fs.readFileSync(input.file_path, "utf8").toUpperCase());
  '`;
  const hooks = hooksOf('PostToolUse', { matcher: 'Write|Edit|MultiEdit', command: format });
  const lab = await coreLab({ settings: { hooks } });
  await lab.turn(
    'x',
    { calls: [call('w', 'write_file', { path: 'a.txt', content: 'one\n' })] },
    { calls: [call('e', 'edit_file', { path: 'a.txt', oldText: 'one', newText: 'two' })] },
  );
  expect([lab.folder.text('a.txt'), lab.results().map(({ status }) => status)]).toEqual([
    'ONE\n',
    ['success', 'error'],
  ]);
  expect(lab.requests[1]?.messages.at(-1)).toMatchObject({
    kind: 'note',
    text: expect.stringContaining('changed a.txt; read it again'),
  });
  // What the hook did is part of the turn, under its name.
  expect(lab.session.checkpoints()[0]?.files).toMatchObject([
    { path: 'a.txt', operation: 'create', command: expect.stringContaining('PostToolUse "node -e') },
  ]);
  expect(await lab.session.undo(1, 'files')).toMatchObject({ status: 'done', files: ['a.txt'] });
});
