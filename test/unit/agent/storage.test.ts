import { existsSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Tidying } from '#agent/tidying';
import { type CoreLab, call, coreLab, openApp } from '#test/support/core-lab';
import { type MemoryHost, memoryHost } from '#test/support/memory-host';
import { tempFolder } from '#test/support/temp-folder';
import { blobNames } from '#test/unit/checkpoints/prune-lab';

const DAY = 24 * 60 * 60 * 1000;
const write = (path: string, content: string) => ({ calls: [call(path, 'write_file', { path, content })] });

/** A window of its own: another host's ids. */
function window(storage: string): MemoryHost {
  let ids = 0;
  return { ...memoryHost({ storage }), random: { id: () => `other${++ids}` } };
}

function age(lab: CoreLab): void {
  const then = Date.now() / 1000 - 2 * 60 * 60;
  for (const name of blobNames(lab.storage.path))
    utimesSync(join(lab.storage.path, 'blobs', name), then, then);
}

test('sizes are told as a whole and by session: what deleting it would free', async () => {
  const lab = await coreLab({ settings: { mode: 'allow' } });
  await lab.turn('one', write('a.txt', 'x'.repeat(10_000)), { text: 'done' });
  const forked = lab.app.fork(lab.session.id);
  await lab.turn('two', write('b.txt', 'y'.repeat(5000)), { text: 'done' });
  const usage = lab.app.storage.usage();
  const own = (id: string) => usage.sessions.find((session) => session.id === id);
  expect(usage).toMatchObject({ checkpoints: 15_000, outputs: 0, setAside: { files: 0, bytes: 0 } });
  expect(usage.database).toBeGreaterThan(50_000);
  // The fork shares the first content: only the second would go.
  expect(own(lab.session.id)).toMatchObject({ title: 'one', checkpointBytes: 5000, folder: lab.folder.path });
  expect(own(forked.ok ? forked.value.id : '')).toMatchObject({ title: 'Fork of one', checkpointBytes: 0 });
  expect(own(lab.session.id)?.bytes).toBeGreaterThan(5000);
});

test('a session’s checkpoints are cleared: it says so, and its files stay', async () => {
  const lab = await coreLab();
  await lab.turn('one', write('a.txt', 'a'), { text: 'done' });
  age(lab);
  expect(await lab.app.storage.clearCheckpoints(lab.session.id)).toEqual({ ok: true, value: 1 });
  expect(lab.session.checkpoints().map(({ state }) => state)).toEqual(['pruned']);
  expect(lab.session.transcript().turns[0]?.checkpoint?.state).toBe('pruned');
  expect(await lab.session.undo(1, 'files')).toMatchObject({
    status: 'nothing',
    why: expect.stringContaining('removed to save space'),
  });
  expect([existsSync(join(lab.folder.path, 'a.txt')), blobNames(lab.storage.path)]).toEqual([true, []]);
  expect(lab.session.lastUndoable).toBeUndefined();
});

test('a session of another folder is deleted with its contents; one that another window has open is not', async () => {
  const lab = await coreLab();
  await lab.turn('one', write('a.txt', 'a'), { text: 'done' });
  const elsewhere = await openApp(window(lab.storage.path), tempFolder(), lab.model);
  const refused = { ok: false, error: 'Another window works in this session. Close it there first.' };
  expect(await elsewhere.storage.deleteSession(lab.session.id)).toEqual(refused);
  expect(await elsewhere.storage.clearCheckpoints(lab.session.id)).toEqual(refused);
  const shown = elsewhere.storage.usage().sessions.find(({ id }) => id === lab.session.id);
  expect(shown?.busy).toBe(refused.error);
  await lab.app.close();
  age(lab);
  expect(await elsewhere.storage.deleteSession(lab.session.id)).toEqual({ ok: true, value: undefined });
  expect(elsewhere.storage.usage().sessions).toEqual([]);
  expect(blobNames(lab.storage.path)).toEqual([]);
});

test('while a turn runs its session is neither cleared nor deleted, nothing is pruned, and no cache is taken away', async () => {
  const lab = await coreLab();
  const said: unknown[] = [];
  lab.session.onEvent(({ type }) => {
    if (type !== 'tool.started') return;
    const { storage } = lab.app;
    said.push(storage.commandsAtWork());
    void storage.deleteSession(lab.session.id).then((result) => said.push(result));
    void storage.prune().then(({ status }) => said.push(status));
  });
  await lab.turn('one', write('a.txt', 'a'), { text: 'done' });
  expect(said).toEqual([
    'A command may be running. Wait for its end, or stop it.',
    { ok: false, error: 'A turn is running in this session. Stop it first.' },
    'stopped',
  ]);
  expect(lab.app.storage.commandsAtWork()).toBeUndefined();
  expect(lab.app.sessions().map(({ title }) => title)).toEqual(['one']);
});

test('the session that is open here can be deleted; the app goes on', async () => {
  const lab = await coreLab();
  await lab.turn('one', { text: 'done' });
  expect((await lab.app.storage.deleteSession(lab.session.id)).ok).toBe(true);
  expect([lab.app.sessions(), lab.app.session(lab.session.id)]).toEqual([[], undefined]);
  const next = lab.app.createSession({ modelId: lab.model.id });
  lab.model.play([{ text: 'here' }]);
  expect(await next.send('again')).toBe('done');
});

test('damaged databases that were set aside are counted and deleted', async () => {
  const lab = await coreLab();
  for (const name of ['belay.db.corrupt-1', 'belay.db.corrupt-1-wal'])
    writeFileSync(join(lab.storage.path, name), '12345');
  expect(lab.app.storage.usage().setAside).toEqual({ files: 2, bytes: 10 });
  lab.app.storage.deleteSetAside();
  expect(lab.app.storage.usage().setAside).toEqual({ files: 0, bytes: 0 });
  expect(existsSync(join(lab.storage.path, 'belay.db'))).toBe(true);
});

test('the settings say what is kept; the defaults are 30 days, 100 MB, 1 GB and five turns', async () => {
  const lab = await coreLab();
  const { retentionDays, retentionSessionMb, retentionTotalMb, retentionKeepTurns } =
    lab.host.settings.current();
  expect([retentionDays, retentionSessionMb, retentionTotalMb, retentionKeepTurns]).toEqual([
    30, 100, 1024, 5,
  ]);
  for (const n of [1, 2, 3]) await lab.turn(`${n}`, write(`${n}.txt`, `${n}`), { text: 'done' });
  lab.host.advance(3 * DAY);
  expect((await lab.app.storage.prune()).turns).toBe(0);
  lab.host.configure({ retentionDays: 2, retentionKeepTurns: 1 });
  expect((await lab.app.storage.prune()).turns).toBe(2);
  expect(lab.app.storage.lastPruned()).toBe(lab.host.clock.now());
});

test('it is tidied once a day and no more, also when the clock was set back', async () => {
  const lab = await coreLab();
  const tidying = new Tidying(lab.app.storage, lab.host);
  expect(lab.app.storage.lastPruned()).toBeUndefined();
  expect(await tidying.look()).toBe(true);
  const first = lab.app.storage.lastPruned();
  lab.host.advance(DAY - 1);
  await tidying.look();
  expect(lab.app.storage.lastPruned()).toBe(first);
  lab.host.advance(-400 * DAY);
  await tidying.look();
  expect(lab.app.storage.lastPruned()).toBe(lab.host.clock.now());
  tidying.dispose();
});
