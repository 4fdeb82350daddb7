import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BlobStore } from '#checkpoints/blobs';
import { createCheckpoints } from '#checkpoints/checkpoints';
import { prune } from '#checkpoints/prune';
import type { AbsolutePath, SessionId } from '#protocol/ids';
import { openStore, type Store } from '#store/store';
import { childScript } from '#test/support/child-script';
import { memoryHost } from '#test/support/memory-host';
import { type TempFolder, tempFolder } from '#test/support/temp-folder';
import { childWorld } from './child-world';
import { handsOf, SESSION } from './hands';
import { PRUNE_KILL_POINTS } from './prune-kill-points';
import { age, blobNames, DAY, DEFAULTS, lost, pruneWorld } from './prune-lab';

const OTHER = 'session-2' as SessionId;
const GONE = 'session-3' as SessionId;

let script = '';
let made = '';
beforeAll(async () => {
  script = await childScript(import.meta.dirname, 'prune-child.ts');
  made = mkdtempSync(join(tmpdir(), 'belay-'));
  const workspace = mkdtempSync(join(tmpdir(), 'belay-'));
  writeFileSync(join(workspace, 'a.txt'), 'a');
  await fill(workspace, made);
  rmSync(workspace, { recursive: true });
});
afterAll(() => rmSync(made, { recursive: true }));

/** Two sessions of many turns, one with an undo; a third that was deleted: there is everything to do. */
async function fill(folder: string, storage: string): Promise<void> {
  const { world, close } = childWorld({ folder, storage });
  const checkpoints = createCheckpoints(world);
  for (const [session, count] of [
    [SESSION, 12],
    [OTHER, 12],
    [GONE, 9],
  ] as const) {
    if (!world.store.sessions.get(session))
      world.store.sessions.create({
        ...{
          id: session,
          folder: folder as AbsolutePath,
          title: session,
          mode: 'prompt',
          modelId: 'm',
          at: 0,
        },
      });
    for (let turn = 1; turn <= count; turn++) {
      const start = { turnId: `${session}-${turn}` as never, prompt: 'p', todos: [], messageCount: 0 };
      const journal = checkpoints.open({ ...start, sessionId: session, turn, startSequence: turn });
      await handsOf(world, journal).edit('a.txt', `${session} ${turn}`);
      await journal.seal('sealed');
    }
    if (session === OTHER) await checkpoints.undo({ sessionId: OTHER, turn: 12, scope: 'all' });
  }
  const talk = { turnId: 'talk' as never, prompt: 'p', todos: [], messageCount: 0 };
  await checkpoints.open({ ...talk, sessionId: SESSION, turn: 13, startSequence: 13 }).seal('sealed');
  await checkpoints.undo({ sessionId: SESSION, turn: 13, scope: 'session' });
  world.store.sessions.delete(GONE);
  close();
}

interface Place {
  readonly workspace: TempFolder;
  readonly storage: TempFolder;
}

function place(): Place {
  const workspace = tempFolder({ 'a.txt': 'a' });
  const storage = tempFolder();
  cpSync(made, storage.path, { recursive: true });
  age(storage.path);
  return { workspace, storage };
}

function open({ storage }: Place): Store {
  const { log, clock } = memoryHost();
  const opened = openStore({ path: join(storage.path, 'belay.db'), log, clock });
  if (!opened.ok) throw new Error(opened.error.message);
  return opened.value;
}

/** All that pruning leaves, but for its own book-keeping and moments. */
function outcome(at: Place): unknown {
  const store = open(at);
  const sessions = [SESSION, OTHER].map((session) => [
    store.checkpoints.list(session).map(({ id, turn, prunedAt }) => ({
      turn,
      pruned: prunedAt !== undefined,
      operations: store.operations.list(id).length,
    })),
    store.restores.redoable(session)?.id !== undefined,
    store.events.list(session).map(({ type }) => type),
  ]);
  store.close();
  return { sessions, blobs: blobNames(at.storage.path) };
}

const run = ({ workspace, storage }: Place, step = 'never', nth = 1) =>
  spawnSync(process.execPath, [script, workspace.path, storage.path, step, String(nth)], {
    encoding: 'utf8',
  });

test('there are at least sixty places at which pruning is killed', () => {
  expect(PRUNE_KILL_POINTS.length).toBeGreaterThanOrEqual(60);
});

test('CK-11 killed at every step: no content that is needed is gone, no turn claims one that is, the next run ends it', {
  timeout: 180_000,
}, async () => {
  const whole = place();
  expect(run(whole).status).toBe(0);
  const wanted = outcome(whole);
  for (const [step, nth] of PRUNE_KILL_POINTS) {
    const at = place();
    expect([step, nth, run(at, step, nth).signal]).toEqual([step, nth, 'SIGKILL']);
    const store = open(at);
    expect([step, nth, await lost({ store }, at.storage.path)]).toEqual([step, nth, []]);
    const blobs = new BlobStore(join(at.storage.path, 'blobs'));
    for (const { id, turn, prunedAt } of [SESSION, OTHER].flatMap((session) =>
      store.checkpoints.list(session),
    )) {
      const operations = store.operations.list(id);
      // Either its contents are there, or it says that they aren't.
      expect(operations.length).toBe(prunedAt !== undefined || turn === 13 ? 0 : 1);
      for (const { before } of operations)
        if (before.kind === 'file') expect(await blobs.get(before.sha256)).toBeDefined();
    }
    store.close();
    expect([step, nth, (await pruneHere(at)).status]).toEqual([step, nth, 'done']);
    expect([step, nth, outcome(at)]).toEqual([step, nth, wanted]);
  }
});

test('two processes that prune at once: one does it, or each a part, and nothing that is needed goes', {
  timeout: 60_000,
}, async () => {
  const whole = place();
  run(whole);
  const at = place();
  const both = await Promise.all([1, 2].map(() => runAside(at)));
  expect(both.every((report) => report.includes('"status"'))).toBe(true);
  const store = open(at);
  expect(await lost({ store }, at.storage.path)).toEqual([]);
  store.close();
  expect(outcome(at)).toEqual(outcome(whole));
});

/** What the next start does. */
async function pruneHere({ workspace, storage }: Place): ReturnType<typeof prune> {
  const { world, close } = childWorld({ folder: workspace.path, storage: storage.path });
  const clock = { now: () => 60 * DAY, monotonic: () => 0 };
  const owner = { id: 'next', pid: process.pid, host: hostname() };
  const report = await prune({ ...pruneWorld(world, storage.path), clock, owner }, { retention: DEFAULTS });
  close();
  return report;
}

function runAside({ workspace, storage }: Place): Promise<string> {
  const child = spawn(process.execPath, [script, workspace.path, storage.path, 'never']);
  let said = '';
  child.stdout.on('data', (data: Buffer) => {
    said += data.toString();
  });
  return new Promise((resolve) => child.on('close', () => resolve(said)));
}
