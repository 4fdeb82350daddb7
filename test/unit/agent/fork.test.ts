import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withEveryResult } from '#agent/fork/messages';
import type { AppSession } from '#app';
import type { CheckpointSummary } from '#protocol/checkpoint';
import type { CallId, MessageId, TurnId } from '#protocol/ids';
import type { Message } from '#protocol/message';
import type { ModelItem } from '#protocol/scenario';
import type { TranscriptTurn } from '#protocol/turn';
import { type CoreLab, call, coreLab, openApp } from '#test/support/core-lab';

const write = (id: string, path: string, content: string): ModelItem => ({
  calls: [call(id, 'write_file', { path, content })],
});
const todo = (content: string): ModelItem => ({
  calls: [call('t', 'todo_write', { todos: [{ content, activeForm: content, status: 'pending' }] })],
});

function fork(lab: CoreLab, turn?: number, of: AppSession = lab.session): AppSession {
  const forked = lab.app.fork(of.id, turn);
  if (!forked.ok) throw new Error(forked.error);
  return forked.value;
}

/** What a person sees of turns, without what names them. */
function seen(turns: readonly (TranscriptTurn | CheckpointSummary)[]): unknown {
  return JSON.parse(
    JSON.stringify(turns, (key, value: unknown) => (key === 'id' || key === 'key' ? undefined : value)),
  );
}

test('a fork shows, and sends the model, what the session was before that turn', async () => {
  const lab = await coreLab();
  await lab.turn('one', write('a', 'a.txt', '1'), todo('first'), { text: 'done 1' });
  await lab.turn('two', todo('second'), { text: 'done 2' });
  const before = lab.session.transcript();
  const messages = lab.session.messages();
  await lab.turn('three', write('b', 'b.txt', '1'), todo('third'), { text: 'done 3' });
  const child = fork(lab, 3);
  const { title, todos, turns, mode, modelId, forkedFrom } = child.transcript();
  expect({ title, todos, mode, modelId, turns: seen(turns), forkedFrom }).toEqual({
    title: 'Fork of one',
    todos: before.todos,
    mode: before.mode,
    modelId: before.modelId,
    turns: seen(before.turns),
    forkedFrom: { sessionId: lab.session.id, title: 'one', after: before.turns[1]?.turnId },
  });
  expect(child.messages()).toEqual(messages);
  expect(child.checkpoints().map(({ turn, state }) => [turn, state])).toEqual([[1, 'sealed']]);
});

test('a fork of a fork, and one of a session that is closed, come to the same', async () => {
  const lab = await coreLab();
  await lab.turn('one', write('a', 'a.txt', '1'), { text: 'done' });
  const child = fork(lab);
  const grandchild = fork(lab, undefined, child);
  expect(grandchild.messages()).toEqual(lab.session.messages());
  expect(seen(grandchild.transcript().turns)).toEqual(seen(lab.session.transcript().turns));
  const other = await openApp(lab.host, lab.folder, lab.model);
  const elsewhere = other.fork(lab.session.id);
  expect(elsewhere.ok && elsewhere.value.messages()).toEqual(lab.session.messages());
});

test('what a rewind took out doesn’t come along; a turn that it took out can be forked from', async () => {
  const lab = await coreLab();
  await lab.turn('one', { text: 'done 1' });
  await lab.turn('two', write('a', 'a.txt', 'two'), { text: 'done 2' });
  const before = lab.session.messages();
  await lab.turn('three', { text: 'done 3' });
  await lab.session.undo(2, 'session');
  await lab.turn('four', { text: 'done 4' });
  expect(
    fork(lab)
      .transcript()
      .turns.map(({ prompt }) => prompt),
  ).toEqual(['one', 'four']);
  expect(
    fork(lab)
      .transcript()
      .covered.flatMap(({ turns }) => turns),
  ).toEqual([]);
  expect(fork(lab).messages()).toEqual(lab.session.messages());
  const back = fork(lab, 3);
  expect(back.transcript().turns.map(({ prompt }) => prompt)).toEqual(['one', 'two']);
  expect(back.messages()).toEqual(before);
});

test('what came after a turn that a rewind took out is in a fork of a fork too', async () => {
  const lab = await coreLab();
  await lab.turn('one', { text: 'done 1' });
  await lab.turn('two', write('a', 'a.txt', 'two'), { text: 'done 2' });
  await lab.session.undo(2, 'all');
  await lab.turn('three', write('b', 'b.txt', 'three'), { text: 'done 3' });
  const grandchild = fork(lab, undefined, fork(lab));
  expect(grandchild.messages()).toEqual(lab.session.messages());
  expect(grandchild.transcript().turns.map(({ prompt }) => prompt)).toEqual(['one', 'three']);
  expect(seen(grandchild.checkpoints())).toEqual(seen(fork(lab).checkpoints()));
});

test('files of a turn that the conversation no longer has are still taken back with those before it', async () => {
  const lab = await coreLab();
  await lab.turn('one', write('a', 'a.txt', 'one'), { text: 'done 1' });
  await lab.turn('two', write('b', 'b.txt', 'two'), { text: 'done 2' });
  await lab.session.undo(2, 'session');
  await lab.turn('three', write('c', 'c.txt', 'three'), { text: 'done 3' });
  const child = fork(lab);
  expect(await child.undo(3, 'files')).toMatchObject({ status: 'done', files: ['c.txt'] });
  expect(await child.undo(1, 'files')).toMatchObject({ status: 'done', files: ['a.txt', 'b.txt'] });
  expect(lab.session.checkpoints().map(({ state }) => state)).toEqual(['sealed', 'sealed', 'sealed']);
});

test('of turns that the original rewound together, a fork takes back the files of the one that is meant', async () => {
  const lab = await coreLab();
  for (const name of ['a', 'b', 'c'])
    await lab.turn(name, write(name, `${name}.txt`, name), { text: 'done' });
  await lab.session.undo(1, 'session');
  const child = fork(lab);
  expect(await child.undo(3, 'files')).toMatchObject({ status: 'done', files: ['c.txt'] });
  expect(await child.undo(2, 'files')).toMatchObject({ status: 'done', files: ['b.txt'] });
  expect(await child.undo(1, 'files')).toMatchObject({ status: 'done', files: ['a.txt'] });
});

test('what was undone is undone in the fork, and a redo of the original leaves the fork’s mark alone', async () => {
  const lab = await coreLab();
  await lab.turn('one', write('a', 'a.txt', 'one'), { text: 'done 1' });
  await lab.turn('two', write('b', 'b.txt', 'two'), { text: 'done 2' });
  await lab.session.undo(2, 'files');
  const child = fork(lab);
  expect(child.canRedo()).toBe(false);
  expect((await lab.session.redo()).status).toBe('done');
  expect(child.checkpoints().map(({ state }) => state)).toEqual(['sealed', 'undone']);
  expect(child.transcript().turns.map(({ checkpoint }) => checkpoint?.state)).toEqual(['sealed', 'undone']);
  expect(lab.session.checkpoints().map(({ state }) => state)).toEqual(['sealed', 'sealed']);
});

test('making a fork keeps the original’s undo redoable', async () => {
  const lab = await coreLab();
  await lab.turn('one', write('a', 'a.txt', 'one'), { text: 'done 1' });
  await lab.session.undo(1, 'files');
  fork(lab);
  expect(lab.session.canRedo()).toBe(true);
  expect(await lab.session.redo()).toMatchObject({ status: 'done', files: ['a.txt'] });
});

test('a long output can be read in the fork, also when the original is deleted', async () => {
  const lab = await coreLab({ settings: { mode: 'allow' } });
  await lab.turn(
    'one',
    { calls: [call('c', 'run_command', { command: 'seq 1 40000', description: 'Counts' })] },
    { text: 'done' },
  );
  const [artifact] = lab.results().flatMap(({ artifact }) => artifact ?? []);
  const child = fork(lab);
  expect(await lab.app.artifact(child.id, artifact?.id ?? '')).toContain('39999');
  await lab.app.close();
  const second = await openApp(lab.host, lab.folder, lab.model);
  const { openStore } = await import('#store/store');
  const path = join(lab.storage.path, 'belay.db');
  const opened = openStore({ path, log: lab.host.log, clock: lab.host.clock });
  if (!opened.ok) throw new Error(opened.error.message);
  opened.value.sessions.delete(lab.session.id);
  opened.value.close();
  expect(await second.artifact(child.id, artifact?.id ?? '')).toContain('39999');
  expect(await second.artifact('nobody', artifact?.id ?? '')).toBeUndefined();
});

test('while a turn runs only those that have ended come along', async () => {
  const lab = await coreLab();
  await lab.turn('one', { text: 'done 1' });
  const at: { child?: AppSession; refused?: unknown } = {};
  lab.session.onEvent((event) => {
    if (event.type !== 'tool.started' || at.child) return;
    at.child = fork(lab);
    at.refused = fork(lab, 2).transcript().turns.length;
  });
  await lab.turn('two', write('a', 'a.txt', '1'), { text: 'done 2' });
  expect(at.child?.transcript().turns.map(({ prompt, status }) => [prompt, status])).toEqual([
    ['one', 'done'],
  ]);
  expect(at.child?.messages().map(({ kind }) => kind)).toEqual(['user', 'assistant']);
  expect(at.refused).toBe(1);
  expect(readFileSync(join(lab.folder.path, 'a.txt'), 'utf8')).toBe('1');
});

test('before its first turn a fork is empty; without such a turn or session it says so', async () => {
  const lab = await coreLab();
  await lab.turn('one', { text: 'done 1' });
  expect(fork(lab, 1).transcript().turns).toEqual([]);
  expect(lab.app.fork(lab.session.id, 2)).toEqual({ ok: false, error: 'This session has no turn 2.' });
  expect(lab.app.fork('nobody')).toEqual({ ok: false, error: 'That session is not in this folder.' });
});

test('full access, rules of the session and read records of later turns stay behind', async () => {
  const lab = await coreLab({ workspace: { 'a.txt': 'a\n', 'b.txt': 'b\n' } });
  await lab.turn('one', { calls: [call('r', 'read_file', { path: 'a.txt' })] }, { text: 'done 1' });
  await lab.turn('two', { calls: [call('r', 'read_file', { path: 'b.txt' })] }, { text: 'done 2' });
  lab.session.setMode('danger-full-access');
  const child = fork(lab, 2);
  expect(child.transcript().mode).toBe('workspace-write');
  const edit = (path: string) => ({
    calls: [call('e', 'edit_file', { path, oldText: path[0], newText: 'x' })],
  });
  lab.model.play([edit('a.txt'), edit('b.txt'), { text: 'done' }]);
  await child.send('edit');
  const results = child.messages().flatMap((one) => (one.kind === 'result' ? [one.result.status] : []));
  expect(results).toEqual(['success', 'success', 'error']);
});

test('every call in a fork has a result, also of a turn that broke off', () => {
  const part = (id: string) => ({
    kind: 'call' as const,
    call: { id: id as CallId, providerId: id, name: 'read_file', rawInput: '{}' },
  });
  const at = { turnId: 't' as TurnId };
  const message = (id: string, rest: object): { sequence: number; body: Message } => ({
    sequence: 1,
    body: { id: id as MessageId, ...at, ...rest } as Message,
  });
  const result = (id: string) => message(`r${id}`, { kind: 'result', callId: id, toolName: 'read_file' });
  const given = [
    message('1', { kind: 'assistant', parts: [part('a'), part('b')] }),
    result('a'),
    message('2', { kind: 'user', text: 'next' }),
    message('3', { kind: 'assistant', parts: [part('c')] }),
  ];
  const whole = withEveryResult(given, () => 'new' as MessageId);
  expect(whole.map(({ body }) => (body.kind === 'result' ? body.callId : body.kind))).toEqual([
    'assistant',
    'a',
    'b',
    'user',
    'assistant',
    'c',
  ]);
});
