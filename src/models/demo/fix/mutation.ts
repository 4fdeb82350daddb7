import type { Token } from '#models/demo/js/scan';

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

/** Another text in a token's place. */
export function instead(
  { start, end }: Pick<Token, 'start' | 'end'>,
  kind: MutationKind,
  replacement: string,
  more: Partial<Pick<Mutation, 'sides' | 'certainty'>> = {},
): Mutation {
  return { kind, start, end, replacement, sides: [], certainty: 0, ...more };
}
