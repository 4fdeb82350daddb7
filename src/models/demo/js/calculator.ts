import type { Expression, FunctionNode } from './ast';
import { evaluateNode } from './expressions';
import type { Machine } from './machine';
import { bind } from './patterns';
import { runBlock } from './statements';
import { Closure, Exhausted, Native, Scope, Settled, Thrown, thrown, type Value } from './values';

/** How deep calls may nest: below what this process can take. */
const DEEPEST = 150;

/**
 * Calculates what JavaScript would do, without running it: a walk over its syntax with values of its own. No file, no network, no
 * time, nothing of this process can be reached; steps, depth and sizes are bounded. Whatever it doesn't know is `Unsupported`.
 */
export class Calculator implements Machine {
  #steps: number;
  #depth = 0;

  constructor(steps: number) {
    this.#steps = steps;
  }

  get stepsLeft(): number {
    return this.#steps;
  }

  step(): void {
    if (--this.#steps < 0) throw new Exhausted('too many steps');
  }

  evaluate(node: Expression, scope: Scope): Value {
    return evaluateNode(this, node, scope);
  }

  call(callee: Value, args: readonly Value[], self?: Value): Value {
    if (callee instanceof Native) return callee.call(args);
    if (!(callee instanceof Closure)) throw thrown('TypeError', 'it is not a function');
    if (++this.#depth > DEEPEST) throw new Exhausted('too deep');
    try {
      return callee.node.async ? this.#settle(callee, args, self) : this.#enter(callee, args, self);
    } finally {
      this.#depth--;
    }
  }

  #settle(callee: Closure, args: readonly Value[], self: Value): Settled {
    try {
      const value = this.#enter(callee, args, self);
      return value instanceof Settled ? value : new Settled(value);
    } catch (error) {
      if (error instanceof Thrown) return new Settled(undefined, error);
      throw error;
    }
  }

  #enter({ node, scope: outer }: Closure, args: readonly Value[], self: Value): Value {
    const scope = new Scope(outer, node.arrow ? undefined : self);
    this.#bindParams(node, args, scope);
    const completion = runBlock(this, node.body, scope);
    return completion?.kind === 'return' ? completion.value : undefined;
  }

  #bindParams({ params }: FunctionNode, args: readonly Value[], scope: Scope): void {
    for (const [index, param] of params.entries()) {
      if (param.type === 'spread')
        bind(param.value, args.slice(index), { machine: this, scope, declare: true });
      else bind(param, args[index], { machine: this, scope, declare: true });
    }
  }
}
