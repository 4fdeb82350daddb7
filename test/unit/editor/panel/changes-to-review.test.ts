import { expect, test } from 'vitest';
import { ChangesToReview, listOf } from '#editor/panel/changes-to-review';
import type { FileChange } from '#protocol/checkpoint';
import { coreLab } from '#test/support/core-lab';

const write = (id: string, path: string) => ({
  calls: [{ id, name: 'write_file', input: { path, content: 'text\n' } }],
});

test('the changes are read once, and anew when an event may have changed them', async () => {
  const lab = await coreLab();
  const { session } = lab;
  const changes = new ChangesToReview();
  session.onEvent((event) => changes.hear(event));
  const before = changes.of(session);
  await lab.turn('one', write('c1', 'a.txt'), { text: 'ok' });
  const after = changes.of(session);
  const again = changes.of(session);
  session.keepAll();
  expect([before.paths, after.paths, again === after, changes.of(session).paths]).toEqual([
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
  changes.of(session);
  await session.undo(1, 'files');
  const undone = changes.of(session).files;
  await session.redo();
  expect([undone, changes.of(session).files]).toEqual([0, 1]);
});

test('another session has its own', async () => {
  const lab = await coreLab();
  await lab.turn('one', write('c1', 'a.txt'), { text: 'ok' });
  const changes = new ChangesToReview();
  const other = lab.app.createSession();
  expect([changes.of(lab.session).files, changes.of(other).files, changes.of(lab.session).files]).toEqual([
    1, 0, 1,
  ]);
});

test('lines are summed over the turns under review, and a file made there stays a new one', () => {
  const change = (path: string, operation: FileChange['operation'], added: number): FileChange => ({
    ...{ path, operation, added, removed: 0 },
    before: { kind: 'absent' },
    after: { kind: 'absent' },
  });
  const listed = listOf([
    { turn: 2, files: [change('b.ts', 'modify', 1), change('a.ts', 'create', 5)] },
    { turn: 3, files: [change('a.ts', 'modify', 2)] },
  ]);
  expect(listed).toEqual([
    { path: 'a.ts', turn: 2, operation: 'create', added: 7, removed: 0 },
    { path: 'b.ts', turn: 2, operation: 'modify', added: 1, removed: 0 },
  ]);
});
