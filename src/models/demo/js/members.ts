import { Unsupported } from './ast';
import type { Machine } from './machine';
import {
  bounded,
  ClassValue,
  Closure,
  classOf,
  isPlain,
  Native,
  Settled,
  textOf,
  thrown,
  type Value,
} from './values';

const TEXT_METHODS = new Set(
  'at charAt charCodeAt codePointAt concat endsWith includes indexOf lastIndexOf localeCompare match normalize padEnd padStart repeat replace replaceAll search slice split startsWith substring toLowerCase toString toUpperCase trim trimEnd trimStart'.split(
    ' ',
  ),
);
const LIST_METHODS = new Set(
  'at concat entries every fill filter find findIndex findLast findLastIndex flat flatMap forEach includes indexOf join keys lastIndexOf map pop push reduce reduceRight reverse shift slice some sort splice toReversed toSorted toSpliced unshift values with'.split(
    ' ',
  ),
);
const NUMBER_METHODS = new Set(['toFixed', 'toString', 'toLocaleString', 'toPrecision']);
const MAP_METHODS = new Set(['get', 'set', 'has', 'delete', 'clear', 'keys', 'values', 'entries', 'forEach']);
const SET_METHODS = new Set(['add', 'has', 'delete', 'clear', 'keys', 'values', 'entries', 'forEach']);

/** What `object[key]` gives. Only what is listed here exists: nothing of this process can be reached. */
export function member(object: Value, key: string, machine: Pick<Machine, 'call'>): Value {
  if (object === undefined || object === null)
    throw thrown('TypeError', `Cannot read properties of ${object} (reading '${key}')`);
  if (isPlain(object)) return ofPlain(object, key);
  if (typeof object === 'string') return ofText(object, key, machine);
  if (Array.isArray(object)) return ofList(object, key, machine);
  if (typeof object === 'number') return NUMBER_METHODS.has(key) ? method(object, key, machine) : undefined;
  if (object instanceof Map || object instanceof Set) return ofCollection(object, key, machine);
  if (object instanceof Native) return object.members[key];
  if (object instanceof ClassValue) return object.statics[key];
  if (object instanceof RegExp && key === 'test')
    return new Native(([text]) => object.test(bounded(textOf(text))));
  if (object instanceof Settled) throw new Unsupported(`${key} of a promise`);
  if (object instanceof Closure && key === 'length') return object.node.params.length;
  throw new Unsupported(`the member ${key}`);
}

function ofPlain(object: Readonly<Record<string, Value>>, key: string): Value {
  if (Object.hasOwn(object, key)) return object[key];
  const own = classOf.get(object)?.methods.get(key);
  if (own) return own;
  if (key === 'hasOwnProperty') return new Native(([name]) => Object.hasOwn(object, textOf(name)));
  if (key === 'toString') return new Native(() => textOf(object));
  if (key === 'constructor' || key === '__proto__') throw new Unsupported(key);
  return undefined;
}

function ofText(text: string, key: string, machine: Pick<Machine, 'call'>): Value {
  if (key === 'length') return text.length;
  if (/^\d+$/.test(key)) return text[Number(key)];
  return TEXT_METHODS.has(key) ? method(text, key, machine) : undefined;
}

function ofList(list: readonly Value[], key: string, machine: Pick<Machine, 'call'>): Value {
  if (key === 'length') return list.length;
  if (/^\d+$/.test(key)) return list[Number(key)];
  return LIST_METHODS.has(key) ? method(list, key, machine) : undefined;
}

function ofCollection(
  collection: Map<Value, Value> | Set<Value>,
  key: string,
  machine: Pick<Machine, 'call'>,
): Value {
  if (key === 'size') return collection.size;
  const methods = collection instanceof Map ? MAP_METHODS : SET_METHODS;
  return methods.has(key) ? method(collection, key, machine) : undefined;
}

/** One of the listed methods, performed by this process's own on plain data; functions of the program are called back. */
function method(self: Value, key: string, machine: Pick<Machine, 'call'>): Native {
  return new Native((args) => {
    check(self, key, args);
    const own = args.map((arg) => (isFunction(arg) ? (...inner: Value[]) => machine.call(arg, inner) : arg));
    // The name is on a list of methods that this kind of value has.
    const perform = (Object(self) as Record<string, (...args: Value[]) => Value>)[key];
    const result = perform?.apply(self, own);
    if (isIterator(result)) return bounded([...result]);
    return bounded(result);
  });
}

function isFunction(value: Value): boolean {
  return value instanceof Closure || value instanceof Native;
}

function isIterator(value: Value): value is Iterable<Value> {
  return typeof value === 'object' && value !== null && 'next' in value && Symbol.iterator in value;
}

/** Refuses what could grow without a step being counted, or would call back into objects. */
function check(self: Value, key: string, args: readonly Value[]): void {
  if (
    /^(?:repeat|padStart|padEnd|flat|toFixed|toPrecision)$/.test(key) &&
    Number(args[0] ?? 0) > (key === 'flat' ? 1 : 5000)
  ) {
    throw new Unsupported(`${key} of so many`);
  }
  if (key === 'join' || (key === 'sort' && args.length === 0)) textOf(self);
  if (
    typeof self === 'string' &&
    args.some(
      (arg) => typeof arg === 'object' && arg !== null && !(arg instanceof RegExp) && !isFunction(arg),
    )
  ) {
    throw new Unsupported(`${key} with an object`);
  }
  if (typeof self === 'number' && args.some((arg) => isPlain(arg)))
    throw new Unsupported(`${key} with options`);
}
