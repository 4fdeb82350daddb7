import type { Evidence } from './evidence';

type Sign = (evidence: Evidence) => boolean;

/**
 * A kind of small mistake: how likely it is the bug, in points beside which a place's nearness counts up to 25; in words; and more points
 * for a difference that it would explain.
 */
type Kind = readonly [base: number, why: string, points?: number, ...signs: readonly Sign[]];

export type MutationKind = keyof typeof KINDS;

const isTruth: Sign = ({ actual, expected }) =>
  [actual, expected].every((text) => /^(?:true|false)$/.test(text));
const isNothing: Sign = ({ actual }) => /NaN|\bundefined\b|\bnull\b/.test(actual);
const isPromise: Sign = ({ actual }) => /Promise/.test(actual);
const isByOne: Sign = ({ pairs }) => pairs.some(([one, two]) => Math.abs(one - two) === 1);
const isByPart: Sign = ({ pairs }) => pairs.some(([one, two]) => Math.abs(one - two) < 1);
const isNegated: Sign = ({ pairs }) => pairs.some(([one, two]) => one === -two);
const isReordered: Sign = ({ actual, expected }) =>
  actual !== expected && [...actual].sort().join() === [...expected].sort().join();
const isRestyled: Sign = ({ actual, expected }) => {
  const [one, two] = [actual, expected].map((text) => text.replace(/\s+/g, '').toLowerCase());
  return actual !== expected && one === two;
};

const KINDS = {
  border: [30, 'the border of this comparison may be on the wrong side', 25, isTruth, isByOne],
  direction: [14, 'this comparison may look the wrong way', 25, isTruth, isReordered],
  equality: [14, 'this comparison may be the wrong way round', 25, isTruth],
  arithmetic: [18, 'this operator would explain the difference', 25, isNegated],
  logic: [16, 'these conditions may be joined wrongly', 25, isTruth],
  negation: [12, 'this negation may be too much or missing', 30, isTruth],
  operands: [12, 'these two may be in the wrong order', 45, isNegated, isReordered],
  number: [10, 'this number may be off by one', 30, isByOne],
  'solved-number': [10, 'with this number the expected value would come out'],
  text: [10, 'with this text the expected value would come out'],
  method: [16, 'this method does nearly what is expected', 50, isRestyled, isReordered],
  rounding: [16, 'the rounding would explain the difference', 50, isByPart],
  boolean: [12, 'this value may be the wrong way round', 20, isTruth, isReordered],
  await: [10, 'a promise is used here before it is settled', 90, isPromise],
  variable: [6, 'another variable may be meant here', 30, isNothing],
} satisfies Readonly<Record<string, Kind>>;

/** How likely a kind is with this evidence, and why. */
export function likelihood(kind: MutationKind, evidence: Evidence): { points: number; why: string } {
  const [base, why, more = 0, ...signs]: Kind = KINDS[kind];
  return { points: base + (signs.some((sign) => sign(evidence)) ? more : 0), why };
}
