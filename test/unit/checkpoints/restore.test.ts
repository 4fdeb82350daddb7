import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fail } from '#base/result';
import { HeldContents } from '#checkpoints/held';
import { diskFiles } from '#disk/files';
import type { Files } from '#host';
import type { SessionId, Sha256 } from '#protocol/ids';
import { SESSION } from './hands';
import { create, edit, lab, remove, rename } from './lab';

const OTHER = 'session-2' as SessionId;
test('undoes a turn of every kind of change, and redoes it', async () => {
  const { turn, undo, redo, tree, folder } = lab({
    'a.txt': 'a',
    'run.sh': '#!/bin/sh\n',
    'gone.txt': 'g',
    'old.txt': 'o',
  });
  folder.chmod('run.sh', 0o755);
  const before = tree();
  await turn(
    edit('a.txt', 'A'),
    edit('run.sh', '#!/bin/bash\n'),
    remove('gone.txt'),
    rename('old.txt', 'n/new.txt'),
    create('x/y/z.txt', 'z'),
  );
  const after = tree();
  const undone = await undo(1);
  expect(undone.outcome).toMatchObject({ status: 'done', turns: [1], notes: [] });
  expect(tree()).toEqual(before);
  expect((await redo()).outcome).toMatchObject({ status: 'done', turns: [1] });
  expect(tree()).toEqual(after);
});

test('undo after redo after undo goes back and forth without end', async () => {
  const { turn, undo, redo, tree } = lab({ 'a.txt': 'a' });
  await turn(edit('a.txt', 'b'), create('d/c.txt', 'c'));
  for (let n = 0; n < 3; n++) {
    await undo(1);
    expect(tree()).toEqual({ 'a.txt': 'a' });
    await redo();
    expect(tree()).toEqual({ 'a.txt': 'b', 'd/c.txt': 'c' });
  }
  expect((await redo()).outcome.status).toBe('nothing');
});

test('takes back turns k to last together, over one preflight', async () => {
  const { turn, undo, redo, tree, checkpoints } = lab({ 'a.txt': '0' });
  await turn(edit('a.txt', '1'));
  await turn(edit('a.txt', '2'), create('b.txt', 'b'));
  await turn();
  await turn(rename('b.txt', 'c.txt'), edit('c.txt', 'C'));
  expect(await checkpoints.preview({ sessionId: SESSION, turn: 2, scope: 'files' })).toEqual({
    turns: [2, 4],
    files: ['a.txt', 'c.txt'],
    steps: [
      { path: 'a.txt', becomes: 'changed' },
      { path: 'c.txt', becomes: 'deleted' },
    ],
    conflicts: [],
    notUndoable: [],
    cutOff: [],
  });
  expect((await undo(2)).outcome).toMatchObject({ status: 'done', turns: [2, 4], files: ['a.txt', 'c.txt'] });
  expect(tree()).toEqual({ 'a.txt': '1' });
  await undo(1);
  expect(tree()).toEqual({ 'a.txt': '0' });
  await redo();
  await redo();
  expect(tree()).toEqual({ 'a.txt': '2', 'c.txt': 'C' });
});

test('a hand edit of one of three files stops all of it and is named', async () => {
  const { turn, undo, tree, folder } = lab({ 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' });
  await turn(edit('a.txt', 'A'), edit('b.txt', 'B'), edit('c.txt', 'C'));
  writeFileSync(folder.at('b.txt'), 'by hand');
  const before = tree();
  expect((await undo(1)).outcome).toEqual({
    status: 'conflict',
    turns: [1],
    conflicts: [{ path: 'b.txt', why: "edited by hand after Belay's change" }],
  });
  expect(tree()).toEqual(before);
});

test('skips conflicts when told to; the rest can be undone later', async () => {
  const { turn, undo, tree, folder, checkpoints } = lab({ 'a.txt': 'a', 'b.txt': 'b' });
  await turn(edit('a.txt', 'A'), edit('b.txt', 'B'));
  writeFileSync(folder.at('b.txt'), 'by hand');
  const skipped = await undo(1, { onConflict: 'skip' });
  expect(skipped.outcome).toEqual({
    status: 'done',
    turns: [1],
    files: ['a.txt'],
    notes: ['Left as it is: b.txt'],
  });
  expect(tree()).toEqual({ 'a.txt': 'a', 'b.txt': 'by hand' });
  expect(checkpoints.list(SESSION)[0]).toMatchObject({
    state: 'sealed',
    files: [{ path: 'a.txt', undone: true }, { path: 'b.txt' }],
  });
  writeFileSync(folder.at('b.txt'), 'B');
  await undo(1);
  expect(tree()).toEqual({ 'a.txt': 'a', 'b.txt': 'b' });
  expect(checkpoints.list(SESSION)[0]?.state).toBe('undone');
});

test('overwrites a hand edit when told to, and redo brings the hand edit back', async () => {
  const { turn, undo, redo, tree, folder } = lab({ 'a.txt': 'a' });
  await turn(edit('a.txt', 'A'));
  writeFileSync(folder.at('a.txt'), 'by hand');
  await undo(1, { onConflict: 'overwrite' });
  expect(tree()).toEqual({ 'a.txt': 'a' });
  await redo();
  expect(tree()).toEqual({ 'a.txt': 'by hand' });
});

test('a hand edit between the tool’s write and the turn’s end is never taken for Belay’s', async () => {
  const { turn, undo, tree, folder } = lab({ 'a.txt': 'a' });
  await turn(edit('a.txt', 'b'), () => writeFileSync(folder.at('a.txt'), 'by hand'));
  expect((await undo(1)).outcome.status).toBe('conflict');
  expect(tree()).toEqual({ 'a.txt': 'by hand' });
});

test('a hand edit between two of Belay’s edits would be lost by going back, so it is a conflict', async () => {
  const { turn, undo, tree, folder } = lab({ 'a.txt': 'a' });
  await turn(edit('a.txt', 'b'));
  writeFileSync(folder.at('a.txt'), 'b by hand');
  await turn(edit('a.txt', 'b by hand, then Belay'));
  expect((await undo(1)).outcome).toMatchObject({
    conflicts: [{ path: 'a.txt', why: "edited by hand between Belay's changes" }],
  });
  expect((await undo(2)).outcome.status).toBe('done');
  expect(tree()).toEqual({ 'a.txt': 'b by hand' });
});

test('names the command that changed a file after Belay’s edit in the same turn', async () => {
  const { turn, undo, folder } = lab({ 'a.txt': 'a' });
  await turn(
    edit('a.txt', 'b'),
    () => writeFileSync(folder.at('a.txt'), 'formatted'),
    (hands) => hands.command('npm run format', { 'a.txt': 'modify' }),
  );
  expect((await undo(1)).outcome).toMatchObject({
    conflicts: [{ path: 'a.txt', why: 'changed by the command `npm run format`' }],
  });
  writeFileSync(folder.at('a.txt'), 'and by hand');
  expect((await undo(1)).outcome).toMatchObject({
    conflicts: [{ path: 'a.txt', why: 'changed by the command `npm run format`, and again since then' }],
  });
});

test('names the command that came between two of Belay’s edits', async () => {
  const { turn, undo, folder } = lab({ 'a.txt': 'a' });
  await turn(
    edit('a.txt', 'b'),
    () => writeFileSync(folder.at('a.txt'), 'formatted'),
    (hands) => hands.command('npm run format', { 'a.txt': 'modify' }),
    edit('a.txt', 'formatted and more'),
  );
  expect((await undo(1)).outcome).toMatchObject({
    conflicts: [{ path: 'a.txt', why: 'changed by the command `npm run format`' }],
  });
});

test('names a command that deleted the file, also in a later turn', async () => {
  const { turn, undo, folder } = lab({ 'a.txt': 'a' });
  await turn(edit('a.txt', 'b'));
  await turn(
    () => unlinkSync(folder.at('a.txt')),
    (hands) => hands.command('git clean -fd', { 'a.txt': 'delete' }),
  );
  expect((await undo(1)).outcome).toMatchObject({
    conflicts: [{ path: 'a.txt', why: 'deleted by the command `git clean -fd`' }],
  });
});

test('an edit after the command’s change is undone to what the command left', async () => {
  const { turn, undo, folder, tree } = lab({});
  await turn(
    () => writeFileSync(folder.at('gen.ts'), 'generated'),
    (hands) => hands.command('make', { 'gen.ts': 'create' }),
    edit('gen.ts', 'edited'),
  );
  expect((await undo(1)).outcome.status).toBe('done');
  expect(tree()).toEqual({ 'gen.ts': 'generated' });
});

test('says what commands changed and isn’t undone', async () => {
  const { turn, undo, checkpoints } = lab({ 'a.txt': 'a' });
  await turn(edit('a.txt', 'b'), (hands) => hands.command('make', { 'out.js': 'create' }));
  await turn((hands) => hands.command('make', { 'out.js': 'modify' }));
  const preview = await checkpoints.preview({ sessionId: SESSION, turn: 1, scope: 'files' });
  expect(preview.notUndoable).toEqual(['out.js']);
  expect((await undo(2)).outcome).toEqual({
    status: 'nothing',
    why: 'What changed in turn 2 can’t be undone: the turn says why for each file.',
  });
  expect((await undo(1)).outcome).toMatchObject({
    status: 'done',
    notes: ['Changed while a command ran, and left as it is: out.js'],
  });
});

test('CK-06 an undo in one session doesn’t touch another session’s changes', async () => {
  const { turn, turnIn, checkpoints, tree } = lab({ 'a.txt': 'a', 'b.txt': 'b' });
  await turn(edit('a.txt', 'A'));
  await turnIn(OTHER, edit('b.txt', 'B'));
  await checkpoints.undo({ sessionId: OTHER, turn: 1, scope: 'all' });
  expect(tree()).toEqual({ 'a.txt': 'A', 'b.txt': 'b' });
});

test('names the other session that changed the file', async () => {
  const { turn, turnIn, undo } = lab({ 'a.txt': 'a' });
  await turn(edit('a.txt', 'b'));
  await turnIn(OTHER, edit('a.txt', 'c'));
  expect((await undo(1)).outcome).toMatchObject({
    conflicts: [{ path: 'a.txt', why: 'changed by another session, “title of session-2”, in its turn 1' }],
  });
});

test('undoes one turn alone where no later turn touched its files', async () => {
  const { turn, undo, tree } = lab({ 'a.txt': 'a', 'b.txt': 'b' });
  await turn(edit('a.txt', 'A'));
  await turn(edit('b.txt', 'B'));
  expect((await undo(1, { only: true })).outcome).toMatchObject({ status: 'done', turns: [1] });
  expect(tree()).toEqual({ 'a.txt': 'a', 'b.txt': 'B' });
});

test('refuses to undo one turn alone where a later turn touched its file', async () => {
  const { turn, undo, tree } = lab({ 'a.txt': 'a' });
  await turn(edit('a.txt', 'b'));
  await turn(edit('a.txt', 'c'));
  expect((await undo(1, { only: true })).outcome).toMatchObject({
    conflicts: [{ path: 'a.txt', why: 'changed again by Belay in turn 2' }],
  });
  expect(tree()).toEqual({ 'a.txt': 'c' });
});

test('refuses to undo one turn alone also where the later turn left the same content', async () => {
  const { turn, undo, folder, tree } = lab({ 'a.txt': 'a' });
  await turn(rename('a.txt', 'b.txt'));
  await turn(() => writeFileSync(folder.at('a.txt'), 'by hand'), remove('a.txt'));
  expect((await undo(1, { only: true })).outcome).toMatchObject({
    conflicts: [{ path: 'a.txt', why: 'changed again by Belay in turn 2' }],
  });
  expect(tree()).toEqual({ 'b.txt': 'a' });
});

test('refuses while a turn runs in the session', async () => {
  const { turn, undo, tree } = lab({ 'a.txt': 'a' });
  await turn(edit('a.txt', 'b'));
  await turn(async () => {
    expect((await undo(1)).outcome).toEqual({
      status: 'nothing',
      why: 'A turn is running in this session. Stop it first.',
    });
  });
  expect(tree()).toEqual({ 'a.txt': 'b' });
});

test('a dirty editor is a conflict that overwriting doesn’t lift', async () => {
  const { turn, undo, tree, host, folder } = lab({ 'a.txt': 'a' });
  await turn(edit('a.txt', 'b'));
  host.dirty.set(folder.at('a.txt'), 'typed');
  const conflict = {
    status: 'conflict',
    conflicts: [{ path: 'a.txt', why: 'unsaved changes in the editor: save or revert them first' }],
  };
  expect((await undo(1)).outcome).toMatchObject(conflict);
  expect((await undo(1, { onConflict: 'overwrite' })).outcome).toMatchObject(conflict);
  expect(tree()).toEqual({ 'a.txt': 'b' });
});

test('a dirty editor stops a redo as well', async () => {
  const { turn, undo, redo, tree, host, folder } = lab({ 'a.txt': 'a' });
  await turn(edit('a.txt', 'b'));
  await undo(1);
  host.dirty.set(folder.at('a.txt'), 'typed');
  expect((await redo()).outcome.status).toBe('conflict');
  expect(tree()).toEqual({ 'a.txt': 'a' });
});

test('a file replaced by a link is a conflict, and never followed: at a word the link itself is replaced', async () => {
  const { turn, undo, redo, folder, storage, tree } = lab({ 'a.txt': 'a' });
  storage.write({ outside: 'theirs' });
  await turn(edit('a.txt', 'b'));
  unlinkSync(folder.at('a.txt'));
  symlinkSync(storage.at('outside'), folder.at('a.txt'));
  const linked = tree();
  expect((await undo(1)).outcome).toMatchObject({
    status: 'conflict',
    conflicts: [{ path: 'a.txt', why: "replaced by hand after Belay's change" }],
  });
  expect([(await undo(1, { onConflict: 'overwrite' })).outcome.status, tree()]).toEqual([
    'done',
    { 'a.txt': 'a' },
  ]);
  expect([(await redo()).outcome.status, tree(), storage.text('outside')]).toEqual([
    'done',
    linked,
    'theirs',
  ]);
});

test.each([
  ['a folder', (path: string) => mkdirSync(path), 'a folder stands there now'],
  [
    'a pipe',
    (path: string) => execFileSync('mkfifo', [path]),
    'something that is no regular file stands there now (fifo)',
  ],
])('a file replaced by %s is a conflict, and never overwritten', async (_kind, replace, why) => {
  const { turn, undo, folder } = lab({ 'a.txt': 'a' });
  await turn(edit('a.txt', 'b'));
  unlinkSync(folder.at('a.txt'));
  replace(folder.at('a.txt'));
  for (const onConflict of ['stop', 'overwrite'] as const) {
    expect((await undo(1, { onConflict })).outcome).toMatchObject({
      status: 'conflict',
      conflicts: [{ path: 'a.txt', why }],
    });
  }
});

test('a folder replaced by a link doesn’t lead the undo outside', async () => {
  const { turn, undo, folder, storage } = lab({ 'd/a.txt': 'a' });
  await turn(edit('d/a.txt', 'b'));
  storage.write({ 'out/a.txt': 'b' });
  renameSync(folder.at('d'), storage.at('moved'));
  symlinkSync(storage.at('out'), folder.at('d'));
  expect((await undo(1, { onConflict: 'overwrite' })).outcome).toMatchObject({
    conflicts: [{ path: 'd/a.txt', why: 'a folder above it is a link to another place now' }],
  });
  expect(storage.text('out/a.txt')).toBe('b');
});

test('a file that must come back is never written over one made meanwhile', async () => {
  const { turn, undo, tree, folder } = lab({ 'a.txt': 'a' });
  await turn(remove('a.txt'));
  writeFileSync(folder.at('a.txt'), 'by hand');
  expect((await undo(1)).outcome).toMatchObject({
    conflicts: [{ path: 'a.txt', why: "made by hand after Belay's change" }],
  });
  expect(tree()).toEqual({ 'a.txt': 'by hand' });
});

test('brings back a file whose folder is gone, and redo takes the folder again', async () => {
  const { turn, undo, redo, tree, folder } = lab({ 'd/e/a.txt': 'a' });
  await turn(remove('d/e/a.txt'));
  rmSync(folder.at('d'), { recursive: true });
  await undo(1);
  expect(tree()).toEqual({ 'd/e/a.txt': 'a' });
  await redo();
  expect(tree()).toEqual({});
});

test('a folder that holds something else stays, and the outcome says so', async () => {
  const { turn, undo, tree, folder } = lab({});
  await turn(create('d/a.txt', 'a'));
  writeFileSync(folder.at('d/mine.txt'), 'mine');
  expect((await undo(1)).outcome).toMatchObject({
    status: 'done',
    notes: ['The folder d was kept: it is not empty'],
  });
  expect(tree()).toEqual({ 'd/mine.txt': 'mine' });
});

test('removes the folder that a created and deleted file left', async () => {
  const { turn, undo, redo, tree } = lab({});
  await turn(create('d/a.txt', 'a'), remove('d/a.txt'));
  expect((await undo(1)).outcome.status).toBe('done');
  expect(tree()).toEqual({});
  await redo();
  expect(tree()).toEqual({ 'd/': '' });
});

test('puts a file back where the turn had made a folder of that name', async () => {
  const { turn, undo, redo, tree } = lab({ x: 'file' });
  await turn(remove('x'), create('x/y/z.txt', 'z'));
  expect((await undo(1)).outcome.status).toBe('done');
  expect(tree()).toEqual({ x: 'file' });
  expect((await redo()).outcome.status).toBe('done');
  expect(tree()).toEqual({ 'x/y/z.txt': 'z' });
});

test('undoes a file moved into a folder of its own old name', async () => {
  const { turn, undo, redo, tree } = lab({ x: 'file' });
  await turn(rename('x', 't'), rename('t', 'x/x'));
  await undo(1);
  expect(tree()).toEqual({ x: 'file' });
  await redo();
  expect(tree()).toEqual({ 'x/x': 'file' });
});

test('undoes two files that swapped their names', async () => {
  const { turn, undo, redo, tree } = lab({ a: 'A', b: 'B' });
  await turn(rename('a', 't'), rename('b', 'a'), rename('t', 'b'));
  await undo(1);
  expect(tree()).toEqual({ a: 'A', b: 'B' });
  await redo();
  expect(tree()).toEqual({ a: 'B', b: 'A' });
});

test('a renamed file stays the same file through undo', async () => {
  const { turn, undo, folder, host } = lab({ 'a.txt': 'a' });
  const identity = (await host.files.stat(folder.at('a.txt')))?.identity;
  await turn(rename('a.txt', 'A.txt'));
  await undo(1);
  expect((await host.files.stat(folder.at('a.txt')))?.identity).toBe(identity);
});

test('what one turn did and undid needs no look at what is there now', async () => {
  const { turn, undo, tree, folder } = lab({ 'a.txt': 'a', 'b.txt': 'b' });
  await turn(
    create('t.txt', 't'),
    remove('t.txt'),
    edit('b.txt', 'x'),
    edit('b.txt', 'b'),
    edit('a.txt', 'A'),
  );
  writeFileSync(folder.at('t.txt'), 'mine');
  writeFileSync(folder.at('b.txt'), 'mine');
  expect((await undo(1)).outcome).toMatchObject({ status: 'done', files: ['a.txt'] });
  expect(tree()).toEqual({ 'a.txt': 'a', 'b.txt': 'mine', 't.txt': 'mine' });
});

test('a file that is already as it was is no conflict', async () => {
  const { turn, undo, tree, folder } = lab({ 'a.txt': 'a', 'b.txt': 'b' });
  await turn(edit('a.txt', 'A'), edit('b.txt', 'B'));
  writeFileSync(folder.at('a.txt'), 'a');
  expect((await undo(1)).outcome).toMatchObject({ status: 'done', files: ['b.txt'] });
  expect(tree()).toEqual({ 'a.txt': 'a', 'b.txt': 'b' });
});

test('a chmod by hand stays', async () => {
  const { turn, undo, tree, folder } = lab({ 'a.sh': 'a' });
  await turn(edit('a.sh', 'b'));
  chmodSync(folder.at('a.sh'), 0o755);
  await undo(1);
  expect(tree()).toEqual({ 'a.sh': '755 a' });
});

test('redo ends when something new happens to the files', async () => {
  const { turn, undo, redo, tree, checkpoints } = lab({ 'a.txt': 'a', 'b.txt': 'b' });
  await turn(edit('a.txt', 'A'));
  await undo(1);
  await turn(edit('b.txt', 'B'));
  expect(checkpoints.canRedo(SESSION)).toBe(true);
  await turn(edit('a.txt', 'new'), edit('a.txt', 'a'));
  expect(checkpoints.canRedo(SESSION)).toBe(false);
  expect((await redo()).outcome).toMatchObject({
    conflicts: [{ path: 'a.txt', why: 'Belay changed it again in turn 3 since the undo' }],
  });
  expect(tree()).toEqual({ 'a.txt': 'a', 'b.txt': 'B' });
});

test('redo names the other session that changed the file since, also when the content is the same again', async () => {
  const { turn, turnIn, undo, redo, tree } = lab({ 'a.txt': 'a' });
  await turn(edit('a.txt', 'A'));
  await undo(1);
  await turnIn(OTHER, edit('a.txt', 'new'), edit('a.txt', 'a'));
  expect((await redo()).outcome).toMatchObject({
    conflicts: [{ path: 'a.txt', why: 'changed by another session, “title of session-2”, in its turn 1' }],
  });
  expect(tree()).toEqual({ 'a.txt': 'a' });
});

test('redo refuses over a hand edit', async () => {
  const { turn, undo, redo, tree, folder } = lab({ 'a.txt': 'a', 'b.txt': 'b' });
  await turn(edit('a.txt', 'A'), edit('b.txt', 'B'));
  await undo(1);
  writeFileSync(folder.at('b.txt'), 'by hand');
  expect((await redo()).outcome).toMatchObject({
    conflicts: [{ path: 'b.txt', why: "edited by hand after Belay's change" }],
  });
  expect(tree()).toEqual({ 'a.txt': 'a', 'b.txt': 'by hand' });
});

test('CK-11 a lost pre-image leaves the file as it is', async () => {
  const { turn, undo, tree, storage } = lab({ 'a.txt': 'a', 'b.txt': 'b' });
  await turn(edit('a.txt', 'A'), remove('b.txt'));
  rmSync(storage.at('blobs'), { recursive: true });
  const outcome = (await undo(1, { onConflict: 'overwrite' })).outcome;
  expect(outcome).toMatchObject({ status: 'conflict', conflicts: [{ path: 'a.txt' }, { path: 'b.txt' }] });
  expect(tree()).toEqual({ 'a.txt': 'A' });
});

test('CK-17 binary, mode, empty file and ignored file come back exactly', async () => {
  const { turn, undo, tree, folder } = lab({
    'logo.png': new Uint8Array(200_000).fill(137),
    '.env': 'KEY=1',
    '.gitignore': '.env',
    empty: '',
  });
  folder.chmod('logo.png', 0o640);
  const before = tree();
  await turn(remove('logo.png'), edit('.env', 'KEY=2'), remove('empty'), rename('.gitignore', '.GITIGNORE'));
  expect((await undo(1)).outcome.status).toBe('done');
  expect(tree()).toEqual(before);
});

test('a step that fails takes the steps before it back', async () => {
  const disk = diskFiles();
  let broken = false;
  const files: Files = {
    ...disk,
    land: async (change) =>
      broken && change.path.endsWith('c.txt')
        ? fail({ kind: 'failed', message: 'the disk is full' })
        : disk.land(change),
  };
  const { turn, undo, tree, checkpoints } = lab({ 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' }, { files });
  await turn(edit('a.txt', 'A'), remove('b.txt'), edit('c.txt', 'C'), create('n/d.txt', 'd'));
  const before = tree();
  broken = true;
  expect((await undo(1)).outcome).toEqual({
    status: 'conflict',
    turns: [1],
    conflicts: [{ path: 'c.txt', why: 'the disk is full' }],
  });
  expect([tree(), checkpoints.list(SESSION)[0]?.state]).toEqual([before, 'sealed']);
  broken = false;
  expect((await undo(1)).outcome.status).toBe('done');
});

test('an undone turn can’t be undone again, and says so', async () => {
  const { turn, undo } = lab({ 'a.txt': 'a' });
  await turn(edit('a.txt', 'b'));
  await undo(1);
  expect((await undo(1)).outcome).toEqual({
    status: 'nothing',
    why: 'The file changes of turn 1 are undone already.',
  });
  expect((await undo(7)).outcome).toEqual({ status: 'nothing', why: 'This session has no turn 7.' });
});

test('the last undoable turn is the last whose changes stand', async () => {
  const { turn, undo, checkpoints } = lab({ 'a.txt': 'a' });
  await turn(edit('a.txt', 'b'));
  await turn(edit('a.txt', 'c'));
  await turn();
  const last = () => checkpoints.lastUndoable(SESSION);
  const found = [last()];
  await undo(2);
  found.push(last());
  await undo(1);
  found.push(last());
  expect(found).toEqual([2, 1, undefined]);
});

test('CK-12 works without git, and records what it did', async () => {
  const { turn, undo, store } = lab({ 'a.txt': 'a' });
  const summary = await turn(edit('a.txt', 'b'));
  const { events } = await undo(1);
  expect(events).toMatchObject([
    { type: 'checkpoint.undone', turns: [1], checkpointIds: [summary?.id], files: ['a.txt'] },
  ]);
  expect(store.events.list(SESSION).at(-1)).toEqual(events[0]);
});

test('a file that changes after all was looked at keeps what it got, and the undo is none', async () => {
  const onStep = (step: string) => {
    if (step === 'planned') the.folder.write({ 'b.txt': 'by hand' });
  };
  const the = lab({ 'a.txt': 'old\n', 'b.txt': 'old\n' }, { onStep });
  await the.turn(edit('a.txt', 'new\n'), edit('b.txt', 'new\n'));
  const { outcome } = await the.undo(1);
  expect([outcome.status, the.tree()]).toEqual(['conflict', { 'a.txt': 'new\n', 'b.txt': 'by hand' }]);
});

test('what a restore holds of contents that it has read is bounded', () => {
  const held = new HeldContents();
  const small = { bytes: new Uint8Array(1), sha256: 'small' as Sha256 };
  for (const sha256 of ['a', 'b', 'c'] as Sha256[])
    held.add({ bytes: new Uint8Array(16 * 1024 * 1024 - 1), sha256 });
  held.add(small);
  expect(['a', 'b', 'c', 'small'].map((hash) => held.get(hash as Sha256) !== undefined)).toEqual([
    true,
    true,
    false,
    true,
  ]);
});
