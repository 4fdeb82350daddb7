import { chmodSync, mkdirSync, renameSync, rmdirSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { SessionId } from '#protocol/ids';
import type { Hands, RunOptions } from '#test/unit/checkpoints/hands';
import { edit, lab, type Step } from '#test/unit/checkpoints/lab';

const run =
  (work: () => unknown, more?: RunOptions): Step =>
  (hands: Hands) =>
    hands.run('make', work, more);

test('what a command created, changed and deleted is taken back, and done again', async () => {
  const { folder, turn, tree, undo, redo } = lab({ 'a.txt': 'a\n', 'd/b.txt': 'b\n', 'keep.txt': 'k\n' });
  const before = tree();
  const summary = await turn(
    run(() => {
      folder.write({ 'a.txt': 'a\nmore\n', 'new/c.txt': 'c\n' });
      rmSync(folder.at('d/b.txt'));
    }),
  );
  const after = tree();
  expect(
    summary?.files.map(({ path, operation, added, removed, command }) => [
      path,
      operation,
      added,
      removed,
      command,
    ]),
  ).toEqual([
    ['a.txt', 'modify', 1, 0, 'make'],
    ['d/b.txt', 'delete', 0, 1, 'make'],
    ['new/c.txt', 'create', 1, 0, 'make'],
  ]);
  expect(summary?.commandChanges).toEqual([]);
  const undone = await undo(1);
  expect([undone.outcome.status, tree()]).toEqual(['done', before]);
  const redone = await redo();
  expect([redone.outcome.status, tree()]).toEqual(['done', after]);
});

test('folders that it made go, folders that it removed come back, empty ones too', async () => {
  const { folder, turn, tree, undo, redo } = lab({ 'a/b/c.txt': 'c' });
  mkdirSync(folder.at('empty/inner'), { recursive: true });
  const before = tree();
  await turn(
    run(() => {
      for (const name of ['a', 'empty']) rmSync(folder.at(name), { recursive: true });
      mkdirSync(folder.at('made/deep'), { recursive: true });
    }),
  );
  const after = tree();
  expect((await undo(1)).outcome.status).toBe('done');
  expect(tree()).toEqual(before);
  expect((await redo()).outcome.status).toBe('done');
  expect(tree()).toEqual(after);
});

test('an edit and the formatter that ran over it are undone together', async () => {
  const { folder, turn, tree, undo } = lab({ 'a.ts': 'one' });
  await turn(
    edit('a.ts', 'two'),
    run(() => folder.write({ 'a.ts': 'two;\n' })),
    edit('a.ts', 'three;\n'),
  );
  const undone = await undo(1);
  expect([undone.outcome, tree()]).toEqual([
    { status: 'done', turns: [1], files: ['a.ts'], notes: [] },
    { 'a.ts': 'one' },
  ]);
});

test('a moved file is a move on the way back, permission bits alone are a change, a touch is none', async () => {
  const { folder, turn, tree, undo } = lab({ 'a.txt': 'a', 'run.sh': '#!', 'same.txt': 's' });
  const before = tree();
  const summary = await turn(
    run(() => {
      renameSync(folder.at('a.txt'), folder.at('b.txt'));
      chmodSync(folder.at('run.sh'), 0o755);
      utimesSync(folder.at('same.txt'), 1, 1);
    }),
  );
  expect(summary?.files.map(({ path, operation }) => `${operation} ${path}`)).toEqual([
    'delete a.txt',
    'modify run.sh',
    'create b.txt',
  ]);
  expect((await undo(1)).outcome.status).toBe('done');
  expect(tree()).toEqual(before);
});

test('a file that somebody edits afterwards is a conflict, and all stays', async () => {
  const { folder, turn, tree, undo } = lab({ 'a.txt': 'a', 'b.txt': 'b' });
  await turn(run(() => folder.write({ 'a.txt': 'A', 'b.txt': 'B' })));
  folder.write({ 'a.txt': 'by hand' });
  const { outcome } = await undo(1);
  expect([outcome, tree()]).toEqual([
    {
      status: 'conflict',
      turns: [1],
      conflicts: [{ path: 'a.txt', why: "edited by hand after Belay's change" }],
    },
    { 'a.txt': 'by hand', 'b.txt': 'B' },
  ]);
});

test('a later command that changes the file is named where it stands against an undo', async () => {
  const { folder, turn, undo } = lab({ 'a.txt': 'a' });
  await turn(edit('a.txt', 'b'));
  await turn(run(() => folder.write({ 'a.txt': 'c' })));
  const { outcome } = await undo(1, { only: true });
  expect(outcome).toMatchObject({
    conflicts: [{ path: 'a.txt', why: 'changed by the command `make`' }],
  });
});

test('odd names come back as they were', async () => {
  const names = ['-rf', 'with\nnewline', 'a b', 'e\u0301', '\u00e9', "it's", '$(x)'];
  const { folder, turn, tree, undo } = lab(Object.fromEntries(names.map((name) => [name, name])));
  const before = tree();
  await turn(
    run(() => {
      for (const name of names) rmSync(join(folder.path, name));
    }),
  );
  expect(Object.keys(tree())).toEqual([]);
  expect((await undo(1)).outcome.status).toBe('done');
  expect(tree()).toEqual(before);
});

test('links and special files are listed with the reason and left as they are', async () => {
  const { folder, turn, undo } = lab({ 'a.txt': 'a' });
  const summary = await turn(run(() => symlinkSync('a.txt', folder.at('link'))));
  expect(summary?.commandChanges).toEqual([
    { path: 'link', operation: 'create', command: 'make', why: 'special' },
  ]);
  expect((await undo(1)).outcome).toEqual({
    status: 'nothing',
    why: 'What changed in turn 1 can’t be undone: the turn says why for each file.',
  });
});

test('a 6 MB file is listed as too large, with the rest of the turn undone', async () => {
  const { folder, turn, undo } = lab({ 'a.txt': 'a', 'big.bin': new Uint8Array(6 * 1024 * 1024) });
  const summary = await turn(run(() => folder.write({ 'a.txt': 'b', 'big.bin': 'gone' })));
  expect(summary?.commandChanges).toEqual([
    { path: 'big.bin', operation: 'modify', command: 'make', why: 'too-large' },
  ]);
  expect((await undo(1)).outcome).toEqual({
    status: 'done',
    turns: [1],
    files: ['a.txt'],
    notes: ['Changed while a command ran, and left as it is: big.bin'],
  });
});

test('what was changed while another command ran is listed and not undone', async () => {
  const { folder, turn, undo, tree } = lab({ 'a.txt': 'a' });
  const summary = await turn(run(() => folder.write({ 'a.txt': 'b' }), { beside: ['npm start'] }));
  expect([summary?.files, summary?.commandChanges]).toEqual([
    [],
    [{ path: 'a.txt', operation: 'modify', command: 'make', why: 'meanwhile' }],
  ]);
  expect((await undo(1)).outcome.status).toBe('nothing');
  expect(tree()).toEqual({ 'a.txt': 'b' });
});

test('what another session wrote while a command ran is that session’s, and stays', async () => {
  const { folder, turn, turnIn, undo, tree } = lab({ 'a.txt': 'a', 'b.txt': 'b' });
  await turn(
    run(async () => {
      folder.write({ 'a.txt': 'by the command' });
      await turnIn('session-2' as SessionId, edit('b.txt', 'by the other session'));
    }),
  );
  const { outcome } = await undo(1);
  expect([outcome, tree()]).toEqual([
    {
      status: 'done',
      turns: [1],
      files: ['a.txt'],
      notes: ['Changed while a command ran, and left as it is: b.txt'],
    },
    { 'a.txt': 'a', 'b.txt': 'by the other session' },
  ]);
});

test('two sessions’ commands at once are each other’s meanwhile', async () => {
  const { folder, turn, turnIn } = lab({ 'a.txt': 'a', 'b.txt': 'b' });
  let second: Awaited<ReturnType<typeof turnIn>>;
  const first = await turn(
    run(async () => {
      folder.write({ 'a.txt': '1' });
      second = await turnIn(
        'session-2' as SessionId,
        run(() => folder.write({ 'b.txt': '2' })),
      );
    }),
  );
  const reasons = [first, second].map((summary) =>
    summary?.commandChanges.map(({ path, why }) => [path, why]),
  );
  expect(reasons).toEqual([
    [
      ['a.txt', 'meanwhile'],
      ['b.txt', 'meanwhile'],
    ],
    [['b.txt', 'meanwhile']],
  ]);
});

test('a folder that a command only emptied is not removed by the undo', async () => {
  const { folder, turn, undo, tree } = lab({ 'd/a.txt': 'a' });
  await turn(
    run(() => {
      rmSync(folder.at('d/a.txt'));
      rmdirSync(folder.at('d'));
      mkdirSync(folder.at('d'));
    }),
  );
  expect((await undo(1)).outcome.status).toBe('done');
  expect(tree()).toEqual({ 'd/a.txt': 'a' });
});
