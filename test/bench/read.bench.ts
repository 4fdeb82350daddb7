import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { alternate, type Measurement, milliseconds } from '#test/bench/benchmark';
import { openCore } from '#test/bench/core';
import { makeTree } from '#test/bench/tree';

const SIZES = [1000, 10_000, 100_000];

/**
 * `read_file` of one small file after the other, from the reply that asks for it to the next request (while that travels it is recorded),
 * gates included, against reading alone: it has to stay as it is however large the folder.
 */
export async function measure(): Promise<readonly Measurement[]> {
  const measured: Measurement[] = [];
  for (const files of SIZES) {
    const folder = mkdtempSync(path.join(realpathSync(os.tmpdir()), 'belay-read-'));
    try {
      measured.push(await readsAmong(folder, files));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return measured;
}

async function readsAmong(folder: string, files: number): Promise<Measurement> {
  const names = makeTree(folder, files);
  await using core = await openCore(folder);
  let [own, bare] = [0, files / 2];
  const samples = await alternate(
    { n: 101, warmUp: 20 },
    async () => {
      const call = { name: 'read_file', input: { path: names[own++] } };
      return (await core.turn(call))[0]?.ms ?? Number.NaN;
    },
    () => milliseconds(() => readFile(path.join(folder, names[bare++] ?? ''))),
  );
  return { name: `read of a file among ${files / 1000}k`, unit: 'ms', ...samples };
}
