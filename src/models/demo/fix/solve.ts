import type { Evidence } from './evidence';

export interface Solved<T> {
  readonly value: T;
  /** 0 to 60. */
  readonly certainty: number;
}

/**
 * What a number in the source would have to be for the expected value to come out, when it stands in for it, is added, multiplies,
 * divides, or takes a share off a value of the test.
 */
export function solveNumber(
  number: number,
  { pairs, values, actual, expected }: Evidence,
): readonly Solved<number>[] {
  const solved: Solved<number>[] = [];
  const add = (value: number, certainty: number) => {
    const plain = Number.isFinite(value) && Math.abs(value) <= 1e9 && Number(value.toFixed(2)) === value;
    if (plain && value !== number && value >= 0) solved.push({ value, certainty });
  };
  for (const [came, wanted] of pairs) {
    if (came === number) add(wanted, 60);
    add(number + wanted - came, round(number + wanted - came) ? 30 : 12);
    if (came !== 0 && wanted !== 0 && number !== 0) {
      add((number * wanted) / came, 22);
      add((number * came) / wanted, 16);
    }
    for (const value of values) {
      if (value !== came && value > Math.max(came, wanted))
        add((number * (value - wanted)) / (value - came), 34);
    }
  }
  // Digits and padding: a text that is too short or too long by as many characters.
  if (pairs.length === 0 || actual.length !== expected.length)
    add(number + expected.length - actual.length, number <= 20 ? 20 : 8);
  return best(solved);
}

function round(value: number): boolean {
  return value % 10 === 0;
}

/** What a text in the source would have to be: the part of the expected value that stands where it stands in the actual one. */
export function solveText(text: string, { actual, expected }: Evidence): readonly Solved<string>[] {
  const at = text === '' ? -1 : actual.indexOf(text);
  if (at < 0 || actual === expected) return [];
  const head = actual.slice(0, at);
  const tail = actual.slice(at + text.length);
  if (expected.length < head.length + tail.length) return [];
  if (!expected.startsWith(head) || !expected.endsWith(tail)) return [];
  const value = expected.slice(head.length, expected.length - tail.length);
  return value === text || /['"`\\\n]/.test(value) ? [] : [{ value, certainty: text.length > 1 ? 60 : 40 }];
}

function best(solved: readonly Solved<number>[]): readonly Solved<number>[] {
  const certainties = new Map<number, number>();
  for (const { value, certainty } of solved)
    certainties.set(value, Math.max(certainty, certainties.get(value) ?? 0));
  return [...certainties]
    .map(([value, certainty]) => ({ value, certainty }))
    .sort((a, b) => b.certainty - a.certainty)
    .slice(0, 4);
}
