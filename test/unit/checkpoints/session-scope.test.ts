import { expect, test } from 'vitest';
import type { ApprovalRequest } from '#protocol/approval';
import type { RelativePath, Sha256 } from '#protocol/ids';
import type { Todo } from '#protocol/todo';
import { SESSION } from './hands';
import { create, edit, type Lab, lab } from './lab';

const todo = (content: string): Todo => ({ content, activeForm: content, status: 'pending' });
const texts = ({ store }: Lab) =>
  store.messages.list(SESSION).map((message) => (message.kind === 'user' ? message.text : message.kind));

test('session: later messages no longer count, todos are as they were, files stay', async () => {
  const { turn, undo, tree, store, ...rest } = lab({ 'a.txt': 'a' });
  await turn(edit('a.txt', 'b'), () => store.todos.write(SESSION, [todo('one')]));
  const before = store.events.last(SESSION);
  await turn(edit('a.txt', 'c'), () => store.todos.write(SESSION, [todo('two')]));
  const { outcome, events } = await undo(2, { scope: 'session' });
  expect(outcome).toMatchObject({ status: 'done', turns: [2], files: [] });
  expect(events).toMatchObject([
    { type: 'session.rewound', toSequence: before, scope: 'session', turns: [2] },
  ]);
  expect([texts({ store, ...rest } as Lab), store.todos.list(SESSION), tree()]).toEqual([
    ['prompt 1'],
    [todo('one')],
    { 'a.txt': 'c' },
  ]);
});

test('all: files and conversation go back together, and redo brings both', async () => {
  const the = lab({ 'a.txt': 'a' });
  await the.turn(edit('a.txt', 'b'));
  await the.turn(edit('a.txt', 'c'), () => the.store.todos.write(SESSION, [todo('two')]));
  const undone = await the.undo(1, { scope: 'all' });
  expect(undone.events.map(({ type }) => type)).toEqual(['checkpoint.undone', 'session.rewound']);
  expect([texts(the), the.store.todos.list(SESSION), the.tree()]).toEqual([[], [], { 'a.txt': 'a' }]);
  const redone = await the.redo();
  expect(redone.events.map(({ type }) => type)).toEqual(['session.unwound', 'checkpoint.redone']);
  expect([texts(the), the.store.todos.list(SESSION), the.tree()]).toEqual([
    ['prompt 1', 'prompt 2'],
    [todo('two')],
    { 'a.txt': 'c' },
  ]);
});

test('all: a file conflict leaves the conversation alone', async () => {
  const the = lab({ 'a.txt': 'a' });
  await the.turn(edit('a.txt', 'b'));
  the.folder.write({ 'a.txt': 'by hand' });
  const { outcome, events } = await the.undo(1, { scope: 'all' });
  expect([outcome.status, events, texts(the)]).toEqual(['conflict', [], ['prompt 1']]);
});

test('all: a turn that changed no file goes back too', async () => {
  const the = lab({});
  await the.turn();
  expect((await the.undo(1, { scope: 'all' })).events.map(({ type }) => type)).toEqual(['session.rewound']);
  expect(texts(the)).toEqual([]);
});

test('drops questions nobody answered and forgets what was read since', async () => {
  const the = lab({});
  const { store } = the;
  const reads = () => store.reads.of(SESSION);
  await the.turn(() =>
    reads().note('early.txt' as RelativePath, 'e' as Sha256, { from: 1, to: 1, total: 1 }),
  );
  await the.turn(
    () => store.approvals.asked({ id: 'q1', sessionId: SESSION } as ApprovalRequest, 0),
    () => reads().note('late.txt' as RelativePath, 'l' as Sha256, { from: 1, to: 1, total: 1 }),
  );
  await the.undo(2, { scope: 'session' });
  expect([
    store.approvals.pending(SESSION),
    reads().seen('early.txt' as RelativePath)?.whole,
    reads().seen('late.txt' as RelativePath),
  ]).toEqual([[], true, undefined]);
});

test('redo of a rewind ends when the conversation has gone on', async () => {
  const the = lab({ 'a.txt': 'a' });
  await the.turn(edit('a.txt', 'b'));
  await the.undo(1, { scope: 'all' });
  await the.turn();
  expect(the.checkpoints.canRedo(SESSION)).toBe(false);
  expect((await the.redo()).outcome).toEqual({
    status: 'nothing',
    why: 'The conversation has gone on since the undo, so it can’t be redone. /redo files brings back files alone.',
  });
});

test('files alone come back where the conversation has gone on, and can be undone and redone again', async () => {
  const the = lab({ 'a.txt': 'a' });
  await the.turn(edit('a.txt', 'b'), create('new/b.txt', 'new'));
  await the.undo(1, { scope: 'all' });
  await the.turn();
  const canRedo = () => the.checkpoints.canRedo(SESSION, 'files');
  const could = canRedo();
  const { outcome, events } = await the.redo('files');
  const back = the.tree();
  expect([could, outcome.status, events.map(({ type }) => type), texts(the), back, canRedo()]).toEqual([
    true,
    'done',
    ['checkpoint.redone'],
    ['prompt 2'],
    { 'a.txt': 'b', 'new/b.txt': 'new' },
    false,
  ]);
  await the.undo(1);
  const gone = the.tree();
  await the.redo();
  expect([gone, the.tree(), texts(the)]).toEqual([{ 'a.txt': 'a' }, back, ['prompt 2']]);
});

test('after its files the conversation can still be redone, as long as nothing new was said', async () => {
  const the = lab({ 'a.txt': 'a' });
  await the.turn(edit('a.txt', 'b'));
  await the.undo(1, { scope: 'all' });
  await the.redo('files');
  const first = [texts(the), the.tree()];
  the.folder.write({ 'a.txt': 'by hand' });
  const { outcome, events } = await the.redo();
  expect([first, outcome, events.map(({ type }) => type), texts(the), the.tree()]).toEqual([
    [[], { 'a.txt': 'b' }],
    { status: 'done', turns: [1], files: [], notes: [] },
    ['session.unwound'],
    ['prompt 1'],
    { 'a.txt': 'by hand' },
  ]);
  expect((await the.redo()).outcome.status).toBe('nothing');
});

test('a redo of files means the last undo that has some, behind those of the conversation alone', async () => {
  const the = lab({ 'a.txt': 'a' });
  await the.turn(edit('a.txt', 'b'));
  await the.turn();
  await the.undo(1);
  await the.undo(2, { scope: 'all' });
  await the.undo(1, { scope: 'session' });
  const { outcome } = await the.redo('files');
  expect([outcome, (await the.redo('files')).outcome, texts(the)]).toEqual([
    { status: 'done', turns: [1], files: ['a.txt'], notes: [] },
    { status: 'nothing', why: 'There are no files to redo.' },
    [],
  ]);
});

test('a redo of files leaves hand edits and what later turns did, and says of each file why', async () => {
  const the = lab({ 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' });
  await the.turn(edit('a.txt', 'A'), edit('b.txt', 'B'), edit('c.txt', 'C'));
  await the.undo(1, { scope: 'all' });
  await the.turn(edit('b.txt', 'later'));
  the.folder.write({ 'a.txt': 'by hand' });
  const { outcome } = await the.redo('files');
  expect([outcome, the.tree()]).toEqual([
    {
      ...{ status: 'conflict', turns: [1] },
      conflicts: [
        { path: 'a.txt', why: "edited by hand after Belay's change" },
        { path: 'b.txt', why: 'Belay changed it again in turn 2 since the undo' },
      ],
    },
    { 'a.txt': 'by hand', 'b.txt': 'later', 'c.txt': 'c' },
  ]);
});

test('what a rewind left on the disk is still taken back with the turns before it', async () => {
  const the = lab({ 'a.txt': 'a' });
  await the.turn(edit('a.txt', 'b'));
  await the.turn(edit('a.txt', 'c'));
  await the.undo(2, { scope: 'session' });
  await the.turn(edit('a.txt', 'd'));
  expect((await the.undo(1)).outcome).toMatchObject({ status: 'done', turns: [1, 2, 3] });
  expect(the.tree()).toEqual({ 'a.txt': 'a' });
});

test('a turn that left the conversation is no place to rewind to', async () => {
  const the = lab({});
  await the.turn();
  await the.turn();
  await the.undo(1, { scope: 'session' });
  expect((await the.undo(2, { scope: 'session' })).outcome).toEqual({
    status: 'nothing',
    why: 'Turn 2 is no longer part of the conversation.',
  });
});

test('one turn in the middle can only be undone for its files', async () => {
  const the = lab({});
  await the.turn();
  expect((await the.undo(1, { scope: 'all', only: true })).outcome.status).toBe('nothing');
});
