import { existsSync, linkSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sha256 } from '#base/hash';
import { createCheckpoints } from '#checkpoints/checkpoints';
import type { FileState } from '#protocol/checkpoint';
import type { CheckpointId, Sha256, TurnId } from '#protocol/ids';
import type { StoredOperation } from '#store/file-operations';
import { ensureSession, SESSION } from './hands';
import { edit, type Lab, lab } from './lab';

const ABSENT: FileState = { kind: 'absent' };
const file = (text: string): FileState => ({
  kind: 'file',
  sha256: sha256(text) as Sha256,
  bytes: text.length,
  mode: 0o644,
});

/** What the next start finds of a turn whose process died right after it recorded an intention. */
async function died(the: Lab, pending: Partial<StoredOperation> & Pick<StoredOperation, 'kind' | 'path'>) {
  const { store, world } = the;
  ensureSession(world, SESSION);
  const { id } = the.checkpoints.open({
    sessionId: SESSION,
    turnId: 't' as TurnId,
    turn: 1,
    prompt: 'p',
    startSequence: 0,
    messageCount: 0,
    todos: [],
  });
  store.operations.add({ checkpointId: id, from: undefined, before: ABSENT, planned: ABSENT, ...pending });
  await world.blobs.keep({ bytes: Buffer.from('old'), sha256: sha256('old') as Sha256 });
  return createCheckpoints(world);
}

test('a write of which nothing reached the disk leaves no checkpoint', async () => {
  const the = lab({ 'a.txt': 'old' });
  const next = await died(the, { kind: 'modify', path: 'a.txt', before: file('old'), planned: file('new') });
  expect(await next.recover(SESSION)).toEqual({ sealed: [], restores: [] });
  expect(the.store.checkpoints.unfinished(the.folder.path)).toEqual([]);
});

test('a write that reached the disk whole is part of an interrupted checkpoint', async () => {
  const the = lab({ 'a.txt': 'new' });
  const next = await died(the, { kind: 'modify', path: 'a.txt', before: file('old'), planned: file('new') });
  expect((await next.recover(SESSION)).sealed).toMatchObject([
    { state: 'interrupted', files: [{ path: 'a.txt', added: 1, removed: 1 }] },
  ]);
  await next.undo({ sessionId: SESSION, turn: 1, scope: 'files' });
  expect(the.tree()).toEqual({ 'a.txt': 'old' });
});

test('a write that reached the disk in part is named, and its pre-image offered', async () => {
  const the = lab({ 'a.txt': 'ne' });
  const next = await died(the, { kind: 'modify', path: 'a.txt', before: file('old'), planned: file('new') });
  await next.recover(SESSION);
  expect((await next.undo({ sessionId: SESSION, turn: 1, scope: 'files' })).outcome).toMatchObject({
    conflicts: [
      {
        path: 'a.txt',
        why: 'Belay was stopped in the middle of writing it; what is there is neither the old nor the new content',
      },
    ],
  });
  await next.undo({ sessionId: SESSION, turn: 1, scope: 'files', onConflict: 'overwrite' });
  expect(the.tree()).toEqual({ 'a.txt': 'old' });
});

test('a rename cut between its halves is completed, nothing is lost', async () => {
  const the = lab({ 'a.txt': 'old' });
  linkSync(the.folder.at('a.txt'), the.folder.at('b.txt'));
  const next = await died(the, {
    kind: 'rename',
    path: 'b.txt',
    from: 'a.txt',
    before: file('old'),
    planned: file('old'),
  });
  await next.recover(SESSION);
  expect(the.tree()).toEqual({ 'b.txt': 'old' });
  await next.undo({ sessionId: SESSION, turn: 1, scope: 'files' });
  expect(the.tree()).toEqual({ 'a.txt': 'old' });
});

test('two files of equal content are no rename cut in half', async () => {
  const the = lab({ 'a.txt': 'old', 'b.txt': 'old' });
  const next = await died(the, {
    kind: 'rename',
    path: 'b.txt',
    from: 'a.txt',
    before: file('old'),
    planned: file('old'),
  });
  await next.recover(SESSION);
  expect(the.tree()).toEqual({ 'a.txt': 'old', 'b.txt': 'old' });
});

test.each([true, false])('a deletion is known by what is there (still there: %s)', async (isThere) => {
  const the = lab({ 'a.txt': 'old' });
  if (!isThere) unlinkSync(the.folder.at('a.txt'));
  const next = await died(the, { kind: 'delete', path: 'a.txt', before: file('old') });
  expect((await next.recover(SESSION)).sealed).toHaveLength(isThere ? 0 : 1);
  await next.undo({ sessionId: SESSION, turn: 1, scope: 'files' });
  expect(the.tree()).toEqual({ 'a.txt': 'old' });
});

test('keeps what a dead turn wrote, as long as the file has it', async () => {
  const the = lab({ 'a.txt': 'new', 'b.txt': 'by hand' });
  const next = await died(the, { kind: 'modify', path: 'a.txt', before: file('old'), planned: file('new') });
  const checkpointId = the.store.checkpoints.list(SESSION)[0]?.id as CheckpointId;
  const both = {
    checkpointId,
    kind: 'modify',
    from: undefined,
    before: file('old'),
    planned: file('new'),
  } as const;
  the.store.operations.settle(1, file('new'), { added: 1, removed: 1 });
  const other = the.store.operations.add({ ...both, path: 'b.txt' });
  the.store.operations.settle(other, file('new!'), { added: 1, removed: 1 });
  await next.recover(SESSION);
  const [kept, gone] = await Promise.all(
    ['a.txt', 'b.txt'].map((path) => next.content(checkpointId, path, 'after')),
  );
  expect([Buffer.from(kept ?? []).toString(), gone]).toEqual(['new', undefined]);
});

test('removes the temporary file of the dead, and no one else’s', async () => {
  const the = lab({ 'a.txt': 'old' });
  const [dead, mine] = ['.belay-4194303-0123456789ab.tmp', `.belay-${process.pid}-0123456789ab.tmp`];
  for (const name of [dead, mine, '.belay-notes.tmp']) writeFileSync(the.folder.at(name), 'x');
  const next = await died(the, { kind: 'modify', path: 'a.txt', before: file('old'), planned: file('new') });
  await next.recover(SESSION);
  expect([dead, mine, '.belay-notes.tmp'].map((name) => existsSync(the.folder.at(name)))).toEqual([
    false,
    true,
    true,
  ]);
});

test('an undo that died between a content written in place and its permission bits ends with both', async () => {
  const the = lab({ 'a.sh': 'old' });
  const before = { ...file('old'), mode: 0o644 } as FileState;
  const after = { ...file('new'), mode: 0o755 } as FileState;
  const { checkpoints, store, folder } = the;
  await the.turn((hands) =>
    hands.run('make', () => {
      folder.write({ 'a.sh': 'new' });
      folder.chmod('a.sh', 0o755);
    }),
  );
  const operations = store.operations.list(store.checkpoints.list(SESSION)[0]?.id as CheckpointId);
  const plan = {
    turns: [1],
    checkpointIds: store.checkpoints.list(SESSION).map(({ id }) => id),
    files: [{ path: 'a.sh', from: after, to: before }],
    operations: operations.map(({ id }) => id),
    makeFolders: [],
    removeFolders: [],
  };
  store.restores.add({
    ...{ id: 'r1', sessionId: SESSION, scope: 'files', kind: 'undo', redoes: undefined, state: 'applying' },
    ...{ plan, at: 1, lastOperation: store.operations.last(), lastSequence: store.events.last(SESSION) },
  });
  // Both are at their end but the bits.
  folder.write({ 'a.sh': 'old' });
  expect((await checkpoints.recover(SESSION)).restores).toMatchObject([{ state: 'done' }]);
  expect([the.tree(), statSync(folder.at('a.sh')).mode & 0o777]).toEqual([{ 'a.sh': 'old' }, 0o644]);
});

test('a session without anything unfinished is left alone', async () => {
  const the = lab({ 'a.txt': 'a' });
  await the.turn(edit('a.txt', 'b'));
  expect(await the.checkpoints.recover(SESSION)).toEqual({ sealed: [], restores: [] });
  expect(the.checkpoints.list(SESSION)).toMatchObject([{ state: 'sealed' }]);
});

test('a turn that runs here isn’t taken for a dead one', async () => {
  const the = lab({ 'a.txt': 'a' });
  const summary = await the.turn(edit('a.txt', 'b'), async () => {
    expect(await the.checkpoints.recover(SESSION)).toEqual({ sealed: [], restores: [] });
  });
  expect(summary?.state).toBe('sealed');
});
