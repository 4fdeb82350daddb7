import { expect, test } from 'vitest';
import { ChangesToReview } from '#editor/panel/changes-to-review';
import { coreLab } from '#test/support/core-lab';

const write = (id: string, path: string) => ({
  calls: [{ id, name: 'write_file', input: { path, content: 'text\n' } }],
});

/** One more line in it. */
const MORE = {
  calls: [{ id: 'c3', name: 'edit_file', input: { path: 'a.txt', oldText: 'text', newText: 'text\nmore' } }],
};

test('the changes are read once, and anew when an event may have changed them', async () => {
  const lab = await coreLab();
  const { session } = lab;
  const changes = new ChangesToReview();
  session.onEvent((event) => changes.hear(event));
  const before = await changes.of(session);
  await lab.turn('one', write('c1', 'a.txt'), { text: 'ok' });
  const after = await changes.of(session);
  const again = await changes.of(session);
  session.review.keepAll();
  expect([before.paths, after.paths, again === after, (await changes.of(session)).paths]).toEqual([
    [],
    ['a.txt'],
    true,
    [],
  ]);
});

test('an undo and a redo are seen', async () => {
  const lab = await coreLab();
  const { session } = lab;
  const changes = new ChangesToReview();
  session.onEvent((event) => changes.hear(event));
  await lab.turn('one', write('c1', 'a.txt'), { text: 'ok' });
  await changes.of(session);
  await session.undo(1, 'files');
  const undone = (await changes.of(session)).files;
  await session.redo();
  expect([undone, (await changes.of(session)).files]).toEqual([0, 1]);
});

test('another session has its own', async () => {
  const lab = await coreLab();
  await lab.turn('one', write('c1', 'a.txt'), { text: 'ok' });
  const changes = new ChangesToReview();
  const other = lab.app.createSession();
  const files = [];
  for (const session of [lab.session, other, lab.session]) files.push((await changes.of(session)).files);
  expect(files).toEqual([1, 0, 1]);
});

test('lines are counted over the turns under review, and a file made there stays a new one', async () => {
  const lab = await coreLab();
  await lab.turn('one', write('c1', 'a.txt'), write('c2', 'b.txt'), { text: 'ok' });
  await lab.turn('two', MORE, { text: 'ok' });
  expect((await new ChangesToReview().of(lab.session)).list).toEqual([
    { path: 'a.txt', turn: 1, operation: 'create', added: 2, removed: 0 },
    { path: 'b.txt', turn: 1, operation: 'create', added: 1, removed: 0 },
  ]);
});

test('a file that is kept waits no more, until a later turn changes it', async () => {
  const lab = await coreLab();
  const { session } = lab;
  const changes = new ChangesToReview();
  session.onEvent((event) => changes.hear(event));
  await lab.turn('one', write('c1', 'a.txt'), write('c2', 'b.txt'), { text: 'ok' });
  const kept = session.review.keep(['a.txt', 'other.txt']);
  const after = (await changes.of(session)).paths;
  await lab.turn('two', MORE, { text: 'ok' });
  expect([kept, after, (await changes.of(session)).list]).toEqual([
    ['a.txt'],
    ['b.txt'],
    [
      { path: 'a.txt', turn: 2, operation: 'modify', added: 1, removed: 0 },
      { path: 'b.txt', turn: 1, operation: 'create', added: 1, removed: 0 },
    ],
  ]);
});
