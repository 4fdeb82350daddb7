import { describe, expect, test } from 'vitest';
import { SESSION } from './hands';
import { create, edit, lab, remove, rename } from './lab';

const LINES = '1\n2\n3\n4\n5\n';

/** Two files that Belay changed and somebody changed after it, and one that nobody touched since. */
async function handEdited() {
  const made = lab({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' });
  await made.turn(edit('a.txt', 'A\n'), edit('b.txt', 'B\n'), edit('c.txt', 'C\n'));
  made.folder.write({ 'a.txt': 'A by hand\n', 'b.txt': 'B by hand\n' });
  return made;
}

describe('a choice for each file', () => {
  test('skips one and overwrites the other; redo brings the overwritten hand edit back', async () => {
    const { undo, redo, tree } = await handEdited();
    const { outcome } = await undo(1, { choices: { 'a.txt': 'skip', 'b.txt': 'overwrite' } });
    expect(outcome).toEqual({
      status: 'done',
      turns: [1],
      files: ['b.txt', 'c.txt'],
      notes: ['Left as it is: a.txt'],
    });
    expect(tree()).toEqual({ 'a.txt': 'A by hand\n', 'b.txt': 'b\n', 'c.txt': 'c\n' });
    expect((await redo()).outcome.status).toBe('done');
    expect(tree()).toEqual({ 'a.txt': 'A by hand\n', 'b.txt': 'B by hand\n', 'c.txt': 'C\n' });
  });

  test('a file without a choice stops the whole', async () => {
    const { undo, tree } = await handEdited();
    const { outcome } = await undo(1, { choices: { 'a.txt': 'overwrite' } });
    expect(outcome).toEqual({
      status: 'conflict',
      turns: [1],
      conflicts: [{ path: 'b.txt', why: "edited by hand after Belay's change" }],
    });
    expect(tree()).toEqual({ 'a.txt': 'A by hand\n', 'b.txt': 'B by hand\n', 'c.txt': 'C\n' });
  });

  test('a conflict that came after the choices were made stops the whole again', async () => {
    const { undo, folder, tree } = await handEdited();
    folder.write({ 'c.txt': 'C by hand\n' });
    const { outcome } = await undo(1, { choices: { 'a.txt': 'skip', 'b.txt': 'overwrite' } });
    expect(outcome).toMatchObject({ status: 'conflict', conflicts: [{ path: 'c.txt' }] });
    expect(tree()['b.txt']).toBe('B by hand\n');
  });

  test('a file named like a property of every object has no choice until it is given one', async () => {
    const { undo, turn, folder } = lab({ constructor: 'a\n' });
    await turn(edit('constructor', 'A\n'));
    folder.write({ constructor: 'by hand\n' });
    expect((await undo(1, { choices: {} })).outcome.status).toBe('conflict');
  });

  test('both names of a renamed file go together, whichever is chosen', async () => {
    for (const name of ['a.txt', 'b.txt']) {
      const { undo, turn, folder, tree } = lab({ 'a.txt': 'a\n' });
      await turn(rename('a.txt', 'b.txt'));
      folder.write({ 'b.txt': 'by hand\n' });
      const stopped = await undo(1);
      expect(stopped.outcome).toMatchObject({ conflicts: [{ path: 'b.txt', tied: ['a.txt'] }] });
      expect((await undo(1, { choices: { [name]: 'skip' } })).outcome.status).toBe('nothing');
      expect((await undo(1, { choices: { [name]: 'overwrite' } })).outcome.status).toBe('done');
      expect(tree()).toEqual({ 'a.txt': 'a\n' });
    }
  });

  test('CK-14: unsaved changes, in a text or in a notebook, can only be skipped and are never overwritten', async () => {
    const documents = {
      dirtyText: (path: string) => (path.endsWith('.txt') ? 'unsaved' : undefined),
      dirtyNotebook: (path: string) => path.endsWith('.ipynb'),
      dirtyPaths: () => [],
    };
    const { undo, turn, tree } = lab({ 'a.txt': 'a\n', 'b.ipynb': '{}\n' }, { documents });
    await turn(edit('a.txt', 'A\n'), edit('b.ipynb', '{"cells": []}\n'));
    const why = 'unsaved changes in the editor: save or revert them first';
    const conflicts = [
      { path: 'a.txt', why, fixed: true },
      { path: 'b.ipynb', why, fixed: true },
    ];
    const choices = { 'a.txt': 'overwrite', 'b.ipynb': 'merge' } as const;
    expect((await undo(1)).outcome).toEqual({ status: 'conflict', turns: [1], conflicts });
    expect((await undo(1, { choices })).outcome).toEqual({ status: 'conflict', turns: [1], conflicts });
    expect(tree()).toEqual({ 'a.txt': 'A\n', 'b.ipynb': '{"cells": []}\n' });
  });
});

describe('undo that keeps a hand edit', () => {
  test('takes back Belay’s lines, leaves the others, and redo brings back exactly what was there', async () => {
    const { undo, redo, turn, folder, tree } = lab({ 'a.txt': LINES, 'b.txt': 'b\n' });
    await turn(edit('a.txt', '1\nTWO\n3\n4\n5\n'), edit('b.txt', 'B\n'));
    folder.write({ 'a.txt': '1\nTWO\n3\n4\nfive by hand\n' });
    expect((await undo(1)).outcome).toMatchObject({
      status: 'conflict',
      conflicts: [{ path: 'a.txt', mergeable: true }],
    });
    expect((await undo(1, { choices: { 'a.txt': 'merge' } })).outcome).toEqual({
      status: 'done',
      turns: [1],
      files: ['a.txt', 'b.txt'],
      notes: [],
    });
    expect(tree()).toEqual({ 'a.txt': '1\n2\n3\n4\nfive by hand\n', 'b.txt': 'b\n' });
    await redo();
    expect(tree()).toEqual({ 'a.txt': '1\nTWO\n3\n4\nfive by hand\n', 'b.txt': 'B\n' });
  });

  test('of a file from which Belay’s change was taken by hand already, nothing is said to be put back', async () => {
    const { turn, undo, redo, folder, tree, checkpoints } = lab({ 'a.txt': LINES });
    await turn(edit('a.txt', 'one\n2\n3\n4\n5\n'));
    folder.write({ 'a.txt': '1\n2\n3\n4\nfive\n' });
    expect((await undo(1, { choices: { 'a.txt': 'merge' } })).outcome).toEqual({
      ...{ status: 'done', turns: [1], files: [], notes: [] },
    });
    expect([tree(), checkpoints.list(SESSION)[0]?.state]).toEqual([
      { 'a.txt': '1\n2\n3\n4\nfive\n' },
      'undone',
    ]);
    expect([(await redo()).outcome.status, tree()]).toEqual(['done', { 'a.txt': '1\n2\n3\n4\nfive\n' }]);
  });

  test('is not to be had where the hand edit met Belay’s: it stops with no marker in any file', async () => {
    const { undo, turn, folder, tree } = lab({ 'a.txt': LINES });
    await turn(edit('a.txt', '1\nTWO\n3\n4\n5\n'));
    folder.write({ 'a.txt': '1\nTWO by hand\n3\n4\n5\n' });
    const { outcome } = await undo(1, { choices: { 'a.txt': 'merge' } });
    expect(outcome).toMatchObject({ status: 'conflict', conflicts: [{ path: 'a.txt' }] });
    expect(tree()).toEqual({ 'a.txt': '1\nTWO by hand\n3\n4\n5\n' });
  });

  test('keeps the permission bits that a person gave', async () => {
    const { undo, turn, folder, tree } = lab({ 'a.sh': LINES });
    await turn(edit('a.sh', '1\nTWO\n3\n4\n5\n'));
    folder.write({ 'a.sh': '1\nTWO\n3\n4\nfive\n' });
    folder.chmod('a.sh', 0o755);
    await undo(1, { choices: { 'a.sh': 'merge' } });
    expect(tree()).toEqual({ 'a.sh': '755 1\n2\n3\n4\nfive\n' });
  });
});

describe('CK-14: a notebook of which Belay edited a cell and to which a person then added one', () => {
  const notebook = (...cells: readonly string[]) =>
    `${JSON.stringify({ cells: cells.map((source) => ({ cell_type: 'code', source: [source] })), nbformat: 4 }, null, 1)}\n`;

  test('undo is refused, and keeps the new cell where it is asked to', async () => {
    const { undo, redo, turn, folder, tree } = lab({ 'a.ipynb': notebook('one', 'two') });
    await turn(edit('a.ipynb', notebook('ONE', 'two')));
    folder.write({ 'a.ipynb': notebook('ONE', 'two', 'mine') });
    expect((await undo(1)).outcome).toMatchObject({
      status: 'conflict',
      conflicts: [{ path: 'a.ipynb', mergeable: true }],
    });
    expect(tree()).toEqual({ 'a.ipynb': notebook('ONE', 'two', 'mine') });
    await undo(1, { choices: { 'a.ipynb': 'merge' } });
    expect(tree()).toEqual({ 'a.ipynb': notebook('one', 'two', 'mine') });
    await redo();
    expect(tree()).toEqual({ 'a.ipynb': notebook('ONE', 'two', 'mine') });
  });

  test('lines that fit together into no notebook are not offered', async () => {
    const { undo, turn, folder, tree } = lab({ 'a.ipynb': '[\n\n1,\n2\n\n]\n' });
    await turn(edit('a.ipynb', '[\n\n1\n\n]\n'));
    folder.write({ 'a.ipynb': '[\n\n1\n\n]\n\n' });
    const { outcome } = await undo(1);
    expect(outcome.status === 'conflict' && outcome.conflicts[0]?.mergeable).toBe(true);
    folder.write({ 'a.ipynb': '\n1\n\n]\n' });
    expect((await undo(1)).outcome).toEqual({
      status: 'conflict',
      turns: [1],
      conflicts: [{ path: 'a.ipynb', why: "edited by hand after Belay's change" }],
    });
    expect(tree()).toEqual({ 'a.ipynb': '\n1\n\n]\n' });
  });
});

test('a file that already holds what undo would bring back is no conflict', async () => {
  const { undo, turn, folder, tree } = lab({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
  await turn(edit('a.txt', 'A\n'), edit('b.txt', 'B\n'));
  folder.write({ 'a.txt': 'a\n' });
  expect((await undo(1)).outcome).toEqual({ status: 'done', turns: [1], files: ['b.txt'], notes: [] });
  expect(tree()).toEqual({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
});

describe('some turns, some files', () => {
  test('turns in the middle go back alone where no later one touched their files', async () => {
    const { undo, redo, turn, tree } = lab({ 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' });
    await turn(edit('a.txt', 'A1'));
    await turn(edit('b.txt', 'B2'));
    await turn(edit('b.txt', 'B3'), create('n.txt', 'N'));
    await turn(edit('c.txt', 'C4'));
    const { outcome } = await undo(2, { last: 3 });
    expect(outcome).toEqual({ status: 'done', turns: [2, 3], files: ['b.txt', 'n.txt'], notes: [] });
    expect(tree()).toEqual({ 'a.txt': 'A1', 'b.txt': 'b', 'c.txt': 'C4' });
    await redo();
    expect(tree()).toEqual({ 'a.txt': 'A1', 'b.txt': 'B3', 'c.txt': 'C4', 'n.txt': 'N' });
  });

  test('later turns that touched their files are named, all of them', async () => {
    const { undo, turn, tree } = lab({ 'a.txt': 'a' });
    for (const text of ['1', '2', '3', '4']) await turn(edit('a.txt', text));
    expect((await undo(1, { last: 2 })).outcome).toMatchObject({
      status: 'conflict',
      conflicts: [{ path: 'a.txt', why: 'changed again by Belay in turns 3, 4' }],
    });
    expect(tree()).toEqual({ 'a.txt': '4' });
  });

  test('an end before the beginning, or one that never was, is nothing', async () => {
    const { undo, turn } = lab({ 'a.txt': 'a' });
    await turn(edit('a.txt', 'b'));
    await turn(edit('a.txt', 'c'));
    expect((await undo(2, { last: 1 })).outcome).toEqual({
      status: 'nothing',
      why: 'This session has no turns 2 to 1.',
    });
    expect((await undo(1, { last: 9 })).outcome).toEqual({
      status: 'nothing',
      why: 'This session has no turns 1 to 9.',
    });
    expect((await undo(1, { last: 2, scope: 'all' })).outcome.status).toBe('nothing');
  });

  test('one file of a turn goes back, the turn stands with the rest, which can follow', async () => {
    const { undo, turn, tree, checkpoints } = lab({ 'a.txt': 'a', 'b.txt': 'b' });
    await turn(edit('a.txt', 'A'), edit('b.txt', 'B'), create('d/n.txt', 'N'));
    const { outcome } = await undo(1, { last: 1, paths: ['a.txt'] });
    expect(outcome).toEqual({ status: 'done', turns: [1], files: ['a.txt'], notes: [] });
    expect(tree()).toEqual({ 'a.txt': 'a', 'b.txt': 'B', 'd/n.txt': 'N' });
    const [summary] = checkpoints.list('session-1' as never);
    expect(summary?.state).toBe('sealed');
    expect(summary?.files.map(({ path, undone }) => [path, undone ?? false])).toEqual([
      ['a.txt', true],
      ['b.txt', false],
      ['d/n.txt', false],
    ]);
    await undo(1);
    expect(tree()).toEqual({ 'a.txt': 'a', 'b.txt': 'b' });
  });

  test('a file takes with it the names that a rename ties to it, and its own folder', async () => {
    const { undo, turn, tree } = lab({ 'a.txt': 'a', 'b.txt': 'b' });
    await turn(rename('a.txt', 'd/a.txt'), remove('b.txt'));
    await undo(1, { last: 1, paths: ['d/a.txt'] });
    expect(tree()).toEqual({ 'a.txt': 'a' });
  });

  test('a path that the turn never touched is nothing to undo', async () => {
    const { undo, turn } = lab({ 'a.txt': 'a' });
    await turn(edit('a.txt', 'A'));
    expect((await undo(1, { paths: ['other.txt'] })).outcome.status).toBe('nothing');
  });

  test('a preview lists what becomes of each file', async () => {
    const { turn, checkpoints } = lab({ 'a.txt': 'a', 'b.txt': 'b' });
    await turn(edit('a.txt', 'A'), remove('b.txt'), create('c.txt', 'C'));
    const preview = await checkpoints.preview({ sessionId: 'session-1' as never, turn: 1, scope: 'files' });
    expect(preview.steps).toEqual([
      { path: 'a.txt', becomes: 'changed' },
      { path: 'b.txt', becomes: 'made' },
      { path: 'c.txt', becomes: 'deleted' },
    ]);
  });
});
