import { assertNever } from '#base/result';
import type { Statement } from './ast';
import type { Completion, Machine } from './machine';
import { bind } from './patterns';
import { Closure, isPlain, itemsOf, Scope, Thrown, type Value } from './values';

type Loop = Extract<Statement, { type: 'for' | 'for-each' | 'while' }>;

/** Runs statements in a scope; functions exist before their place, as in JavaScript. */
export function runBlock(machine: Machine, body: readonly Statement[], scope: Scope): Completion {
  for (const statement of body) hoist(statement, scope);
  for (const statement of body) {
    const completion = runStatement(machine, statement, scope);
    if (completion) return completion;
  }
  return undefined;
}

function hoist(statement: Statement, scope: Scope): void {
  if (statement.type === 'export' && statement.declaration) hoist(statement.declaration, scope);
  if (statement.type !== 'declare') return;
  for (const { target, value } of statement.entries) {
    if (target.type === 'name' && value?.type === 'function' && !value.arrow)
      scope.declare(target.name, new Closure(value, scope));
  }
}

function runStatement(machine: Machine, statement: Statement, scope: Scope): Completion {
  machine.step();
  switch (statement.type) {
    case 'expression':
      machine.evaluate(statement.value, scope);
      return undefined;
    case 'declare':
      for (const { target, value } of statement.entries)
        bind(target, value && machine.evaluate(value, scope), { machine, scope, declare: true });
      return undefined;
    case 'export':
      return statement.declaration && runStatement(machine, statement.declaration, scope);
    case 'import':
      return undefined;
    case 'block':
      return runBlock(machine, statement.body, new Scope(scope));
    case 'if':
      if (machine.evaluate(statement.test, scope)) return runStatement(machine, statement.yes, scope);
      return statement.no && runStatement(machine, statement.no, scope);
    case 'return':
      return { kind: 'return', value: statement.value && machine.evaluate(statement.value, scope) };
    case 'break':
    case 'continue':
      return { kind: statement.type };
    case 'throw':
      throw new Thrown(machine.evaluate(statement.value, scope));
    case 'try':
      return runTry(machine, statement, scope);
    case 'switch':
      return runSwitch(machine, statement, scope);
    case 'for':
    case 'for-each':
    case 'while':
      return runLoop(machine, statement, scope);
    default:
      return assertNever(statement);
  }
}

function runLoop(machine: Machine, statement: Loop, outer: Scope): Completion {
  const scope = new Scope(outer);
  for (const inner of rounds(machine, statement, scope)) {
    const completion = runStatement(machine, statement.body, inner);
    if (completion?.kind === 'return') return completion;
    if (completion?.kind === 'break') break;
  }
  return undefined;
}

/** The scope of each round of a loop. */
function* rounds(machine: Machine, statement: Loop, scope: Scope): Generator<Scope> {
  if (statement.type === 'for-each') {
    const items = machine.evaluate(statement.items, scope);
    for (const item of statement.over === 'of' ? itemsOf(items) : keysOf(items)) {
      const inner = new Scope(scope);
      bind(statement.target, item, { machine, scope: inner, declare: true });
      yield inner;
    }
    return;
  }
  if (statement.type === 'for') {
    if (statement.first) runStatement(machine, statement.first, scope);
    for (
      ;
      !statement.test || machine.evaluate(statement.test, scope);
      statement.step && machine.evaluate(statement.step, scope)
    )
      yield scope;
    return;
  }
  if (statement.bodyFirst) yield scope;
  while (machine.evaluate(statement.test, scope)) yield scope;
}

function runTry(machine: Machine, statement: Extract<Statement, { type: 'try' }>, scope: Scope): Completion {
  let completion: Completion;
  try {
    completion = runStatement(machine, statement.body, scope);
  } catch (error) {
    if (!(error instanceof Thrown) || !statement.handler) throw error;
    const inner = new Scope(scope);
    if (statement.parameter) bind(statement.parameter, error.value, { machine, scope: inner, declare: true });
    completion = runStatement(machine, statement.handler, inner);
  } finally {
    if (statement.last) runStatement(machine, statement.last, scope);
  }
  return completion;
}

function runSwitch(
  machine: Machine,
  { value, cases }: Extract<Statement, { type: 'switch' }>,
  scope: Scope,
): Completion {
  const chosen = machine.evaluate(value, scope);
  const fits = cases.findIndex(({ test }) => test && machine.evaluate(test, scope) === chosen);
  const first = fits >= 0 ? fits : cases.findIndex(({ test }) => !test);
  if (first < 0) return undefined;
  const completion = runBlock(
    machine,
    cases.slice(first).flatMap(({ body }) => body),
    new Scope(scope),
  );
  return completion?.kind === 'break' ? undefined : completion;
}

function keysOf(value: Value): readonly string[] {
  return isPlain(value) || Array.isArray(value) ? Object.keys(value) : [];
}
