import { assertNever } from '#base/result';
import { type Expression, Unsupported } from './ast';
import type { Machine } from './machine';
import { member } from './members';
import { binary, unary } from './operators';
import { bind } from './patterns';
import { safeRegex } from './safe-regex';
import {
  bounded,
  ClassValue,
  Closure,
  classOf,
  isPlain,
  itemsOf,
  keyText,
  Native,
  type PlainObject,
  plain,
  Scope,
  settledValue,
  textOf,
  type Value,
} from './values';

export function evaluateNode(machine: Machine, node: Expression, scope: Scope): Value {
  machine.step();
  switch (node.type) {
    case 'literal':
      return node.value;
    case 'name':
      return node.name === 'undefined' ? undefined : scope.read(node.name);
    case 'this':
      return scope.self;
    case 'template':
      return bounded(
        node.strings.reduce(
          (text, part, index) =>
            text + textOf(machine.evaluate(node.values[index - 1] ?? node, scope)) + part,
        ),
      );
    case 'regex':
      return safeRegex(node.source, node.flags);
    case 'array':
      return listOf(machine, node.items, scope);
    case 'object':
      return objectOf(machine, node, scope);
    case 'function':
      return new Closure(node, scope);
    case 'class':
      return classValue(machine, node, scope);
    case 'unary':
      return unaryOf(machine, node, scope);
    case 'update':
      return update(machine, node, scope);
    case 'binary':
      return binaryOf(node.sign, machine.evaluate(node.left, scope), () =>
        machine.evaluate(node.right, scope),
      );
    case 'assign':
      return assign(machine, node, scope);
    case 'conditional':
      return machine.evaluate(machine.evaluate(node.test, scope) ? node.yes : node.no, scope);
    case 'member':
      return memberOf(machine, node, scope).value;
    case 'call':
      return callOf(machine, node, scope);
    case 'chain':
      return chainOf(machine, node.value, scope);
    case 'new':
      return construct(machine, machine.evaluate(node.callee, scope), listOf(machine, node.args, scope));
    case 'await':
      return settledValue(machine.evaluate(node.value, scope));
    case 'spread':
      throw new Unsupported('a spread here');
    default:
      return assertNever(node);
  }
}

function listOf(machine: Machine, items: readonly Expression[], scope: Scope): Value[] {
  const list: Value[] = [];
  for (const item of items) {
    if (item.type === 'spread') list.push(...itemsOf(machine.evaluate(item.value, scope)));
    else list.push(machine.evaluate(item, scope));
    bounded(list);
  }
  return list;
}

function objectOf(
  machine: Machine,
  { entries }: Extract<Expression, { type: 'object' }>,
  scope: Scope,
): PlainObject {
  const object = plain({});
  for (const entry of entries) {
    const value = machine.evaluate(entry.value, scope);
    if (entry.kind === 'property') object[keyText(machine.evaluate(entry.key, scope))] = value;
    else if (isPlain(value)) Object.assign(object, value);
    else if (value !== undefined && value !== null) throw new Unsupported('spreading this');
  }
  return object;
}

function classValue(
  machine: Machine,
  node: Extract<Expression, { type: 'class' }>,
  scope: Scope,
): ClassValue {
  const methods = new Map<string, Closure>();
  const statics = plain({});
  const made = new ClassValue(node, methods, statics, scope);
  for (const { name, isStatic, value, method } of node.members) {
    if (isStatic) statics[name] = value && machine.evaluate(value, new Scope(scope, made));
    else if (method && value?.type === 'function') methods.set(name, new Closure(value, scope));
  }
  return made;
}

function construct(machine: Machine, callee: Value, args: readonly Value[]): Value {
  if (callee instanceof Native && callee.construct) return callee.construct(args);
  if (!(callee instanceof ClassValue)) throw new Unsupported('new of this');
  const object = plain({});
  classOf.set(object, callee);
  for (const { name, isStatic, value, method } of callee.node.members) {
    if (!isStatic && !method)
      object[name] = value && machine.evaluate(value, new Scope(callee.scope, object));
  }
  const build = callee.methods.get('constructor');
  if (build) machine.call(build, args, object);
  return object;
}

function unaryOf(machine: Machine, node: Extract<Expression, { type: 'unary' }>, scope: Scope): Value {
  const { sign, value } = node;
  if (sign === 'delete') {
    if (value.type !== 'member') throw new Unsupported('this delete');
    const object = machine.evaluate(value.object, scope);
    return isPlain(object) && delete object[keyText(machine.evaluate(value.key, scope))];
  }
  return unary(sign, machine.evaluate(value, scope));
}

function binaryOf(sign: string, left: Value, right: () => Value): Value {
  switch (sign) {
    case '&&':
      return left && right();
    case '||':
      return left || right();
    case '??':
      return left ?? right();
    default:
      return bounded(binary(sign, left, right()));
  }
}

function update(
  machine: Machine,
  { sign, prefix, target }: Extract<Expression, { type: 'update' }>,
  scope: Scope,
): Value {
  const before = unary('+', machine.evaluate(target, scope)) as number;
  const after = sign === '++' ? before + 1 : before - 1;
  bind(target, after, { machine, scope, declare: false });
  return prefix ? after : before;
}

function assign(
  machine: Machine,
  { sign, target, value }: Extract<Expression, { type: 'assign' }>,
  scope: Scope,
): Value {
  const result =
    sign === '='
      ? machine.evaluate(value, scope)
      : binaryOf(sign.slice(0, -1), machine.evaluate(target, scope), () => machine.evaluate(value, scope));
  bind(target, result, { machine, scope, declare: false });
  return result;
}

function memberOf(
  machine: Machine,
  node: Extract<Expression, { type: 'member' }>,
  scope: Scope,
): { readonly self: Value; readonly value: Value } {
  const self = machine.evaluate(node.object, scope);
  if (node.optional && (self === undefined || self === null)) throw NOTHING;
  return { self, value: member(self, keyText(machine.evaluate(node.key, scope)), machine) };
}

function callOf(machine: Machine, node: Extract<Expression, { type: 'call' }>, scope: Scope): Value {
  const { callee } = node;
  const { self, value } =
    callee.type === 'member'
      ? memberOf(machine, callee, scope)
      : { self: undefined, value: machine.evaluate(callee, scope) };
  if (node.optional && (value === undefined || value === null)) throw NOTHING;
  return bounded(machine.call(value, listOf(machine, node.args, scope), self));
}

function chainOf(machine: Machine, node: Expression, scope: Scope): Value {
  try {
    return machine.evaluate(node, scope);
  } catch (error) {
    if (error === NOTHING) return undefined;
    throw error;
  }
}

/** Ends an optional chain. */
const NOTHING = new Error('nothing there');
