import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { childScript } from '#test/support/child-script';
import { BEFORE, HANDS, type Job } from './jobs';
import {
  type Judge,
  judgeBlock,
  judgeFork,
  judgeKeep,
  judgePrune,
  judgeRedo,
  judgeTurn,
  judgeUndo,
} from './judges';
import { disagreements, type End, type Place, Places, restart } from './places';

/** Milliseconds: hundreds of processes, each of which opens a database. */
const PATIENCE = 600_000;
/** Processes at a time. */
const SIDE_BY_SIDE = 2;

let places: Places;
beforeAll(async () => {
  places = new Places(await childScript(import.meta.dirname, 'kill-child.ts'));
});
afterAll(() => places.dispose());

type Tree = Readonly<Record<string, string>>;

function write({ folder }: Place, files: Tree): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    if (path.endsWith('/')) chmodSync(join(folder, path), Number.parseInt(text, 8));
    else if (text.startsWith('→ ')) symlinkSync(text.slice(2), join(folder, path));
    else writeFileSync(join(folder, path), text);
  }
}

/** A place where jobs came to their end; a person's edits come after the turn. */
async function placeAfter(...jobs: readonly (Job | 'hands')[]): Promise<Place> {
  const place = places.make();
  write(place, BEFORE);
  mkdirSync(place.storage);
  for (const job of jobs)
    if (job === 'hands') write(place, HANDS);
    else await places.run(place, job);
  return place;
}

/** Kills the job at every point of it, each time on a copy of the place, and judges what the next start makes of that. Says how often. */
async function killEverywhere(prepared: Place, job: Job, judge: Judge): Promise<number> {
  const whole = places.copyOf(prepared);
  const ended = await places.run(whole, job);
  places.remove(whole);
  const points = ended.kind === 'ended' ? ended.points : [];
  const wrong: unknown[] = [];
  let killed = 0;
  let next = 1;
  const worker = async () => {
    for (let nth = next++; nth <= points.length; nth = next++) {
      const { end, found } = await endedAt({ prepared, job, nth }, judge);
      if (end.kind === 'killed') killed++;
      if (found.length > 0) wrong.push({ nth, point: points[nth - 1], found });
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker));
  expect([wrong.length, wrong.slice(0, 3)]).toEqual([0, []]);
  return killed;
}

/** What waits side by side may do with a point less this time: then the job has ended, and what it left is judged. */
async function endedAt(
  { prepared, job, nth }: { readonly prepared: Place; readonly job: Job; readonly nth: number },
  judge: Judge,
): Promise<{ readonly end: End; readonly found: readonly string[] }> {
  const place = places.copyOf(prepared);
  const end = await places.run(place, job, nth);
  const at = await restart(place);
  try {
    return { end, found: [...(await disagreements(at)), ...(await judge(at))] };
  } finally {
    at.close();
    places.remove(place);
  }
}

/** Points at which each kind is killed, at the least. */
const LEAST = {
  turn: 195,
  undo: 130,
  redo: 90,
  'undo-block': 18,
  'redo of a block': 15,
  'keep-block': 4,
  fork: 20,
  prune: 20,
  recover: 2,
} as const;

test('there are at least three hundred points, beside those of the upgrades and of the sweep', () => {
  const total = Object.values(LEAST).reduce((sum, points) => sum + points, 0);
  expect(total).toBeGreaterThanOrEqual(300);
});

/** All points of a job, each at least once. */
async function kill(kind: keyof typeof LEAST, prepared: Place, job: Job, judge: Judge): Promise<void> {
  const times = await killEverywhere(prepared, job, judge);
  expect([kind, times >= LEAST[kind], times]).toEqual([kind, true, times]);
}

/** A place where a job was killed at the point behind the first call of that name. */
async function killedBehind(call: string, job: Job, prepared: Place): Promise<Place> {
  const place = places.copyOf(prepared);
  expect(await places.run(place, job, call)).toEqual({ kind: 'killed' });
  return place;
}

describe('killed right before anything that changes disk or database, and started again', {
  timeout: PATIENCE,
}, () => {
  test('a turn of tools and a command stops between two steps and can be taken back', async () => {
    await kill('turn', await placeAfter(), 'turn', judgeTurn);
  });

  test('an undo with choices is done or not begun', async () => {
    await kill('undo', await placeAfter('turn', 'hands'), 'undo', judgeUndo);
  });

  test('a redo is done or not begun', async () => {
    await kill('redo', await placeAfter('turn', 'hands', 'undo'), 'redo', judgeRedo);
  });

  test('an undo of one block is done or not begun', async () => {
    await kill('undo-block', await placeAfter('turn', 'hands'), 'undo-block', judgeBlock);
  });

  test('a redo of one block is done or not begun', async () => {
    await kill('redo of a block', await placeAfter('turn', 'hands', 'undo-block'), 'redo', judgeBlock);
  });

  test('a block is kept or not', async () => {
    await kill('keep-block', await placeAfter('turn', 'hands'), 'keep-block', judgeKeep);
  });

  test('a fork is there whole or not at all', async () => {
    await kill('fork', await placeAfter('turn'), 'fork', judgeFork);
  });

  test('pruning takes nothing that is needed', async () => {
    await kill('prune', await placeAfter('many-turns'), 'prune', judgePrune);
  });

  test.each([
    ['between the halves of a rename', 'linkSync'],
    ['with a replacement beside its file', 'fchmodSync'],
    ['while a command ran', 'rmSync'],
    ['before its end was recorded', 'renameSync'],
  ])('killed twice: a turn that was cut off %s, and the start after it', async (_where, call) => {
    await kill('recover', await killedBehind(call, 'turn', await placeAfter()), 'recover', judgeTurn);
  });

  test('killed twice: an undo in the middle, and the start after it', async () => {
    const prepared = await killedBehind('linkSync', 'undo', await placeAfter('turn', 'hands'));
    await kill('recover', prepared, 'recover', judgeUndo);
  });
});
