import { Unsupported } from './ast';
import type { Machine } from './machine';
import {
  bounded,
  Closure,
  isPlain,
  Native,
  numberFrom,
  plain,
  Settled,
  settledValue,
  Thrown,
  textOf,
  type Value,
} from './values';

const PURE_MATH =
  'abs ceil floor round trunc sign sqrt cbrt pow min max hypot log log2 log10 exp sin cos tan atan atan2'.split(
    ' ',
  );

/** The names that every program finds. */
export function globals(machine: Pick<Machine, 'call'>): Readonly<Record<string, Value>> {
  const constant = { NaN: Number.NaN, Infinity: Number.POSITIVE_INFINITY };
  const errors = ['Error', 'TypeError', 'RangeError', 'SyntaxError'].map(
    (name) => [name, errorClass(name)] as const,
  );
  return {
    ...constant,
    ...Object.fromEntries(errors),
    Math: plain({
      ...Object.fromEntries(PURE_MATH.map((name) => [name, mathOf(name)])),
      PI: Math.PI,
      E: Math.E,
    }),
    Number: numberObject(),
    String: new Native(
      ([value = '']) => textOf(value),
      plain({
        name: 'String',
        fromCharCode: new Native((codes) => String.fromCharCode(...codes.map(numberFrom))),
      }),
    ),
    Boolean: new Native(([value]) => Boolean(value), plain({ name: 'Boolean' })),
    Array: arrayObject(machine),
    Object: objectObject(),
    Map: new Native(
      () => undefined,
      plain({ name: 'Map' }),
      ([items]) => new Map(pairsOf(items)),
    ),
    Set: new Native(
      () => undefined,
      plain({ name: 'Set' }),
      ([items]) => new Set(listOf(items)),
    ),
    Promise: promiseObject(),
    parseInt: parseIntNative,
    parseFloat: parseFloatNative,
    isNaN: new Native(([value]) => Number.isNaN(numberFrom(value))),
    isFinite: new Native(([value]) => Number.isFinite(numberFrom(value))),
    structuredClone: new Native(() => {
      throw new Unsupported('structuredClone');
    }),
    console: plain(
      Object.fromEntries(
        ['log', 'info', 'warn', 'error', 'debug'].map((name) => [name, new Native(() => undefined)]),
      ),
    ),
  };
}

const parseIntNative = new Native(([text, base]) =>
  Number.parseInt(textOf(text), base === undefined ? undefined : numberFrom(base)),
);
const parseFloatNative = new Native(([text]) => Number.parseFloat(textOf(text)));

function mathOf(name: string): Native {
  // The name is one of the list above: functions of numbers, and nothing else.
  const compute = (Math as unknown as Record<string, (...args: number[]) => number>)[name];
  return new Native((args) => compute?.(...args.map(numberFrom)));
}

function errorClass(name: string): Native {
  const make = ([message = '']: readonly Value[]) => plain({ name, message: textOf(message) });
  return new Native(make, plain({ name }), make);
}

function numberObject(): Native {
  return new Native(
    ([value = 0]) => numberFrom(value),
    plain({
      name: 'Number',
      isInteger: new Native(([value]) => Number.isInteger(value)),
      isSafeInteger: new Native(([value]) => Number.isSafeInteger(value)),
      isNaN: new Native(([value]) => Number.isNaN(value)),
      isFinite: new Native(([value]) => Number.isFinite(value)),
      parseInt: parseIntNative,
      parseFloat: parseFloatNative,
      MAX_SAFE_INTEGER: Number.MAX_SAFE_INTEGER,
      MIN_SAFE_INTEGER: Number.MIN_SAFE_INTEGER,
      EPSILON: Number.EPSILON,
    }),
  );
}

function arrayObject(machine: Pick<Machine, 'call'>): Native {
  const from = ([source, map]: readonly Value[]): Value => {
    const length = isPlain(source) ? numberFrom(source['length']) : 0;
    if (length > 5000) throw new Unsupported('so long a list');
    const items = isPlain(source) ? Array.from({ length }, () => undefined) : listOf(source);
    return map instanceof Closure ? items.map((item, index) => machine.call(map, [item, index])) : [...items];
  };
  const members = plain({
    name: 'Array',
    isArray: new Native(([value]) => Array.isArray(value)),
    from: new Native(from),
    of: new Native((items) => [...items]),
  });
  return new Native(() => {
    throw new Unsupported('Array()');
  }, members);
}

function objectObject(): Native {
  const own = (value: Value) => {
    if (!isPlain(value)) throw new Unsupported('the keys of this');
    return value;
  };
  const assign = ([target, ...sources]: readonly Value[]) =>
    Object.assign(own(target), ...sources.map(own)) as Value;
  return new Native(
    () => plain({}),
    plain({
      name: 'Object',
      keys: new Native(([value]) => Object.keys(own(value))),
      values: new Native(([value]) => Object.values(own(value))),
      entries: new Native(([value]) => Object.entries(own(value))),
      fromEntries: new Native(([items]) =>
        plain(Object.fromEntries(pairsOf(items).map(([key, value]) => [textOf(key), value]))),
      ),
      assign: new Native(assign),
      freeze: new Native(([value]) => value),
      hasOwn: new Native(([value, key]) => Object.hasOwn(own(value), textOf(key))),
      is: new Native(([one, two]) => Object.is(one, two)),
    }),
  );
}

function promiseObject(): Native {
  const all = ([items]: readonly Value[]): Value => {
    try {
      return new Settled(listOf(items).map(settledValue));
    } catch (error) {
      if (error instanceof Thrown) return new Settled(undefined, error);
      throw error;
    }
  };
  return new Native(
    () => undefined,
    plain({
      name: 'Promise',
      resolve: new Native(([value]) => (value instanceof Settled ? value : new Settled(value))),
      reject: new Native(([error]) => new Settled(undefined, new Thrown(error))),
      all: new Native(all),
    }),
  );
}

function listOf(value: Value): readonly Value[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value) || typeof value === 'string' || value instanceof Set || value instanceof Map)
    return bounded([...value]);
  throw new Unsupported('the items of this');
}

function pairsOf(value: Value): [Value, Value][] {
  return listOf(value).map((pair) => {
    if (!Array.isArray(pair)) throw new Unsupported('these entries');
    return [pair[0], pair[1]];
  });
}
