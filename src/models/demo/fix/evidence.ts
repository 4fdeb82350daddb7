import { closing } from '#models/demo/js/brackets';
import { numberOf, scan, type Token } from '#models/demo/js/scan';
import type { Failure } from './test-report';
import { namesIn } from './units';

/** What a failing test tells about the bug, without running anything. */
export interface Evidence {
  /** Names that the test's body mentions: what it calls, directly. */
  readonly mentioned: ReadonlySet<string>;
  /** Numbers that the test works with, and their sums and products: where a border may lie. */
  readonly values: ReadonlySet<number>;
  /** Numbers in the actual value, each beside the one expected in its place; only where they differ. */
  readonly pairs: readonly (readonly [actual: number, expected: number])[];
  readonly actual: string;
  readonly expected: string;
  /** Kinds of difference between the two. */
  readonly signs: ReadonlySet<Sign>;
}

export type Sign =
  | 'off-by-one'
  | 'rounding'
  | 'negated'
  | 'not-a-number'
  | 'nothing'
  | 'promise'
  | 'boolean'
  | 'letter-case'
  | 'blanks'
  | 'order'
  | 'length';

export function evidenceOf(failure: Failure, testText: string): Evidence {
  const body = bodyOf(failure, scan(testText));
  const actual = unquoted(failure.actual ?? '');
  const expected = unquoted(failure.expected ?? '');
  const pairs = pairsOf(actual, expected);
  return {
    mentioned: new Set(body.flatMap((token) => namesIn(token))),
    values: derived(body.map(numberOf).filter((value) => Number.isFinite(value))),
    pairs,
    actual,
    expected,
    signs: signsOf(actual, expected, pairs),
  };
}

/** Tokens of the failing test alone; of the whole file when it can't be told apart. */
function bodyOf({ name, line }: Failure, tokens: readonly Token[]): readonly Token[] {
  const named = tokens.findIndex((token, index) => {
    const called = tokens[index - 1]?.text === '(' && token.kind !== 'sign';
    return (
      called && (unquoted(token.text) === name || (line === undefined && name.endsWith(unquoted(token.text))))
    );
  });
  const end = named > 0 ? closing(tokens, named - 1) : undefined;
  return end === undefined ? tokens : tokens.slice(named, end);
}

const MOST_VALUES = 12;

function derived(numbers: readonly number[]): ReadonlySet<number> {
  const few = [...new Set(numbers)].slice(0, MOST_VALUES);
  const values = new Set(few);
  for (const [index, one] of few.entries()) {
    for (const two of few.slice(index)) values.add(one * two).add(one + two);
  }
  return values.add(numbers.reduce((sum, value) => sum + value, 0));
}

/** Numbers as they stand in both texts, place by place: "4.90" counts as 4.9 and as 490. */
function pairsOf(actual: string, expected: string): Evidence['pairs'] {
  const [ours, theirs] = [actual, expected].map(
    (text) => text.replace(/(?<=\d)[_,](?=\d{3})/g, '').match(/-?\d+(?:\.\d+)?|NaN/g) ?? [],
  );
  if (!ours || !theirs || ours.length !== theirs.length) return [];
  return ours.flatMap((one, index) => {
    const two = theirs[index] ?? one;
    if (one === two || one === 'NaN' || two === 'NaN') return [];
    const whole = [Number(one.replace('.', '')), Number(two.replace('.', ''))] as const;
    const exact = [Number(one), Number(two)] as const;
    return one.includes('.') && two.includes('.') ? [exact, whole] : [exact];
  });
}

function signsOf(actual: string, expected: string, pairs: Evidence['pairs']): ReadonlySet<Sign> {
  const compact = (text: string) => text.replace(/\s+/g, '');
  const sorted = (text: string) => [...compact(text)].sort().join('');
  const found: Record<Sign, boolean> = {
    'off-by-one': pairs.some(([one, two]) => Math.abs(one - two) === 1),
    rounding: pairs.some(([one, two]) => one !== two && Math.abs(one - two) < 1),
    negated: pairs.some(([one, two]) => one === -two),
    'not-a-number': /NaN/.test(actual) && !/NaN/.test(expected),
    nothing: /\bundefined\b|\bnull\b/.test(actual) && !/\bundefined\b|\bnull\b/.test(expected),
    promise: /Promise/.test(actual),
    boolean: /^(?:true|false)$/.test(actual) && /^(?:true|false)$/.test(expected),
    'letter-case': actual !== expected && actual.toLowerCase() === expected.toLowerCase(),
    blanks: actual !== expected && compact(actual) === compact(expected),
    order: compact(actual) !== compact(expected) && sorted(actual) === sorted(expected),
    length: actual.length !== expected.length && pairs.length === 0 && expected !== '',
  };
  return new Set((Object.keys(found) as Sign[]).filter((sign) => found[sign]));
}

/** A string literal's text; anything else as it is. */
export function unquoted(text: string): string {
  const inner = /^(['"`])([\s\S]*)\1$/.exec(text.trim())?.[2];
  return inner === undefined ? text.trim() : inner.replace(/\\n/g, '\n').replace(/\\(.)/g, '$1');
}
