import { numberOf, type Token } from '#models/demo/js/scan';
import type { Evidence } from './evidence';
import { instead, type Mutation } from './mutation';
import { solveNumber, solveText } from './solve';
import type { SourceFile } from './units';

/** Another number: worked out from the values, one more or less, another power of ten. */
export function numberMutations(token: Token, evidence: Evidence): readonly Mutation[] {
  const value = numberOf(token);
  if (!Number.isFinite(value)) return [];
  const solved = solveNumber(value, evidence);
  const known = new Set(solved.map((each) => each.value));
  const guesses = [
    value + 1,
    value - 1,
    value * 10,
    value / 10,
    value * 100,
    value / 100,
    value * 1000,
    value / 1000,
    0,
    1,
    value + 2,
    value - 2,
  ];
  const fresh = [...new Set(guesses)].filter(
    (next) => next >= 0 && next !== value && !known.has(next) && String(next).length < 12,
  );
  return [
    ...solved.map((each) =>
      instead(token, 'solved-number', written(each.value, token), { certainty: each.certainty }),
    ),
    ...fresh.map((next) => instead(token, 'number', written(next, token))),
  ];
}

/** Another text: worked out from the values, or a word that is expected and didn't come. */
export function textMutations(token: Token, evidence: Evidence): readonly Mutation[] {
  const quote = token.text[0] ?? "'";
  return solveText(token.text.slice(1, -1), evidence).map(({ value, certainty }) =>
    instead(token, 'text', `${quote}${value}${quote}`, { certainty }),
  );
}

/** `length` becomes `length - 1` or `length + 1`, where an expression ends. */
export function oneMoreOrLess({ tokens }: SourceFile, token: Token, index: number): readonly Mutation[] {
  const after = tokens[index + 1];
  const before = tokens[index - 1]?.text ?? '';
  const ends = after?.kind === 'sign' && /^(?:[\]);]|<|<=)$/.test(after.text);
  if (
    !ends ||
    /^(?:const|let|var|function|class|import|[{])$/.test(before) ||
    tokens[index + 2]?.text === '=>' ||
    tokens[index + 2]?.text === '{'
  )
    return [];
  const place = { start: token.end, end: token.end };
  return [instead(place, 'number', ' - 1'), instead(place, 'number', ' + 1')];
}

/** A number in the style of the one it replaces. */
function written(value: number, like: Token): string {
  const text = String(value);
  return like.text.includes('_') && Number.isInteger(value) ? text.replace(/\B(?=(?:\d{3})+$)/g, '_') : text;
}
