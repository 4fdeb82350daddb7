import { existsSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { call, coreLab } from '#test/support/core-lab';
import { hooksOf, keeps, kept, says } from '#test/support/hook-scripts';
import { tempFolder } from '#test/support/temp-folder';

test.each([
  ['exit code 2', 'echo "no ticket number" >&2; exit 2'],
  ['a block', says({ decision: 'block', reason: 'no ticket number' })],
  ['continue: false', says({ continue: false, stopReason: 'no ticket number' })],
])('%s blocks a prompt: the model never sees it, the person reads why', async (_what, command) => {
  const lab = await coreLab({ settings: { hooks: hooksOf('UserPromptSubmit', command) } });
  const status = await lab.turn('my secret plan', { text: 'never said' });
  expect([status, lab.requests.length, lab.session.messages()]).toEqual(['denied', 0, []]);
  expect(lab.session.transcript().turns[0]).toMatchObject({
    prompt: 'my secret plan',
    problem: {
      kind: 'hook',
      title: 'A hook blocked your message',
      detail: expect.stringContaining('no ticket number'),
    },
  });
});

test('after a blocked prompt the next one goes through, without the first', async () => {
  const lab = await coreLab({
    settings: { hooks: hooksOf('UserPromptSubmit', 'grep -q bad && exit 2; exit 0') },
  });
  await lab.turn('bad idea');
  expect(await lab.turn('good idea', { text: 'ok' })).toBe('done');
  expect(lab.requests[0]?.messages.map((message) => message.kind === 'user' && message.text)).toEqual([
    'good idea',
  ]);
});

test('a prompt’s hooks add context: plain text or JSON', async () => {
  const context = {
    hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: 'be brief' },
  };
  const hooks = hooksOf('UserPromptSubmit', 'echo "today is Monday"', says(context));
  const lab = await coreLab({ settings: { hooks } });
  await lab.turn('hi', { text: 'ok' });
  const [prompt, note] = lab.requests[0]?.messages ?? [];
  expect([prompt?.kind, note?.kind === 'note' && note.text]).toEqual([
    'user',
    expect.stringMatching(/today is Monday[\s\S]*be brief/),
  ]);
});

test('a prompt hook that fails stops nobody', async () => {
  const lab = await coreLab({ settings: { hooks: hooksOf('UserPromptSubmit', 'exit 1') } });
  expect(await lab.turn('hi', { text: 'ok' })).toBe('done');
});

test('a message typed while the turn runs passes the same hooks', async () => {
  const lab = await coreLab({
    settings: { hooks: hooksOf('UserPromptSubmit', 'grep -q bad && exit 2; echo noted') },
    workspace: { a: 'a' },
  });
  lab.session.onEvent((event) => {
    if (event.type !== 'tool.started') return;
    lab.session.queue('bad one');
    lab.session.queue('fine one');
  });
  await lab.turn('x', { calls: [call('r', 'read_file', { path: 'a' })] }, { text: 'ok' });
  const said = lab.session.messages().flatMap((message) => (message.kind === 'user' ? [message.text] : []));
  expect(said).toEqual(['x', 'fine one']);
  const notes = lab.session.messages().filter(({ kind }) => kind === 'note');
  expect(JSON.stringify(notes)).toContain('noted');
});

test('a session’s hooks run once per opening, are told how it began, and add context', async () => {
  const marks = tempFolder();
  const hooks = hooksOf('SessionStart', {
    matcher: 'startup',
    command: `${keeps(marks.at('in'))}; echo "use pnpm"`,
  });
  const lab = await coreLab({ settings: { hooks } });
  await lab.turn('one', { text: 'ok' });
  await lab.turn('two', { text: 'ok' });
  expect(kept(marks, 'in')).toMatchObject([{ hook_event_name: 'SessionStart', source: 'startup' }]);
  const notes = lab.session.messages().filter(({ kind }) => kind === 'note');
  expect(notes).toMatchObject([{ text: expect.stringContaining('use pnpm') }]);
});

test('a stop is held back once with a reason; a hook that is never content doesn’t keep the turn', async () => {
  const marks = tempFolder();
  const hooks = hooksOf('Stop', `${keeps(marks.at('in'))}; echo "run the tests first" >&2; exit 2`);
  const lab = await coreLab({ settings: { hooks } });
  const status = await lab.turn('x', { text: 'done' }, { text: 'really done' }, { text: 'never asked' });
  expect([status, lab.requests.length]).toEqual(['done', 2]);
  expect(kept(marks, 'in').map((told) => told['stop_hook_active'])).toEqual([false, true]);
  const note = lab.requests[1]?.messages.at(-1);
  expect(note?.kind === 'note' && note.text).toContain('run the tests first');
});

test('a stop that was held back may be let go the second time, as stop_hook_active asks', async () => {
  const script = 'grep -q \'"stop_hook_active":true\' && exit 0; echo "again" >&2; exit 2';
  const lab = await coreLab({ settings: { hooks: hooksOf('Stop', script) } });
  expect(await lab.turn('x', { text: 'done' }, { text: 'now' })).toBe('done');
  expect(lab.requests).toHaveLength(2);
});

test('continue: false at a stop lets the turn end well', async () => {
  const output = { continue: false, stopReason: 'enough', decision: 'block', reason: 'go on' };
  const lab = await coreLab({ settings: { hooks: hooksOf('Stop', says(output)) } });
  expect(await lab.turn('x', { text: 'done' }, { text: 'never asked' })).toBe('done');
  expect(lab.session.transcript().turns[0]?.items).toContainEqual(
    expect.objectContaining({ kind: 'hook', report: 'message', text: 'enough' }),
  );
});

test('hooks of a stop don’t run when the person stopped the turn', async () => {
  const marks = tempFolder();
  const lab = await coreLab({ settings: { hooks: hooksOf('Stop', `touch ${marks.at('ran')}`) } });
  lab.session.onEvent((event) => {
    if (event.type === 'model.requested') lab.session.stop();
  });
  expect(await lab.turn('x', { text: 'ok' })).toBe('cancelled');
  expect(existsSync(marks.at('ran'))).toBe(false);
});

test('the transcript is there when a hook runs, in lines that scripts know, for its owner alone, and goes with the session', async () => {
  const marks = tempFolder();
  const copy = `node -e '
    const fs = require("node:fs");
    const { transcript_path: path } = JSON.parse(fs.readFileSync(0, "utf8"));
    fs.writeFileSync("${marks.at('copy')}", path + "\\n" + fs.readFileSync(path, "utf8"));
  '`;
  const lab = await coreLab({ settings: { hooks: hooksOf('Stop', copy) }, workspace: { a: 'text' } });
  await lab.turn(
    'look',
    { text: 'I look.', calls: [call('r', 'read_file', { path: 'a' })] },
    { text: 'Seen.' },
  );
  const [path = '', ...lines] = marks.text('copy').trim().split('\n');
  const read = lines.map((line) => JSON.parse(line) as { type: string; message: object });
  expect(read).toMatchObject([
    { type: 'user', message: { role: 'user', content: 'look' }, sessionId: lab.session.id },
    {
      type: 'assistant',
      message: {
        content: [
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', name: 'Read', input: { file_path: lab.folder.at('a') } },
        ],
      },
    },
    {
      type: 'user',
      message: { content: [{ type: 'tool_result', content: expect.stringContaining('text') }] },
    },
    { type: 'assistant', message: { content: [{ type: 'text', text: 'Seen.' }] } },
  ]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  await lab.turn('more', { text: 'Yes.' });
  expect(marks.text('copy').trim().split('\n')).toHaveLength(7);
  await lab.app.close();
  await expect.poll(() => existsSync(path)).toBe(false);
});

test('after an undo of the conversation the transcript tells what still counts', async () => {
  const marks = tempFolder();
  const copy = `node -e '
    const fs = require("node:fs");
    const { transcript_path: path } = JSON.parse(fs.readFileSync(0, "utf8"));
    fs.copyFileSync(path, "${marks.at('copy')}");
  '`;
  const lab = await coreLab({ settings: { hooks: hooksOf('Stop', copy) } });
  await lab.turn('one', { text: 'first' });
  await lab.turn('two', { text: 'second' });
  await lab.session.undo(2, 'session');
  await lab.turn('three', { text: 'third' });
  const text = marks.text('copy');
  expect([text.includes('second'), text.includes('first'), text.includes('third')]).toEqual([
    false,
    true,
    true,
  ]);
});

test('a transcript that can’t be written takes no guard away', async () => {
  const lab = await coreLab({
    settings: { hooks: hooksOf('PreToolUse', 'exit 2') },
    workspace: { a: 'a' },
  });
  lab.storage.write({ transcripts: 'a file where a folder should be' });
  await lab.turn('x', { calls: [call('r', 'read_file', { path: 'a' })] });
  expect(lab.results()[0]?.code).toBe('hook_denied');
});
