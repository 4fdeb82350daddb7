import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { AbsolutePath } from '#protocol/ids';
import { alternate, type Measurement, milliseconds } from '#test/bench/benchmark';
import { openCovering } from '#test/bench/covering';
import { changeByHand, keepDurably, restoreDurably } from '#test/bench/floors/durable-edit';
import { openShadowGit, type ShadowGit } from '#test/bench/floors/shadow-git';
import { makeTree } from '#test/bench/tree';
import { openTurns, type Turns } from '#test/bench/turns';

const SIZES = [1_000, 10_000, 100_000];
/** From this size on a shadow repository has to be this many times slower: it is for large folders that it doesn't do. */
const LARGE = 100_000;
const TIMES_FASTER = 40;
/** While V8 still compiles: told beside the settled figures, which have the targets. After so many its code is as quick as it gets. */
const FIRST = 60;
const SETTLED = 1000;

/**
 * What the checkpoint of a turn that changes three files costs, from the turn's start to its seal, without the writes themselves,
 * against a durable copy of these three files; the undo of that turn; all that surrounds a command which changes three files; and each
 * of them beside what a shadow repository takes for the same.
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
  const place = { three, folder, blobs };
  const cold = size === SIZES[0] ? await firstOf(turns, place) : [];
  const measured: Measurement[] = [
    ...cold,
    { name: `turn checkpoint, ${among}`, ...(await turnsOf(turns, place)) },
    { name: `undo of that turn, ${among}`, ...(await undosOf(turns, place)) },
    ...(await besideGit(turns, {
      ...place,
      size,
      git: openShadowGit(folder, path.join(work, 'shadow.git')),
    })),
  ];
  turns.close();
  return measured;
}

interface Place {
  readonly three: readonly string[];
  readonly folder: string;
  readonly blobs: string;
}

/** A person's turns are taken in a process that has run for hours. */
async function firstOf(turns: Turns, place: Place): Promise<readonly Measurement[]> {
  const times = { n: FIRST, warmUp: 0 };
  const rows = [
    { name: 'turn checkpoint', ...(await turnsOf(turns, place, times)) },
    { name: 'undo of that turn', ...(await undosOf(turns, place, times)) },
  ];
  await undosOf(turns, place, { n: 0, warmUp: SETTLED });
  return rows.map(({ name, target: _, ...row }) => ({
    name: `${name}, the first ${FIRST} of a process`,
    ...row,
  }));
}

type Row = Omit<Measurement, 'name'>;
const TIMES = { n: 31, warmUp: 5 };

async function turnsOf(turns: Turns, { three, folder, blobs }: Place, times = TIMES): Promise<Row> {
  const files = three.map((name) => path.join(folder, name));
  const samples = await alternate(
    times,
    () => turns.run(three),
    () => milliseconds(() => keepDurably(files, blobs)),
  );
  return { unit: 'ms', ...samples, target: { of: 'ratio', atMost: 2 } };
}

async function undosOf(turns: Turns, { three, folder, blobs }: Place, times = TIMES): Promise<Row> {
  const files = three.map((name) => path.join(folder, name));
  const samples = await alternate(
    times,
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

/** A shadow repository sees what the turn or the command before it has changed. */
async function besideGit(
  turns: Turns,
  { three, folder, size, git }: Place & { readonly size: number; readonly git: ShadowGit },
): Promise<readonly Measurement[]> {
  const times = { n: 5, warmUp: 1 };
  const among = `${size / 1000}k files`;
  const committed = () => milliseconds(git.commit);
  const turn = await alternate(times, () => turns.run(three), committed);
  const step = await alternate(
    times,
    () => turns.run(three),
    () => milliseconds(git.writeTree),
  );
  const back = await alternate(
    times,
    async () => {
      await turns.run(three);
      git.commit();
      return turns.undo();
    },
    () => milliseconds(git.goBack),
  );
  const command = await commandBeside(folder, three, committed);
  const target = size >= LARGE ? { target: { of: 'ratio', atMost: 1 / TIMES_FASTER } as const } : {};
  return [
    { name: `turn checkpoint beside shadow git, ${among}`, unit: 'ms', ...turn, ...target },
    { name: `turn checkpoint beside git write-tree, ${among}`, unit: 'ms', ...step },
    { name: `undo beside shadow git, ${among}`, unit: 'ms', ...back },
    { name: `a command's three changes beside shadow git, ${among}`, unit: 'ms', ...command },
  ];
}

/** The folder is nobody's repository: what the command may destroy is kept beforehand, once. */
async function commandBeside(
  folder: string,
  three: readonly string[],
  committed: () => Promise<number>,
): Promise<Pick<Measurement, 'belay' | 'floor'>> {
  await using covering = openCovering(folder);
  const change = () => {
    for (const name of three) appendFileSync(path.join(folder, name), '// more\n');
  };
  return await alternate({ n: 5, warmUp: 1 }, () => covering.around(change), committed);
}
