import type { Evidence } from './evidence';
import { numberOf, type Token } from './scan';

interface Solved {
  readonly value: string;
  /** 0 for a guess, to 60. */
  readonly certainty: number;
}

/** Most values that one place is worked out to. */
const MOST = 10;

/**
 * What a number in the source would have to be for the expected value to come out: when it stands in for it, is added, multiplies,
 * divides, takes a share off a value of the test, or says how long a text is. Behind these, plain guesses.
 */
export function numbersFor(token: Token, { pairs, values, actual, expected }: Evidence): readonly Solved[] {
  const number = numberOf(token);
  if (!Number.isFinite(number)) return [];
  const certainties = new Map<number, number>();
  const add = (value: number, certainty: number) => {
    const isPlain = value >= 0 && value <= 1e9 && Number(value.toFixed(2)) === value;
    if (isPlain && value !== number) certainties.set(value, Math.max(certainty, certainties.get(value) ?? 0));
  };
  for (const [came, wanted] of pairs) {
    if (came === number) add(wanted, 60);
    const sum = number + wanted - came;
    add(sum, sum % 10 === 0 ? 36 : 12);
    add((number * wanted) / came, 22);
    add((number * came) / wanted, 16);
    for (const value of values)
      if (value > Math.max(came, wanted)) add((number * (value - wanted)) / (value - came), 34);
  }
  for (const difference of lengthDifferences(actual, expected))
    add(number + difference, number <= 100 ? 20 : 8);
  const solved = [...certainties].sort(([, one], [, two]) => two - one).slice(0, MOST);
  const shifts = [1, -1, 2, -2].map((shift) => number + shift);
  const scales = [10, 100, 1000].flatMap((scale) => [number * scale, number / scale]);
  const guesses = [...shifts, ...scales, 0, 1].filter(
    (value) => value >= 0 && value !== number && !certainties.has(value) && String(value).length < 12,
  );
  return [...solved, ...[...new Set(guesses)].map((value) => [value, 0] as const)].map(
    ([value, certainty]) => ({
      value: written(value, token),
      certainty,
    }),
  );
}

/** By how many characters the whole is too short, and each line of it. */
function lengthDifferences(actual: string, expected: string): ReadonlySet<number> {
  const lines = expected.split('\n');
  const each = actual.split('\n').map((line, index) => (lines[index]?.length ?? line.length) - line.length);
  return new Set([expected.length - actual.length, ...each].filter((difference) => difference !== 0));
}

/** A number in the style of the one it replaces. */
function written(value: number, like: Token): string {
  const text = String(value);
  return like.text.includes('_') && Number.isInteger(value) ? text.replace(/\B(?=(?:\d{3})+$)/g, '_') : text;
}

/** What a text in the source would have to be: what is expected where it stands, else a word that is expected and didn't come. */
export function textsFor(text: string, { actual, expected }: Evidence): readonly Solved[] {
  const at = text === '' ? -1 : actual.indexOf(text);
  if (at < 0 || actual === expected) return [];
  const exact = between(expected, actual.slice(0, at), actual.slice(at + text.length));
  const words = (from: string) => new Set(from.match(/[\p{L}\p{N}]+/gu) ?? []);
  const came = words(actual);
  const missing = [...words(expected)].filter((word) => !came.has(word)).slice(0, 4);
  return [
    ...(exact === undefined ? [] : [{ value: exact, certainty: text.length > 1 ? 60 : 40 }]),
    ...missing.map((value) => ({ value, certainty: 15 })),
  ].filter(({ value }) => value !== text && !/['"`\\\n]/.test(value));
}

function between(text: string, head: string, tail: string): string | undefined {
  const fits = text.length >= head.length + tail.length && text.startsWith(head) && text.endsWith(tail);
  return fits ? text.slice(head.length, text.length - tail.length) : undefined;
}
