import { Unsupported } from './ast';
import type { Machine } from './machine';
import { loosely } from './operators';
import { isPlain, Native, plain, Settled, settledValue, Thrown, type Value } from './values';

/** Node's `assert`, strict or not, as far as a calculation can tell. */
export function assertions(machine: Pick<Machine, 'call'>, strict: boolean): Native {
  const check = (holds: boolean) => {
    if (!holds) throw new Thrown(plain({ name: 'AssertionError', message: 'it does not hold' }));
  };
  const equal = strict ? Object.is : loosely;
  const deep = (one: Value, two: Value) =>
    deeplyEqual(one, two, strict ? Object.is : loosely, { left: 5000 });
  const deepStrict = (one: Value, two: Value) => deeplyEqual(one, two, Object.is, { left: 5000 });
  const throwing = (run: () => unknown): boolean => {
    try {
      run();
      return false;
    } catch (error) {
      if (error instanceof Thrown) return true;
      throw error;
    }
  };
  const of = (test: (one: Value, two: Value) => boolean) => new Native(([one, two]) => check(test(one, two)));
  const ok = new Native(([value]) => check(Boolean(value)));
  const members = plain({
    ok,
    equal: of(equal),
    notEqual: of((one, two) => !equal(one, two)),
    strictEqual: of(Object.is),
    notStrictEqual: of((one, two) => !Object.is(one, two)),
    deepEqual: of(deep),
    deepStrictEqual: of(deepStrict),
    notDeepEqual: of((one, two) => !deep(one, two)),
    notDeepStrictEqual: of((one, two) => !deepStrict(one, two)),
    match: of((text, pattern) => matches(text, pattern)),
    doesNotMatch: of((text, pattern) => !matches(text, pattern)),
    throws: new Native(([callee]) => check(throwing(() => machine.call(callee, [])))),
    doesNotThrow: new Native(([callee]) => check(!throwing(() => machine.call(callee, [])))),
    rejects: new Native(([callee]) => {
      const promise = callee instanceof Settled ? callee : throwingCall(() => machine.call(callee, []));
      check(throwing(() => settledValue(promise)));
      return new Settled(undefined);
    }),
  });
  members['strict'] = strict ? new Native(ok.call, members) : assertions(machine, true);
  return new Native(ok.call, members);
}

function throwingCall(run: () => Value): Value {
  try {
    return run();
  } catch (error) {
    if (error instanceof Thrown) return new Settled(undefined, error);
    throw error;
  }
}

function matches(text: Value, pattern: Value): boolean {
  if (!(pattern instanceof RegExp)) throw new Unsupported('match');
  return typeof text === 'string' && new RegExp(pattern.source, pattern.flags).test(text);
}

type Equal = (one: Value, two: Value) => boolean;

/** `budget` bounds lists that hold themselves, or one another many times over. */
function deeplyEqual(one: Value, two: Value, equal: Equal, budget: { left: number }): boolean {
  if (--budget.left < 0) throw new Unsupported('so large a comparison');
  if (one instanceof Map && two instanceof Map) return deeplyEqual([...one], [...two], equal, budget);
  if (one instanceof Set && two instanceof Set) return deeplyEqual([...one], [...two], equal, budget);
  if (Array.isArray(one) && Array.isArray(two)) {
    return (
      one.length === two.length && one.every((item, index) => deeplyEqual(item, two[index], equal, budget))
    );
  }
  if (!isPlain(one) || !isPlain(two)) return equal(one, two);
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(two).length &&
    keys.every((key) => Object.hasOwn(two, key) && deeplyEqual(one[key], two[key], equal, budget))
  );
}
