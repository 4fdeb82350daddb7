import type { Token } from '#models/demo/js/scan';
import { instead, type Mutation, type MutationKind } from './mutation';
import type { SourceFile } from './units';

const SIGNS: Readonly<Record<string, readonly (readonly [string, MutationKind])[]>> = {
  '<': [
    ['<=', 'border'],
    ['>', 'direction'],
  ],
  '<=': [
    ['<', 'border'],
    ['>=', 'direction'],
  ],
  '>': [
    ['>=', 'border'],
    ['<', 'direction'],
  ],
  '>=': [
    ['>', 'border'],
    ['<=', 'direction'],
  ],
  '===': [['!==', 'equality']],
  '!==': [['===', 'equality']],
  '==': [['!=', 'equality']],
  '!=': [['==', 'equality']],
  '+': [
    ['-', 'arithmetic'],
    ['*', 'arithmetic'],
  ],
  '-': [['+', 'arithmetic']],
  '*': [
    ['/', 'arithmetic'],
    ['+', 'arithmetic'],
  ],
  '/': [
    ['*', 'arithmetic'],
    ['%', 'arithmetic'],
  ],
  '%': [['/', 'arithmetic']],
  '+=': [
    ['-=', 'arithmetic'],
    ['=', 'arithmetic'],
  ],
  '-=': [['+=', 'arithmetic']],
  '*=': [
    ['/=', 'arithmetic'],
    ['+=', 'arithmetic'],
  ],
  '/=': [['*=', 'arithmetic']],
  '=': [['+=', 'arithmetic']],
  '++': [['--', 'arithmetic']],
  '--': [['++', 'arithmetic']],
  '&&': [['||', 'logic']],
  '||': [
    ['&&', 'logic'],
    ['??', 'logic'],
  ],
  '??': [['||', 'logic']],
  '!': [['', 'negation']],
};

/** Another operator in this one's place. */
export function signMutations({ tokens }: SourceFile, token: Token, index: number): readonly Mutation[] {
  const before = tokens[index - 1];
  const after = tokens[index + 1];
  const sides = [before, after].filter((side) => side !== undefined);
  if (token.text === '(' && /^(?:if|while)$/.test(before?.text ?? '')) return negated(token, after);
  if (token.text === '=' && declares(tokens, index)) return [];
  const prefix =
    !before || (before.kind !== 'string' && /^(?:[([{,;:?=]|=>|return|&&|\|\||[<>+*/%-])$/.test(before.text));
  if (prefix && token.text === '-') return [instead(token, 'arithmetic', '', { sides })];
  if (prefix && token.text !== '!') return [];
  return [
    ...(SIGNS[token.text] ?? []).map(([replacement, kind]) => instead(token, kind, replacement, { sides })),
    ...dropped(token, after),
  ];
}

/** The `=` of a declaration, a default or a destructuring: no assignment that could add up. */
function declares(tokens: readonly Token[], index: number): boolean {
  const declared = /^(?:const|let|var|[{,(])$/.test(tokens[index - 2]?.text ?? '');
  return declared || /^[\]})]$/.test(tokens[index - 1]?.text ?? '');
}

/** `if (x)` becomes `if (!x)`, for a condition that is one call or name. */
function negated(token: Token, after: Token | undefined): readonly Mutation[] {
  return after?.kind === 'name' ? [instead({ start: token.end, end: token.end }, 'negation', '!')] : [];
}

/** `length - 1` becomes `length`. */
function dropped(token: Token, after: Token | undefined): readonly Mutation[] {
  const offset = (token.text === '+' || token.text === '-') && after?.kind === 'number';
  return offset ? [instead({ start: token.start, end: after.end }, 'number', '')] : [];
}

/** `a - b` becomes `b - a`. */
export function operandSwaps({ text }: SourceFile, token: Token): readonly Mutation[] {
  if (token.text !== '-' && token.text !== '/') return [];
  const left = /([\w$.]+)(\s*)$/.exec(text.slice(Math.max(0, token.start - 80), token.start));
  const right = /^(\s*)([\w$.]+)/.exec(text.slice(token.end, token.end + 80));
  if (!left || !right || left[1] === right[2]) return [];
  const replacement = `${right[2]}${left[2]}${token.text}${right[1]}${left[1]}`;
  return [
    instead(
      { start: token.start - left[0].length, end: token.end + right[0].length },
      'operands',
      replacement,
    ),
  ];
}

/** `f(a, b)` becomes `f(b, a)`. */
export function argumentSwap({ tokens, text }: SourceFile, token: Token, index: number): readonly Mutation[] {
  if (token.text !== '(' || tokens[index - 1]?.kind !== 'name') return [];
  const inside = /^\s*([\w$.'"]+),\s*([\w$.'"]+)\s*(?=[,)])/.exec(text.slice(token.end, token.end + 120));
  if (!inside || inside[1] === inside[2]) return [];
  return [
    instead(
      { start: token.end, end: token.end + inside[0].length },
      'operands',
      `${inside[2]}, ${inside[1]}`,
    ),
  ];
}
