import { setTimeout as sleep } from 'node:timers/promises';

/**
 * What a benchmark measured: Belay and its floor, the least that anyone could do, alternating run by run in the same process or the
 * same machine state. A file test/bench/NAME.bench.ts exports `measure(): Promise<readonly Measurement[]>`.
 */
export interface Measurement {
  readonly name: string;
  readonly unit: string;
  /** Raw samples; the nth of both were taken one after the other. */
  readonly belay: readonly number[];
  readonly floor: readonly number[];
  /** The bound on the median of Belay's samples, or on its ratio to the floor's median; without one it is only told. */
  readonly target?: { readonly of: 'belay' | 'ratio'; readonly atMost: number };
}

/** What a run leaves to be done when nobody waits is over after so many milliseconds. */
const REST = 5;

/** Takes `n` paired samples, after `warmUp` pairs that don't count. Neither is timed while the other's last work goes on. */
export async function alternate(
  { n, warmUp }: { readonly n: number; readonly warmUp: number },
  belay: () => Promise<number>,
  floor: () => Promise<number>,
): Promise<{ belay: number[]; floor: number[] }> {
  const samples = { belay: [] as number[], floor: [] as number[] };
  for (let run = -warmUp; run < n; run += 1) {
    await sleep(REST);
    const ofBelay = await belay();
    await sleep(REST);
    const ofFloor = await floor();
    if (run < 0) continue;
    samples.belay.push(ofBelay);
    samples.floor.push(ofFloor);
  }
  return samples;
}

/** The milliseconds that `work` takes. */
export async function milliseconds(work: () => unknown): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.slice(Math.floor((sorted.length - 1) / 2), Math.floor(sorted.length / 2) + 1);
  return middle.reduce((sum, value) => sum + value, 0) / middle.length;
}
