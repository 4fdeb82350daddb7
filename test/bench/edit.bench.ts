import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { alternate, type Measurement, milliseconds } from '#test/bench/benchmark';
import { openCore } from '#test/bench/core';
import { editDurably } from '#test/bench/floors/durable-edit';
import { makeTree } from '#test/bench/tree';

const SMALL = { name: '10 KB', lines: 250, beside: 0 };
const SIZES = [
  SMALL,
  { name: '100 KB', lines: 2500, beside: 0 },
  { name: '10 KB beside 1k files', lines: 250, beside: 1000 },
  { name: '10 KB beside 10k files', lines: 250, beside: 10_000 },
  { name: '10 KB beside 100k files', lines: 250, beside: 100_000 },
];
type Size = typeof SMALL;
/** While V8 still compiles: a person's edits are made in a process that has run for hours. After so many its code is as quick as it gets. */
const FIRST = 100;
const SETTLED = 1500;

/** `edit_file`, from the call being announced to its recorded result, gates, pre-image, journal and events included, against the bare durable edit. */
export async function measure(): Promise<readonly Measurement[]> {
  const name = `checkpointed edit, 10 KB, the first ${FIRST} of a process`;
  // Told beside the settled figures, which have the target.
  const measured: Measurement[] = [{ name, unit: 'ms', ...(await editsOf(SMALL, { n: FIRST, warmUp: 0 })) }];
  await editsOf(SMALL, { n: 0, warmUp: SETTLED });
  for (const size of SIZES) {
    const samples = await editsOf(size, { n: 31, warmUp: 5 });
    const target = { of: 'ratio', atMost: 2 } as const;
    measured.push({ name: `checkpointed edit, ${size.name}`, unit: 'ms', ...samples, target });
  }
  return measured;
}

type Times = Parameters<typeof alternate>[0];
type Samples = Awaited<ReturnType<typeof alternate>>;

async function editsOf(size: Size, times: Times): Promise<Samples> {
  const work = mkdtempSync(path.join(os.tmpdir(), 'belay-edit-'));
  try {
    return await editsIn(work, size, times);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function editsIn(work: string, { lines, beside }: Size, times: Times): Promise<Samples> {
  const blobs = path.join(work, 'blobs');
  mkdirSync(path.join(work, 'workspace'), { recursive: true });
  mkdirSync(blobs, { recursive: true });
  const [own, bare] = [path.join(work, 'workspace', 'own.txt'), path.join(work, 'bare.txt')];
  makeTree(path.join(work, 'workspace'), beside);
  for (const file of [own, bare]) writeFileSync(file, textOf(lines));
  await using core = await openCore(path.join(work, 'workspace'));
  await core.turn({ name: 'read_file', input: { path: 'own.txt' } });
  let [ownRun, bareRun] = [0, 0];
  return await alternate(
    times,
    async () => {
      const passage = passageOf(ownRun++);
      const input = { path: 'own.txt', oldText: passage.old, newText: passage.new };
      return (await core.turn({ name: 'edit_file', input }))[0]?.recordedMs ?? Number.NaN;
    },
    () => milliseconds(() => editDurably(bare, blobs, passageOf(bareRun++))),
  );
}

function textOf(lines: number): string {
  const body = Array.from({ length: lines }, (_, index) => `const value${index} = compute(${index});\n`);
  body[Math.floor(lines / 2)] = 'const changed = 0;\n';
  return body.join('');
}

function passageOf(run: number): { readonly old: string; readonly new: string } {
  return { old: `const changed = ${run};`, new: `const changed = ${run + 1};` };
}
