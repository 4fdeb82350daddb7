/** What doesn't fit: where, from the top, and the rule that is broken, in words for the model. */
export interface Misfit {
  readonly path: readonly (string | number)[];
  readonly rule: string;
}

/** One check of one value: what is left of the work it may take, and what was found so far. */
export interface Check {
  readonly root: unknown;
  steps: number;
  readonly misfits: Misfit[];
  /** Checks a value that lies in the one at hand, and adds what doesn't fit. */
  visit(value: unknown, schema: unknown, check: Check, spot: Spot): void;
}

/** A place in the value that is checked. */
export interface Spot {
  readonly path: readonly (string | number)[];
  /** How many schemas were entered to get here. */
  readonly depth: number;
}

const MOST_MISFITS = 50;

/** Notes what doesn't fit; so many are enough for anybody. */
export function misfit(check: Check, { path }: Spot, rule: string): void {
  if (check.misfits.length < MOST_MISFITS) check.misfits.push({ path, rule });
}

/** What doesn't fit when it is looked at by itself. */
export function trial(value: unknown, schema: unknown, check: Check, spot: Spot): readonly Misfit[] {
  const own: Check = { ...check, misfits: [] };
  try {
    check.visit(value, schema, own, spot);
  } finally {
    check.steps = own.steps;
  }
  return own.misfits;
}
