import type { Evidence } from './evidence';

export interface Solved<T> {
  readonly value: T;
  /** 0 to 60. */
  readonly certainty: number;
}

/** Most values that one place is worked out to. */
const MOST = 10;

/**
 * What a number in the source would have to be for the expected value to come out: when it stands in for it, is added, multiplies,
 * divides, takes a share off a value of the test, or says how long a text is.
 */
export function solveNumber(
  number: number,
  { pairs, values, actual, expected }: Evidence,
): readonly Solved<number>[] {
  const certainties = new Map<number, number>();
  const add = (value: number, certainty: number) => {
    const plain = Number.isFinite(value) && value <= 1e9 && Number(value.toFixed(2)) === value;
    if (plain && value !== number && value >= 0)
      certainties.set(value, Math.max(certainty, certainties.get(value) ?? 0));
  };
  for (const [came, wanted] of pairs) {
    if (came === number) add(wanted, 60);
    const sum = number + wanted - came;
    add(sum, sum % 10 === 0 ? 36 : 12);
    add((number * wanted) / came, 22);
    add((number * came) / wanted, 16);
    for (const value of values) {
      if (value > Math.max(came, wanted)) add((number * (value - wanted)) / (value - came), 34);
    }
  }
  for (const difference of lengthDifferences(actual, expected))
    add(number + difference, number <= 100 ? 20 : 8);
  return [...certainties]
    .map(([value, certainty]) => ({ value, certainty }))
    .sort((one, two) => two.certainty - one.certainty)
    .slice(0, MOST);
}

/** By how many characters the whole is too short, and each line of it. */
function lengthDifferences(actual: string, expected: string): ReadonlySet<number> {
  const lines = expected.split('\n');
  const each = actual.split('\n').map((line, index) => (lines[index]?.length ?? line.length) - line.length);
  return new Set([expected.length - actual.length, ...each].filter((difference) => difference !== 0));
}

/** What a text in the source would have to be: what is expected where it stands, else a word that is expected and didn't come. */
export function solveText(text: string, { actual, expected }: Evidence): readonly Solved<string>[] {
  const at = text === '' ? -1 : actual.indexOf(text);
  if (at < 0 || actual === expected) return [];
  const exact = between(expected, actual.slice(0, at), actual.slice(at + text.length));
  const words = (from: string) => new Set(from.match(/[\p{L}\p{N}]+/gu) ?? []);
  const came = words(actual);
  const missing = [...words(expected)].filter((word) => !came.has(word)).slice(0, 4);
  return [
    ...(exact === undefined ? [] : [{ value: exact, certainty: text.length > 1 ? 60 : 40 }]),
    ...missing.map((word) => ({ value: word, certainty: 15 })),
  ].filter(({ value }) => value !== text && !/['"`\\\n]/.test(value));
}

function between(text: string, head: string, tail: string): string | undefined {
  const fits = text.length >= head.length + tail.length && text.startsWith(head) && text.endsWith(tail);
  return fits ? text.slice(head.length, text.length - tail.length) : undefined;
}
