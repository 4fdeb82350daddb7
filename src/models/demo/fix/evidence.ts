import { closing, numberOf, scan, type Token } from './scan';
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
}

export function evidenceOf(failure: Failure, testText: string): Evidence {
  const body = bodyOf(failure, scan(testText));
  const [actual, expected] = [unquoted(failure.actual ?? ''), unquoted(failure.expected ?? '')];
  return {
    mentioned: new Set(body.flatMap(namesIn)),
    values: derived(body.map(numberOf).filter(Number.isFinite)),
    pairs: pairsOf(actual, expected),
    actual,
    expected,
  };
}

/** Tokens of the failing test alone; of the whole file when it can't be told apart. */
function bodyOf({ name, line }: Failure, tokens: readonly Token[]): readonly Token[] {
  const named = tokens.findIndex(({ kind, text }, index) => {
    const title = unquoted(text);
    const fits = title === name || (line === undefined && name.endsWith(title));
    return fits && kind !== 'sign' && tokens[index - 1]?.text === '(';
  });
  const end = named > 0 ? closing(tokens, named - 1) : undefined;
  return end === undefined ? tokens : tokens.slice(named, end);
}

const MOST_VALUES = 12;

function derived(numbers: readonly number[]): ReadonlySet<number> {
  const few = [...new Set(numbers)].slice(0, MOST_VALUES);
  const both = few.flatMap((one, index) => few.slice(index).flatMap((two) => [one * two, one + two]));
  return new Set([...few, ...both, numbers.reduce((sum, value) => sum + value, 0)]);
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

/** A string literal's text; anything else as it is. */
export function unquoted(text: string): string {
  const inner = /^(['"`])([\s\S]*)\1$/.exec(text.trim())?.[2];
  return inner === undefined ? text.trim() : inner.replace(/\\n/g, '\n').replace(/\\(.)/g, '$1');
}
