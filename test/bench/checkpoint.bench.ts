import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { AbsolutePath } from '#protocol/ids';
import { alternate, type Measurement, milliseconds } from '#test/bench/benchmark';
import { changeByHand, keepDurably, restoreDurably } from '#test/bench/floors/durable-edit';
import { openShadowGit } from '#test/bench/floors/shadow-git';
import { makeTree } from '#test/bench/tree';
import { openTurns, type Turns } from '#test/bench/turns';

const SIZES = [1_000, 10_000, 100_000];
/** Where shadow git is measured as well: it is for large folders that it doesn't do. */
const LARGE = 100_000;

/**
 * What the checkpoint of a turn that changes three files costs, from the turn's start to its seal, without the writes themselves,
 * against a durable copy of these three files; and the undo of that turn.
 */
export async function measure(): Promise<readonly Measurement[]> {
  const work = mkdtempSync(path.join(realpathSync(os.tmpdir()), 'belay-checkpoint-'));
  try {
    const measured: Measurement[] = [];
    for (const size of SIZES) measured.push(...(await checkpointsOf(path.join(work, String(size)), size)));
    return measured;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function checkpointsOf(work: string, size: number): Promise<readonly Measurement[]> {
  const [folder, blobs] = [path.join(work, 'workspace'), path.join(work, 'floor-blobs')];
  mkdirSync(blobs, { recursive: true });
  const names = makeTree(folder, size);
  const three = [names[0], names[size >> 1], names.at(-1)].flatMap((name) => name ?? []);
  const turns = openTurns(folder as AbsolutePath, work);
  const among = `${size / 1000}k files`;
  const measured: Measurement[] = [
    { name: `turn checkpoint, ${among}`, ...(await turnsOf(turns, { three, folder, blobs })) },
    { name: `undo of that turn, ${among}`, ...(await undosOf(turns, { three, folder, blobs })) },
  ];
  if (size === LARGE)
    measured.push({
      name: `the same beside shadow git, ${among}`,
      ...(await besideGit(turns, { three, folder, work })),
    });
  turns.close();
  return measured;
}

interface Place {
  readonly three: readonly string[];
  readonly folder: string;
  readonly blobs: string;
}

async function turnsOf(turns: Turns, { three, folder, blobs }: Place): Promise<Omit<Measurement, 'name'>> {
  const files = three.map((name) => path.join(folder, name));
  const samples = await alternate(
    { n: 31, warmUp: 5 },
    () => turns.run(three),
    () => milliseconds(() => keepDurably(files, blobs)),
  );
  return { unit: 'ms', ...samples, target: { of: 'ratio', atMost: 2 } };
}

async function undosOf(turns: Turns, { three, folder, blobs }: Place): Promise<Omit<Measurement, 'name'>> {
  const files = three.map((name) => path.join(folder, name));
  const samples = await alternate(
    { n: 31, warmUp: 5 },
    async () => {
      await turns.run(three);
      return turns.undo();
    },
    async () => {
      const changed = changeByHand(files, blobs);
      return milliseconds(() => restoreDurably(changed, blobs));
    },
  );
  return { unit: 'ms', ...samples, target: { of: 'ratio', atMost: 3 } };
}

async function besideGit(
  turns: Turns,
  { three, folder, work }: Omit<Place, 'blobs'> & { readonly work: string },
): Promise<Omit<Measurement, 'name'>> {
  const git = openShadowGit(folder, path.join(work, 'shadow.git'));
  const samples = await alternate(
    { n: 5, warmUp: 1 },
    () => turns.run(three),
    () => milliseconds(git.commit),
  );
  return { unit: 'ms', ...samples, target: { of: 'ratio', atMost: 0.025 } };
}
