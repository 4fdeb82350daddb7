import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { BlobStore } from '#checkpoints/blobs';
import { createCheckpoints } from '#checkpoints/checkpoints';
import type { Step } from '#checkpoints/world';
import { openStore } from '#store/store';
import { childScript } from '#test/support/child-script';
import { memoryHost } from '#test/support/memory-host';
import { type TempFolder, tempFolder } from '#test/support/temp-folder';
import { SESSION } from './hands';
import { treeOf } from './tree';

type Job = 'turn' | 'choices' | 'hunk' | 'keep-and-undo' | 'redo';

interface Place {
  readonly workspace: TempFolder;
  readonly storage: TempFolder;
}

let script = '';
beforeAll(async () => {
  script = await childScript(import.meta.dirname, 'crash-review-child.ts');
});

/** Runs a job in a process that kills itself; true when it did. */
function dies({ workspace, storage }: Place, job: Job, step: Step | 'never', nth = 1): boolean {
  const { signal, status, stderr } = spawnSync(
    process.execPath,
    [script, workspace.path, storage.path, job, step, String(nth)],
    { encoding: 'utf8' },
  );
  if (signal === null && status !== 0) throw new Error(stderr);
  return signal === 'SIGKILL';
}

/** What the next start does: a new process's store, and recovery. */
async function restart({ workspace, storage }: Place) {
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

const BEFORE = { 'skip.txt': 's\n', 'over.txt': 'o\n', 'merge.txt': '1\n2\n3\n4\n5\n' };
/** Belay's turn, and hands after it. */
const HANDS = {
  'skip.txt': 'S by hand\n',
  'over.txt': 'O by hand\n',
  'merge.txt': 'ONE\n2\nby hand\n4\nFIVE\n',
  'new.txt': 'N\n',
};
const CHOSEN = { 'skip.txt': 'S by hand\n', 'over.txt': 'o\n', 'merge.txt': '1\n2\nby hand\n4\n5\n' };
const HUNK = { ...HANDS, 'merge.txt': '1\n2\nby hand\n4\nFIVE\n' };

/** A turn has ended, a person edited its files, and the jobs were done. */
function placeAfter(...jobs: readonly Job[]): Place {
  const place = { workspace: tempFolder(BEFORE), storage: tempFolder() };
  dies(place, 'turn', 'never');
  place.workspace.write(HANDS);
  for (const job of jobs) dies(place, job, 'never');
  return place;
}

const moments = (applied: number): [Step, number][] => [
  ['planned', 1],
  ...Array.from({ length: applied }, (_, at): [Step, number] => ['applied', at + 1]),
  ['finished', 1],
];

describe('killed while an undo with choices runs', () => {
  test.each(moments(3))(
    'at %s number %i: it is finished at the next start, and redo brings the hand edits back',
    async (step, nth) => {
      const at = placeAfter();
      expect(dies(at, 'choices', step, nth)).toBe(true);
      const { checkpoints, store } = await restart(at);
      expect(treeOf(at.workspace.path)).toEqual(CHOSEN);
      expect((await checkpoints.redo({ sessionId: SESSION })).outcome.status).toBe('done');
      expect(treeOf(at.workspace.path)).toEqual(HANDS);
      store.close();
    },
  );

  test.each(moments(3))('its redo at %s number %i: it is finished at the next start', async (step, nth) => {
    const at = placeAfter('choices');
    expect(treeOf(at.workspace.path)).toEqual(CHOSEN);
    expect(dies(at, 'redo', step, nth)).toBe(true);
    const { store } = await restart(at);
    expect(treeOf(at.workspace.path)).toEqual(HANDS);
    store.close();
  });
});

describe('killed while one changed block is taken back', () => {
  test.each(moments(1))(
    'at %s number %i: it is finished once, and redo brings the block back',
    async (step, nth) => {
      const at = placeAfter();
      expect(dies(at, 'hunk', step, nth)).toBe(true);
      const { checkpoints, store } = await restart(at);
      expect(treeOf(at.workspace.path)).toEqual(HUNK);
      const [turn] = store.checkpoints.list(SESSION);
      expect(
        store.operations.list(turn?.id ?? ('' as never)).filter(({ path }) => path === 'merge.txt'),
      ).toHaveLength(2);
      await checkpoints.redo({ sessionId: SESSION });
      expect(treeOf(at.workspace.path)).toEqual(HANDS);
      expect(
        store.operations.list(turn?.id ?? ('' as never)).filter(({ path }) => path === 'merge.txt'),
      ).toHaveLength(1);
      store.close();
    },
  );

  test.each(moments(1))('its redo at %s number %i: it is finished at the next start', async (step, nth) => {
    const at = placeAfter('hunk');
    expect(dies(at, 'redo', step, nth)).toBe(true);
    const { checkpoints, store } = await restart(at);
    expect(treeOf(at.workspace.path)).toEqual(HANDS);
    expect((await checkpoints.redo({ sessionId: SESSION })).outcome.status).toBe('nothing');
    store.close();
  });

  test.each(moments(1))('undo of what waits at %s number %i: kept blocks stay', async (step, nth) => {
    const at = placeAfter();
    expect(dies(at, 'keep-and-undo', step, nth)).toBe(true);
    const { store } = await restart(at);
    const { 'new.txt': _gone, ...rest } = HANDS;
    expect(treeOf(at.workspace.path)).toEqual(rest);
    store.close();
  });
});
