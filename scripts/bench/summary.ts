import { type Measurement, median } from '#test/bench/benchmark';

/** One line of the report: medians, their ratio, and the raw samples. */
export interface Row {
  readonly name: string;
  readonly belay: number;
  readonly floor: number;
  readonly ratio: number;
  /** "none" where the figure is only told. */
  readonly target: string;
  readonly met: boolean;
  readonly n: number;
  readonly unit: string;
  readonly samples: { readonly belay: readonly number[]; readonly floor: readonly number[] };
}

export function summarize({ name, unit, belay, floor, target }: Measurement): Row {
  const [ours, least] = [median(belay), median(floor)];
  const ratio = ours / least;
  return {
    name,
    belay: rounded(ours),
    floor: rounded(least),
    ratio: rounded(ratio),
    target: target ? `${target.of} ≤ ${target.atMost}` : 'none',
    met: !target || (target.of === 'belay' ? ours : ratio) <= target.atMost,
    n: Math.min(belay.length, floor.length),
    unit,
    samples: { belay: belay.map(rounded), floor: floor.map(rounded) },
  };
}

function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
