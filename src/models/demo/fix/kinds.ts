import type { Evidence } from './evidence';

/** A kind of small mistake. */
interface Kind {
  /** How often such a mistake is the bug, in points beside which a place's nearness counts up to 25. */
  readonly base: number;
  readonly why: string;
  /** Points for a difference that it would explain. */
  readonly hint?: (evidence: Evidence) => number;
}

export type MutationKind = keyof typeof KINDS;

const isTruth = ({ actual, expected }: Evidence) =>
  /^(?:true|false)$/.test(actual) && /^(?:true|false)$/.test(expected);
const isBy =
  (fits: (difference: number) => boolean) =>
  ({ pairs }: Evidence) =>
    pairs.some(([actual, expected]) => fits(Math.abs(actual - expected)));
const isNothing = ({ actual }: Evidence) => /NaN|\bundefined\b|\bnull\b/.test(actual);
const isNegated = ({ pairs }: Evidence) => pairs.some(([actual, expected]) => actual === -expected);
const isReordered = ({ actual, expected }: Evidence) =>
  actual !== expected && [...actual].sort().join() === [...expected].sort().join();
const isRestyled = ({ actual, expected }: Evidence) =>
  plain(actual) === plain(expected) && actual !== expected;
const plain = (text: string) => text.replace(/\s+/g, '').toLowerCase();

const points =
  (most: number, ...signs: readonly ((evidence: Evidence) => boolean)[]) =>
  (evidence: Evidence) =>
    signs.some((sign) => sign(evidence)) ? most : 0;

/** Kinds of mistakes that are looked for. */
export const KINDS = {
  border: {
    base: 30,
    why: 'the border of this comparison may be on the wrong side',
    hint: points(
      25,
      isTruth,
      isBy((difference) => difference === 1),
    ),
  },
  direction: {
    base: 14,
    why: 'this comparison may look the wrong way',
    hint: points(25, isTruth, isReordered),
  },
  equality: { base: 14, why: 'this comparison may be the wrong way round', hint: points(25, isTruth) },
  arithmetic: { base: 18, why: 'this operator would explain the difference', hint: points(25, isNegated) },
  logic: { base: 16, why: 'these conditions may be joined wrongly', hint: points(25, isTruth) },
  negation: { base: 12, why: 'this negation may be too much or missing', hint: points(30, isTruth) },
  operands: {
    base: 12,
    why: 'these two may be in the wrong order',
    hint: points(45, isNegated, isReordered),
  },
  number: {
    base: 10,
    why: 'this number may be off by one',
    hint: points(
      30,
      isBy((difference) => difference === 1),
    ),
  },
  'solved-number': { base: 10, why: 'with this number the expected value would come out' },
  text: { base: 10, why: 'with this text the expected value would come out' },
  method: {
    base: 16,
    why: 'this method does nearly what is expected',
    hint: points(50, isRestyled, isReordered),
  },
  rounding: {
    base: 16,
    why: 'the rounding would explain the difference',
    hint: points(
      50,
      isBy((difference) => difference < 1),
    ),
  },
  boolean: { base: 12, why: 'this value may be the wrong way round', hint: points(20, isTruth, isReordered) },
  await: {
    base: 10,
    why: 'a promise is used here before it is settled',
    hint: points(90, ({ actual }) => /Promise/.test(actual)),
  },
  variable: { base: 6, why: 'another variable may be meant here', hint: points(30, isNothing) },
} satisfies Readonly<Record<string, Kind>>;

/** How likely a kind is, with this evidence. */
export function likelihood(kind: MutationKind, evidence: Evidence): number {
  const { base, hint }: Kind = KINDS[kind];
  return base + (hint?.(evidence) ?? 0);
}
