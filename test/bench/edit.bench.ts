import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { alternate, type Measurement, milliseconds } from '#test/bench/benchmark';
import { openCore } from '#test/bench/core';
import { editDurably } from '#test/bench/floors/durable-edit';
import { makeTree } from '#test/bench/tree';

const SIZES = [
  { name: '10 KB', lines: 250, beside: 0 },
  { name: '100 KB', lines: 2500, beside: 0 },
  { name: '10 KB beside 1k files', lines: 250, beside: 1000 },
  { name: '10 KB beside 10k files', lines: 250, beside: 10_000 },
  { name: '10 KB beside 100k files', lines: 250, beside: 100_000 },
];

/** `edit_file`, from the call to its recorded result, gates, pre-image, journal and events included, against the bare durable edit. */
export async function measure(): Promise<readonly Measurement[]> {
  const measured: Measurement[] = [];
  for (const size of SIZES) {
    const work = mkdtempSync(path.join(os.tmpdir(), 'belay-edit-'));
    try {
      measured.push(await editsOf(work, size));
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  }
  return measured;
}

async function editsOf(work: string, { name, lines, beside }: (typeof SIZES)[number]): Promise<Measurement> {
  const blobs = path.join(work, 'blobs');
  mkdirSync(path.join(work, 'workspace'), { recursive: true });
  mkdirSync(blobs, { recursive: true });
  const [own, bare] = [path.join(work, 'workspace', 'own.txt'), path.join(work, 'bare.txt')];
  makeTree(path.join(work, 'workspace'), beside);
  for (const file of [own, bare]) writeFileSync(file, textOf(lines));
  await using core = await openCore(path.join(work, 'workspace'));
  await core.turn({ name: 'read_file', input: { path: 'own.txt' } });
  let [ownRun, bareRun] = [0, 0];
  const samples = await alternate(
    { n: 31, warmUp: 5 },
    async () => {
      const passage = passageOf(ownRun++);
      const input = { path: 'own.txt', oldText: passage.old, newText: passage.new };
      return (await core.turn({ name: 'edit_file', input }))[0]?.ms ?? Number.NaN;
    },
    () => milliseconds(() => editDurably(bare, blobs, passageOf(bareRun++))),
  );
  return { name: `checkpointed edit, ${name}`, unit: 'ms', ...samples, target: { of: 'ratio', atMost: 2 } };
}

function textOf(lines: number): string {
  const body = Array.from({ length: lines }, (_, index) => `const value${index} = compute(${index});\n`);
  body[Math.floor(lines / 2)] = 'const changed = 0;\n';
  return body.join('');
}

function passageOf(run: number): { readonly old: string; readonly new: string } {
  return { old: `const changed = ${run};`, new: `const changed = ${run + 1};` };
}
