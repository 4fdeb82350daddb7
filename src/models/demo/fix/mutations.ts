import { numberOf, type Token } from '#models/demo/js/scan';
import type { Evidence } from './evidence';
import { solveNumber, solveText } from './solve';
import type { SourceFile } from './units';

export type MutationKind =
  | 'border'
  | 'direction'
  | 'equality'
  | 'arithmetic'
  | 'logic'
  | 'negation'
  | 'operands'
  | 'number'
  | 'solved-number'
  | 'text'
  | 'method'
  | 'rounding'
  | 'boolean'
  | 'await'
  | 'variable';

/** One small change of one place. */
export interface Mutation {
  readonly kind: MutationKind;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  /** The tokens on both sides of an operator. */
  readonly sides: readonly Token[];
  /** How well it was worked out from the values, 0 to 60. */
  readonly certainty: number;
}

/** Every change that the rules know for a file. */
export function mutationsOf(file: SourceFile, evidence: Evidence): readonly Mutation[] {
  return file.tokens.flatMap((token, index) => {
    switch (token.kind) {
      case 'sign':
        return [...signMutations(file, token, index), ...operandSwaps(file, token, index)];
      case 'name':
        return [
          ...nameMutations(file, token, index),
          ...awaits(file, token, index, evidence),
          ...variables(file, token, index),
        ];
      case 'number':
        return numberMutations(token, evidence);
      case 'string':
        return textMutations(token, evidence);
      default:
        return [];
    }
  });
}

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

function signMutations({ tokens }: SourceFile, token: Token, index: number): readonly Mutation[] {
  const before = tokens[index - 1];
  const after = tokens[index + 1];
  const sides = [before, after].filter((side) => side !== undefined);
  if (token.text === '=' && /^(?:const|let|var)$/.test(tokens[index - 2]?.text ?? '')) return [];
  const prefix = !before || /^(?:[([{,;:?=]|=>|return|&&|\|\|)$/.test(before.text);
  if (prefix && token.text === '-')
    return [{ ...place(token), kind: 'arithmetic', replacement: '', sides, certainty: 0 }];
  if (prefix && token.text !== '!') return [];
  return (SIGNS[token.text] ?? []).map(([replacement, kind]) => ({
    ...place(token),
    kind,
    replacement,
    sides,
    certainty: 0,
  }));
}

/** `a - b` becomes `b - a`. */
function operandSwaps({ text }: SourceFile, token: Token, _index: number): readonly Mutation[] {
  if (token.text !== '-' && token.text !== '/') return [];
  const left = /([\w$.]+)(\s*)$/.exec(text.slice(Math.max(0, token.start - 80), token.start));
  const right = /^(\s*)([\w$.]+)/.exec(text.slice(token.end, token.end + 80));
  if (!left || !right || left[1] === right[2]) return [];
  const replacement = `${right[2]}${left[2]}${token.text}${right[1]}${left[1]}`;
  const start = token.start - left[0].length;
  return [
    { kind: 'operands', start, end: token.end + right[0].length, replacement, sides: [], certainty: 0 },
  ];
}

const NAMES: Readonly<Record<string, readonly string[]>> = {
  min: ['max'],
  max: ['min'],
  toUpperCase: ['toLowerCase'],
  toLowerCase: ['toUpperCase'],
  padStart: ['padEnd'],
  padEnd: ['padStart'],
  startsWith: ['endsWith', 'includes'],
  endsWith: ['startsWith', 'includes'],
  push: ['unshift'],
  unshift: ['push'],
  pop: ['shift'],
  shift: ['pop'],
  some: ['every'],
  every: ['some'],
  find: ['findLast'],
  findLast: ['find'],
  indexOf: ['lastIndexOf'],
  lastIndexOf: ['indexOf'],
  trimStart: ['trim', 'trimEnd'],
  trimEnd: ['trim', 'trimStart'],
  replace: ['replaceAll'],
  keys: ['values'],
  values: ['keys'],
};
const ROUNDINGS: Readonly<Record<string, readonly string[]>> = {
  floor: ['round', 'ceil'],
  ceil: ['round', 'floor'],
  round: ['floor', 'ceil'],
  trunc: ['round', 'floor'],
  parseInt: ['parseFloat'],
};

function nameMutations({ tokens }: SourceFile, token: Token, index: number): readonly Mutation[] {
  const member = tokens[index - 1]?.text === '.';
  const make = (kind: MutationKind, replacement: string): Mutation => ({
    ...place(token),
    kind,
    replacement,
    sides: [],
    certainty: 0,
  });
  if (token.text === 'true' || token.text === 'false')
    return [make('boolean', token.text === 'true' ? 'false' : 'true')];
  if (token.text === 'parseInt' && !member)
    return [make('rounding', 'Number.parseFloat'), make('rounding', 'Number')];
  if (!member) return [];
  return [
    ...(NAMES[token.text] ?? []).map((name) => make('method', name)),
    ...(ROUNDINGS[token.text] ?? []).map((name) => make('rounding', name)),
  ];
}

/** An `await` in front of a call, where a promise came instead of its value. */
function awaits(
  { tokens, text }: SourceFile,
  token: Token,
  index: number,
  { signs }: Evidence,
): readonly Mutation[] {
  const before = tokens[index - 1]?.text ?? '';
  const suspicious = signs.has('promise') || signs.has('not-a-number') || signs.has('nothing');
  if (!suspicious || !/^(?:[=([,+*/-]|=>|return|\.\.\.)$/.test(before)) return [];
  if (!/^[\w$.]*\(/.test(text.slice(token.end))) return [];
  return [
    { kind: 'await', start: token.start, end: token.start, replacement: 'await ', sides: [], certainty: 0 },
  ];
}

/** Another parameter or local of the same function in this one's place. */
function variables({ tokens, units }: SourceFile, token: Token, index: number): readonly Mutation[] {
  const unit = units.findLast(({ start, end }) => start < token.start && token.end <= end);
  if (!unit || tokens[index - 1]?.text === '.' || tokens[index + 1]?.text === '(') return [];
  const inside = tokens.filter(({ start, end }) => start >= unit.start && end <= unit.end);
  const locals = localsOf(inside);
  const declaration = /^(?:const|let|var|function)$/.test(tokens[index - 1]?.text ?? '');
  if (!locals.has(token.text) || declaration || locals.get(token.text) === token.start) return [];
  return [...locals.keys()]
    .filter((name) => name !== token.text)
    .map((name) => ({ ...place(token), kind: 'variable', replacement: name, sides: [], certainty: 0 }));
}

/** Names that a unit takes or declares, with where. */
function localsOf(inside: readonly Token[]): ReadonlyMap<string, number> {
  const locals = new Map<string, number>();
  const body = inside.findIndex(
    ({ text }, at) => (text === '{' && inside[at - 1]?.text === ')') || text === '=>',
  );
  for (const [at, { kind, text, start }] of inside.entries()) {
    const parameter = at > 0 && at < body && inside[at - 1]?.text !== ':' && inside[at - 1]?.text !== '=';
    const declared = /^(?:const|let|var)$/.test(inside[at - 1]?.text ?? '');
    if (
      kind === 'name' &&
      (parameter || declared) &&
      !locals.has(text) &&
      !/^(?:const|let|var|async|function)$/.test(text)
    ) {
      locals.set(text, start);
    }
  }
  return locals;
}

function numberMutations(token: Token, evidence: Evidence): readonly Mutation[] {
  const value = numberOf(token);
  if (!Number.isFinite(value)) return [];
  const solved = solveNumber(value, evidence).map(({ value: replacement, certainty }) => ({
    ...place(token),
    kind: 'solved-number' as const,
    replacement: written(replacement, token),
    sides: [],
    certainty,
  }));
  const known = new Set(solved.map(({ replacement }) => replacement));
  const steps = [value + 1, value - 1].filter((next) => next >= 0 && !known.has(written(next, token)));
  return [
    ...solved,
    ...steps.map((next) => ({
      ...place(token),
      kind: 'number' as const,
      replacement: written(next, token),
      sides: [],
      certainty: 0,
    })),
  ];
}

function textMutations(token: Token, evidence: Evidence): readonly Mutation[] {
  const quote = token.text[0] ?? "'";
  return solveText(token.text.slice(1, -1), evidence).map(({ value, certainty }) => ({
    ...place(token),
    kind: 'text',
    replacement: `${quote}${value}${quote}`,
    sides: [],
    certainty,
  }));
}

function place({ start, end }: Token): Pick<Mutation, 'start' | 'end'> {
  return { start, end };
}

/** A number in the style of the one it replaces. */
function written(value: number, like: Token): string {
  const text = String(value);
  return like.text.includes('_') ? text.replace(/\B(?=(?:\d{3})+$)/g, '_') : text;
}
