import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BlobStore } from '#checkpoints/blobs';
import { type Checkpoints, createCheckpoints } from '#checkpoints/checkpoints';
import type { Step } from '#checkpoints/world';
import { openStore, type Store } from '#store/store';
import { childScript } from '#test/support/child-script';
import { memoryHost } from '#test/support/memory-host';
import { type TempFolder, tempFolder } from '#test/support/temp-folder';
import { SESSION } from './hands';
import { treeOf } from './tree';

const BEFORE = { 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' };
const AFTER = { 'a.txt': 'A', 'd/b.txt': 'b', 'e.txt': 'E' };

interface Place {
  readonly workspace: TempFolder;
  readonly storage: TempFolder;
}

let script = '';
beforeAll(async () => {
  script = await childScript(import.meta.dirname, 'crash-child.ts');
});

/** Runs a job in a process that kills itself; true when it did. */
function dies({ workspace, storage }: Place, job: string, step: Step | 'never', nth = 1): boolean {
  const { signal, status, stderr } = spawnSync(
    process.execPath,
    [script, workspace.path, storage.path, job, step, String(nth)],
    { encoding: 'utf8' },
  );
  if (signal === null && status !== 0) throw new Error(stderr);
  return signal === 'SIGKILL';
}

/** What the next start does: a new process's store, and recovery. */
async function restart({
  workspace,
  storage,
}: Place): Promise<{ readonly checkpoints: Checkpoints; readonly store: Store }> {
  const host = memoryHost();
  const opened = openStore({ path: join(storage.path, 'belay.db'), log: host.log, clock: host.clock });
  if (!opened.ok) throw new Error(opened.error.message);
  const checkpoints = createCheckpoints({
    ...host,
    store: opened.value,
    blobs: new BlobStore(join(storage.path, 'blobs')),
    folder: workspace.path,
    random: { id: () => crypto.randomUUID() },
  });
  await checkpoints.recover(SESSION);
  return { checkpoints, store: opened.value };
}

function place(): Place {
  return { workspace: tempFolder(BEFORE), storage: tempFolder() };
}

/** A copy of a place where a turn has ended, or was also undone: made once, since each process takes its time. */
function placeAfter(...jobs: readonly ('turn' | 'undo')[]): Place {
  const key = jobs.join(' ');
  const made = finished.get(key) ?? {
    workspace: mkdtempSync(join(tmpdir(), 'belay-')),
    storage: mkdtempSync(join(tmpdir(), 'belay-')),
  };
  if (!finished.has(key)) {
    const first = place();
    for (const job of jobs) dies(first, job, 'never');
    cpSync(first.workspace.path, made.workspace, { recursive: true });
    cpSync(first.storage.path, made.storage, { recursive: true });
    finished.set(key, made);
  }
  const copy = { workspace: tempFolder(), storage: tempFolder() };
  cpSync(made.workspace, copy.workspace.path, { recursive: true });
  cpSync(made.storage, copy.storage.path, { recursive: true });
  return copy;
}

const finished = new Map<string, { readonly workspace: string; readonly storage: string }>();
afterAll(() => {
  for (const { workspace, storage } of finished.values()) {
    rmSync(workspace, { recursive: true });
    rmSync(storage, { recursive: true });
  }
});

const writes: [Step, number][] = (['kept', 'intended', 'landed', 'recorded'] as const).flatMap((step) =>
  [1, 2, 3, 4].map((nth): [Step, number] => [step, nth]),
);

describe('killed while a turn writes', () => {
  test.each(writes)('at %s number %i: what was done is known and can be taken back', async (step, nth) => {
    const at = place();
    const died = dies(at, 'turn', step, nth);
    // Creating destroys nothing, so there are only three contents to keep.
    expect(died).toBe(!(step === 'kept' && nth === 4));
    const found = treeOf(at.workspace.path);
    const { checkpoints, store } = await restart(at);
    expect(treeOf(at.workspace.path)).toEqual(found);
    expect(store.checkpoints.list(SESSION).map(({ state }) => state)).not.toContain('open');
    const { outcome } = await checkpoints.undo({ sessionId: SESSION, turn: 1, scope: 'files' });
    expect(outcome.status).not.toBe('conflict');
    expect(treeOf(at.workspace.path)).toEqual(BEFORE);
    if (outcome.status === 'done') {
      await checkpoints.redo({ sessionId: SESSION });
      expect(treeOf(at.workspace.path)).toEqual(found);
    }
    store.close();
  });
});

const restores: ['undo' | 'redo', Step, number][] = (['undo', 'redo'] as const).flatMap((job) => [
  [job, 'planned', 1],
  ...[1, 2, 3, 4, 5].map((nth): [typeof job, Step, number] => [job, 'applied', nth]),
  [job, 'finished', 1],
]);

describe('killed while a restore runs', () => {
  test.each(restores)('%s at %s number %i: it is finished at the next start', async (job, step, nth) => {
    const at = job === 'undo' ? placeAfter('turn') : placeAfter('turn', 'undo');
    expect(treeOf(at.workspace.path)).toEqual(job === 'undo' ? AFTER : BEFORE);
    expect(dies(at, job, step, nth)).toBe(true);
    const { checkpoints, store } = await restart(at);
    expect(treeOf(at.workspace.path)).toEqual(job === 'undo' ? BEFORE : AFTER);
    const events = store.events.list(SESSION).map(({ type }) => type);
    expect(
      events.filter((type) => type === (job === 'undo' ? 'session.rewound' : 'session.unwound')),
    ).toHaveLength(1);
    const back =
      job === 'undo'
        ? await checkpoints.redo({ sessionId: SESSION })
        : await checkpoints.undo({ sessionId: SESSION, turn: 1, scope: 'files' });
    expect(back.outcome.status).toBe('done');
    expect(treeOf(at.workspace.path)).toEqual(job === 'undo' ? AFTER : BEFORE);
    store.close();
  });

  test('a file that a person wrote after the crash is left, and the rest goes back', async () => {
    const at = placeAfter('turn');
    expect(dies(at, 'undo', 'applied', 2)).toBe(true);
    at.workspace.write({ 'a.txt': 'by hand' });
    const { store } = await restart(at);
    expect(treeOf(at.workspace.path)).toEqual({ ...AFTER, 'a.txt': 'by hand' });
    expect(store.restores.unfinished(SESSION)).toEqual([]);
    store.close();
  });

  test('recovering twice, or from a copy taken in the middle, comes to the same', async () => {
    const at = placeAfter('turn');
    dies(at, 'undo', 'applied', 3);
    const copy = tempFolder();
    cpSync(at.storage.path, copy.path, { recursive: true });
    (await restart(at)).store.close();
    (await restart({ workspace: at.workspace, storage: copy })).store.close();
    expect(treeOf(at.workspace.path)).toEqual(BEFORE);
  });
});
