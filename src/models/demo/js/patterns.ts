import { type Expression, Unsupported } from './ast';
import type { Machine } from './machine';
import { member } from './members';
import { ClassValue, isPlain, itemsOf, keyText, plain, type Scope, thrown, type Value } from './values';

/** Where names are bound, and whether they are new there. */
export interface Binding {
  readonly machine: Machine;
  readonly scope: Scope;
  readonly declare: boolean;
}

/** Gives a pattern its values: declares names, or writes to what is there. */
export function bind(target: Expression, value: Value, binding: Binding): void {
  const { machine, scope, declare } = binding;
  switch (target.type) {
    case 'name':
      if (declare) scope.declare(target.name, value);
      else scope.write(target.name, value);
      break;
    case 'assign':
      bind(target.target, value === undefined ? machine.evaluate(target.value, scope) : value, binding);
      break;
    case 'array': {
      const items = itemsOf(value);
      for (const [index, item] of target.items.entries()) {
        if (item.type === 'spread') bind(item.value, items.slice(index), binding);
        else if (item.type !== 'literal') bind(item, items[index], binding);
      }
      break;
    }
    case 'object':
      bindObject(target, value, binding);
      break;
    case 'member':
      store(machine, target, value, scope);
      break;
    default:
      throw new Unsupported('this pattern');
  }
}

function bindObject(
  { entries }: Extract<Expression, { type: 'object' }>,
  value: Value,
  binding: Binding,
): void {
  if (value === undefined || value === null) throw thrown('TypeError', `Cannot destructure ${value}`);
  const taken = new Set<string>();
  for (const entry of entries) {
    if (entry.kind === 'spread') {
      const rest = isPlain(value) ? Object.entries(value).filter(([key]) => !taken.has(key)) : [];
      bind(entry.value, plain(Object.fromEntries(rest)), binding);
      continue;
    }
    const key = keyText(binding.machine.evaluate(entry.key, binding.scope));
    taken.add(key);
    bind(entry.value, member(value, key, binding.machine), binding);
  }
}

function store(
  machine: Machine,
  target: Extract<Expression, { type: 'member' }>,
  value: Value,
  scope: Scope,
): void {
  const object = machine.evaluate(target.object, scope);
  const key = machine.evaluate(target.key, scope);
  if (isPlain(object)) object[keyText(key)] = value;
  else if (object instanceof ClassValue) object.statics[keyText(key)] = value;
  else if (
    Array.isArray(object) &&
    typeof key === 'number' &&
    Number.isInteger(key) &&
    key >= 0 &&
    key <= object.length
  )
    object[key] = value;
  else if (object === undefined || object === null)
    throw thrown('TypeError', `Cannot set properties of ${object}`);
  else throw new Unsupported('setting this');
}
