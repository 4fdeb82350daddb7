import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { alternate, type Measurement, milliseconds } from '#test/bench/benchmark';
import { openCore } from '#test/bench/core';
import { editDurably } from '#test/bench/floors/durable-edit';

const SIZES = [
  { name: '10 KB', lines: 250 },
  { name: '100 KB', lines: 2500 },
];

/** `edit_file`, from the call to its recorded result, gates, pre-image, journal and events included, against the bare durable edit. */
export async function measure(): Promise<readonly Measurement[]> {
  const work = mkdtempSync(path.join(os.tmpdir(), 'belay-edit-'));
  try {
    const measured: Measurement[] = [];
    for (const size of SIZES) measured.push(await editsOf(work, size));
    return measured;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function editsOf(work: string, { name, lines }: (typeof SIZES)[number]): Promise<Measurement> {
  const blobs = path.join(work, 'blobs');
  mkdirSync(path.join(work, 'workspace'), { recursive: true });
  mkdirSync(blobs, { recursive: true });
  const [own, bare] = [path.join(work, 'workspace', 'own.txt'), path.join(work, 'bare.txt')];
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
