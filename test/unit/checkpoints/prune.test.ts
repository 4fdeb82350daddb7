import { mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sha256 } from '#base/hash';
import { BlobStore } from '#checkpoints/blobs';
import { prune } from '#checkpoints/prune';
import { sweepBlobs } from '#checkpoints/sweep';
import type { SessionId, Sha256 } from '#protocol/ids';
import { SESSION } from './hands';
import { create, edit, type Lab, lab } from './lab';
import { age, blobNames, DAY, DEFAULTS, lost, pruneOld, pruneWorld } from './prune-lab';

const OTHER = 'session-2' as SessionId;

function content(text: string): { readonly bytes: Uint8Array; readonly sha256: Sha256 } {
  const bytes = new TextEncoder().encode(text);
  return { bytes, sha256: sha256(bytes) as Sha256 };
}

/** Turns that each change a.txt, `days` apart. */
async function turns(the: Lab, count: number, { days = 0, session = SESSION, size = 1 } = {}): Promise<void> {
  for (let n = 1; n <= count; n++) {
    await the.turnIn(session, edit('a.txt', `${session} ${n} ${the.host.random.id()} ${'x'.repeat(size)}`));
    the.host.advance(days * DAY);
  }
}

const states = (the: Lab, session = SESSION) => the.checkpoints.list(session).map(({ state }) => state);

test('turns older than 30 days go but for the last five, and every content that is still needed stays', async () => {
  const the = lab({ 'a.txt': 'a' });
  await turns(the, 8, { days: 1 });
  the.host.advance(31 * DAY);
  const before = blobNames(the.storage.path).length;
  const report = await pruneOld(the.world, the.storage.path);
  expect(report).toMatchObject({ status: 'done', turns: 3, blobs: 3 });
  expect(states(the)).toEqual([
    'pruned',
    'pruned',
    'pruned',
    'sealed',
    'sealed',
    'sealed',
    'sealed',
    'sealed',
  ]);
  expect([before, blobNames(the.storage.path).length]).toEqual([9, 6]);
  expect(await lost(the.world, the.storage.path)).toEqual([]);
  expect((await the.undo(4)).outcome.status).toBe('done');
});

test('a pruned turn says that its contents are gone, and is still a place to go back to in the conversation', async () => {
  const the = lab({ 'a.txt': 'a' });
  await turns(the, 7);
  the.host.advance(31 * DAY);
  await pruneOld(the.world, the.storage.path);
  const why =
    'The earlier contents of turn 2 were removed to save space, so its files can’t be taken back. Those of later turns can.';
  for (const scope of ['files', 'all'] as const)
    expect((await the.undo(1, { scope })).outcome).toEqual({ status: 'nothing', why });
  expect(the.checkpoints.list(SESSION)[1]).toMatchObject({ state: 'pruned', files: [{ path: 'a.txt' }] });
  expect(the.store.events.list(SESSION).at(-1)).toMatchObject({ type: 'checkpoint.pruned', turns: [2] });
  expect(the.store.sessions.get(SESSION)?.at).toBe(0);
  expect((await the.undo(1, { scope: 'session' })).outcome.status).toBe('done');
});

test('a session has its megabytes: the oldest turns go first, a content that several need counts once', async () => {
  const the = lab({ 'a.txt': 'a' });
  await turns(the, 8, { size: 100_000 });
  const large = await pruneOld(the.world, the.storage.path, { sessionMb: 0.75, keepTurns: 2 });
  expect([large.turns, states(the).filter((state) => state === 'sealed').length]).toEqual([2, 6]);
  const none = await pruneOld(the.world, the.storage.path, { sessionMb: 0.75, keepTurns: 2 });
  expect([none.turns, none.blobs]).toEqual([0, 0]);
});

test('all sessions together have theirs: the oldest turns of any go first, the last of each stay', async () => {
  const the = lab({ 'a.txt': 'a' });
  await turns(the, 4, { days: 1, size: 100_000 });
  await turns(the, 4, { days: 1, size: 100_000, session: OTHER });
  await pruneOld(the.world, the.storage.path, { totalMb: 0.5, keepTurns: 1 });
  expect([states(the), states(the, OTHER)]).toEqual([
    ['pruned', 'pruned', 'pruned', 'sealed'],
    ['pruned', 'pruned', 'sealed', 'sealed'],
  ]);
  expect(await lost(the.world, the.storage.path)).toEqual([]);
});

test('long outputs count towards the total', async () => {
  const the = lab({ 'a.txt': 'a' });
  await turns(the, 7);
  the.store.artifacts.put(SESSION, 'artifact' as never, 'x'.repeat(1_100_000), 0);
  expect((await pruneOld(the.world, the.storage.path, { totalMb: 1 })).turns).toBe(2);
});

test('a deleted session’s contents go with the next sweep, those that a fork shares stay', async () => {
  const the = lab({ 'a.txt': 'a' });
  await turns(the, 2);
  await the.turnIn(OTHER, edit('a.txt', 'other'));
  const [first] = the.store.checkpoints.list(SESSION);
  if (first)
    the.store.forks.copyCheckpoint(
      { from: SESSION, to: OTHER },
      { id: first.id, copy: 'copy' as never, startSequence: 0, isRewound: false },
    );
  the.store.sessions.delete(SESSION);
  const { blobs } = await pruneOld(the.world, the.storage.path);
  expect([blobs, blobNames(the.storage.path).length]).toEqual([0, 4]);
  the.store.sessions.delete(OTHER);
  expect((await pruneOld(the.world, the.storage.path)).blobs).toBe(4);
  expect(blobNames(the.storage.path)).toEqual([]);
});

test('a blob younger than an hour stays, whoever wrote it', async () => {
  const the = lab();
  await the.world.blobs.keep(content('new'));
  const report = await prune(pruneWorld(the.world, the.storage.path), { retention: DEFAULTS });
  expect([report.blobs, blobNames(the.storage.path).length]).toEqual([0, 1]);
});

test('the journal of a turn that has not ended protects its contents', async () => {
  const the = lab({ 'a.txt': 'a' });
  let unfinished: string[] = [];
  await the.turn(edit('a.txt', 'b'), async () => {
    await pruneOld(the.world, the.storage.path);
    unfinished = await lost(the.world, the.storage.path);
  });
  expect(unfinished).toEqual([]);
  expect((await the.undo(1)).outcome.status).toBe('done');
  expect(the.tree()).toEqual({ 'a.txt': 'a' });
});

test('nothing is pruned while a turn runs in any window, and it says why', async () => {
  const the = lab({ 'a.txt': 'a' });
  await turns(the, 7);
  the.host.advance(31 * DAY);
  let report: unknown;
  await the.turn(async () => {
    the.store.leases.acquire(SESSION, { id: 'w', pid: process.pid, host: 'here' }, 0);
    report = await pruneOld(the.world, the.storage.path);
  });
  const why = 'A turn or an undo is running. What is kept is tidied when it has ended.';
  expect(report).toEqual({ status: 'stopped', why, turns: 0, blobs: 0, bytes: 0 });
  expect((await pruneOld(the.world, the.storage.path)).turns).toBe(2);
});

test('what another window begins to use while it is being swept is there: touched before, or written anew', async () => {
  for (const moment of ['marked', 'aside'] as const) {
    const the = lab();
    const blobs = new BlobStore(the.world.blobs.folder);
    await blobs.keep(content('unused'));
    await pruneOld(the.world, the.storage.path, {}, (step) => {
      if (step === moment) blobs.note(content('unused'));
    });
    expect(await new BlobStore(blobs.folder).get(content('unused').sha256)).toEqual(content('unused').bytes);
    await blobs.sync(content('unused').sha256);
    expect(blobNames(the.storage.path)).toEqual([content('unused').sha256]);
  }
});

test('a touch that came between the last look and the renaming brings the blob back', async () => {
  const the = lab();
  const blobs = new BlobStore(the.world.blobs.folder);
  await blobs.keep(content('unused'));
  age(the.storage.path);
  const path = join(blobs.folder, content('unused').sha256);
  // As a sweep leaves it that was killed right after the renaming, and the other's touch just before.
  blobs.note(content('unused'));
  renameSync(path, `${path}.going`);
  expect(await new BlobStore(blobs.folder).get(content('unused').sha256)).toEqual(content('unused').bytes);
  expect(blobNames(the.storage.path)).toEqual([content('unused').sha256]);
  renameSync(path, `${path}.going`);
  const steps: string[] = [];
  await prune(
    pruneWorld(the.world, the.storage.path, (step) => void steps.push(step)),
    { retention: DEFAULTS },
  );
  expect([steps.includes('back'), blobNames(the.storage.path)]).toEqual([true, [content('unused').sha256]]);
});

test('beside a damaged database that was set aside, or in doubt, no blob is deleted', async () => {
  for (const name of ['belay.db.corrupt-2026', 'belay.db.doubted']) {
    const the = lab();
    await the.world.blobs.keep(content('of the old database'));
    writeFileSync(join(the.storage.path, name), '');
    expect((await pruneOld(the.world, the.storage.path)).blobs).toBe(0);
  }
});

test('it can be stopped between turns and goes on the next time', async () => {
  const the = lab({ 'a.txt': 'a' });
  await turns(the, 25);
  the.host.advance(31 * DAY);
  age(the.storage.path);
  const stop = new AbortController();
  const world = pruneWorld(the.world, the.storage.path, (step) => {
    if (step === 'turn-forgotten') stop.abort();
  });
  const first = await prune(world, { retention: DEFAULTS, signal: stop.signal });
  expect(first).toMatchObject({ status: 'stopped', why: 'It was stopped.', turns: 8, blobs: 0 });
  expect(the.store.housekeeping.doneAt('prune')).toBeUndefined();
  expect(await pruneOld(the.world, the.storage.path)).toMatchObject({ status: 'done', turns: 12, blobs: 20 });
  expect(the.store.housekeeping.doneAt('prune')).toBe(the.host.clock.now());
});

test('one window at a time; one that died at it leaves it to the next', async () => {
  const the = lab();
  const dead = { id: 'dead', pid: 2 ** 22 + 1, host: 'here' };
  const living = { id: 'living', pid: process.pid, host: 'here' };
  expect(the.store.housekeeping.begin('prune', living, 0)).toBe(true);
  expect(await pruneOld(the.world, the.storage.path)).toMatchObject({
    status: 'stopped',
    why: 'Another window is just tidying the storage.',
  });
  the.store.housekeeping.end('prune', living, undefined);
  expect(the.store.housekeeping.begin('prune', dead, 0)).toBe(true);
  expect((await pruneOld(the.world, the.storage.path)).status).toBe('done');
});

test('an undo can be redone as long as its turns are kept; then what it rewound is gone for good', async () => {
  const the = lab({ 'a.txt': 'a' });
  await turns(the, 6);
  await the.undo(6, { scope: 'all' });
  the.host.advance(31 * DAY);
  await pruneOld(the.world, the.storage.path);
  expect(the.checkpoints.canRedo(SESSION)).toBe(true);
  await pruneOld(the.world, the.storage.path, { keepTurns: 0 });
  expect(the.checkpoints.canRedo(SESSION)).toBe(false);
  expect((await the.redo()).outcome).toEqual({ status: 'nothing', why: 'There is nothing to redo.' });
  expect(blobNames(the.storage.path)).toEqual([]);
});

test('an undo of folders alone too', async () => {
  const the = lab();
  await the.turn((hands) =>
    hands.run('mkdir', () => mkdirSync(the.folder.at('made/deep'), { recursive: true })),
  );
  expect((await the.undo(1)).outcome.status).toBe('done');
  the.host.advance(31 * DAY);
  await pruneOld(the.world, the.storage.path);
  expect(the.checkpoints.canRedo(SESSION)).toBe(true);
  await pruneOld(the.world, the.storage.path, { keepTurns: 0 });
  expect(the.checkpoints.canRedo(SESSION)).toBe(false);
});

test('a rewind of talk alone is forgotten when it is old', async () => {
  const the = lab();
  await the.turn();
  await the.undo(1, { scope: 'session' });
  the.host.advance(29 * DAY);
  await pruneOld(the.world, the.storage.path);
  expect(the.checkpoints.canRedo(SESSION)).toBe(true);
  the.host.advance(2 * DAY);
  await pruneOld(the.world, the.storage.path);
  expect(the.checkpoints.canRedo(SESSION)).toBe(false);
  expect(the.store.messages.list(SESSION)).toEqual([]);
});

test('what isn’t a blob is left: other files, folders, links', async () => {
  const the = lab();
  await the.world.blobs.keep(content('unused'));
  const folder = the.world.blobs.folder;
  writeFileSync(join(folder, 'notes.txt'), '');
  writeFileSync(join(folder, 'A'.repeat(64)), '');
  await pruneOld(the.world, the.storage.path);
  expect(readdirSync(folder).sort()).toEqual(['.swept', 'A'.repeat(64), 'notes.txt']);
});

test('what a killed write of a content left beside it goes when it is old; one that is under way stays', async () => {
  const the = lab({ 'a.txt': 'a' });
  await turns(the, 1);
  const [dead, mine] = ['.belay-4194303-0123456789ab.tmp', `.belay-${process.pid}-0123456789ab.tmp`];
  for (const name of [dead, mine]) writeFileSync(join(the.storage.path, 'blobs', name), 'x');
  const before = blobNames(the.storage.path);
  await prune(pruneWorld(the.world, the.storage.path), { retention: DEFAULTS });
  expect(blobNames(the.storage.path)).toEqual(before);
  await pruneOld(the.world, the.storage.path);
  expect(blobNames(the.storage.path)).toEqual(before.filter((name) => name !== dead));
});

test('two sweeps at once come to the same as one', async () => {
  const the = lab();
  for (let n = 0; n < 50; n++) await the.world.blobs.keep(content(`unused ${n}`));
  await the.turn(create('a.txt', 'needed'));
  age(the.storage.path);
  const sweep = () =>
    sweepBlobs({
      folder: the.world.blobs.folder,
      standing: () => the.store.references.standing(),
      goOn: () => Promise.resolve(),
    });
  const both = await Promise.all([sweep(), sweep()]);
  expect(both.reduce((sum, { blobs }) => sum + blobs, 0)).toBe(50);
  expect(blobNames(the.storage.path)).toEqual([content('needed').sha256]);
});
