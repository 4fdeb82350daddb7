import type { Expression } from './ast';
import type { Scope, Value } from './values';

/** How a statement ended, when not by going on to the next. */
export type Completion =
  | { readonly kind: 'return'; readonly value: Value }
  | { readonly kind: 'break' | 'continue' }
  | undefined;

/** What the parts of the calculator need of one another. */
export interface Machine {
  /** Counts a step; throws when there were too many. */
  step(): void;
  evaluate(node: Expression, scope: Scope): Value;
  /** Calls a function of the program or of the calculator. */
  call(callee: Value, args: readonly Value[], self?: Value): Value;
}
