/**
 * Node's `assert` for a trial: an expression of JavaScript, a function of `unsupported` and `known` that gives the loose and the strict
 * form. It is a text because it runs inside QuickJS, where nothing of this process is.
 */
export const ASSERT_SHIM = `(unsupported, known) => {
  class AssertionError extends Error {
    name = 'AssertionError';
    code = 'ERR_ASSERTION';
  }
  const check = (holds, message) => {
    if (holds) return;
    throw message instanceof Error ? message : new AssertionError(String(message ?? 'it does not hold'));
  };
  const loosely = (one, two) => one == two || (one !== one && two !== two);
  const tag = (value) => Object.prototype.toString.call(value);
  const keysOf = (value, strict) => [
    ...Object.keys(value),
    ...(strict ? Object.getOwnPropertySymbols(value).filter((key) => Object.prototype.propertyIsEnumerable.call(value, key)) : []),
  ];

  const deeply = (one, two, strict, seen = new Map()) => {
    if (strict ? Object.is(one, two) : loosely(one, two)) return true;
    if (typeof one !== 'object' || typeof two !== 'object' || one === null || two === null) return false;
    if (tag(one) !== tag(two) || Array.isArray(one) !== Array.isArray(two)) return false;
    if (strict && Object.getPrototypeOf(one) !== Object.getPrototypeOf(two)) return false;
    if (seen.get(one) === two) return true;
    seen.set(one, two);
    if (one instanceof Date || one instanceof Number || one instanceof String || one instanceof Boolean)
      if (!Object.is(one.valueOf(), two.valueOf())) return false;
    if (one instanceof RegExp && String(one) !== String(two)) return false;
    if (one instanceof Error && (one.name !== two.name || one.message !== two.message)) return false;
    if (one instanceof Set || one instanceof Map) {
      if (one.size !== two.size || !everyHas([...one], [...two], strict, seen)) return false;
    }
    const keys = keysOf(one, strict);
    return (
      one.length === two.length &&
      keys.length === keysOf(two, strict).length &&
      keys.every((key) => Object.hasOwn(two, key) && deeply(one[key], two[key], strict, seen))
    );
  };
  const everyHas = (ones, twos, strict, seen) =>
    ones.every((one) => {
      const at = twos.findIndex((two) => deeply(one, two, strict, new Map(seen)));
      return at >= 0 && twos.splice(at, 1);
    });

  const fits = (error, wanted) => {
    if (wanted === undefined || typeof wanted === 'string') return true;
    if (wanted instanceof RegExp) return wanted.test(String(error));
    if (typeof wanted === 'function') {
      if (wanted.prototype !== undefined && error instanceof wanted) return true;
      return !Error.isPrototypeOf(wanted) && wanted !== Error && wanted(error) === true;
    }
    const keys = new Set([...Object.keys(wanted), ...(wanted instanceof Error ? ['name', 'message'] : [])]);
    return [...keys].every((key) =>
      wanted[key] instanceof RegExp && typeof error[key] === 'string'
        ? wanted[key].test(error[key])
        : deeply(error[key], wanted[key], true),
    );
  };
  const caught = (callee) => {
    try {
      callee();
    } catch (error) {
      return [error];
    }
  };
  const rejected = async (promised) => {
    try {
      await (typeof promised === 'function' ? promised() : promised);
    } catch (error) {
      return [error];
    }
  };
  const throwing = (got, wanted, message) => {
    check(got, message);
    if (fits(got[0], wanted)) return;
    throw wanted instanceof RegExp || typeof wanted === 'object' ? new AssertionError('another error') : got[0];
  };

  const of = (strict) => {
    const equal = strict ? Object.is : loosely;
    const ok = (value, message) => check(value, message);
    const compare = (holds) => (one, two, message) => check(holds(one, two), message);
    const text = (one, pattern) => typeof one === 'string' && pattern.test(one);
    return Object.assign((value, message) => check(value, message), {
      AssertionError,
      ok,
      equal: compare(equal),
      notEqual: compare((one, two) => !equal(one, two)),
      strictEqual: compare(Object.is),
      notStrictEqual: compare((one, two) => !Object.is(one, two)),
      deepEqual: compare((one, two) => deeply(one, two, strict)),
      notDeepEqual: compare((one, two) => !deeply(one, two, strict)),
      deepStrictEqual: compare((one, two) => deeply(one, two, true)),
      notDeepStrictEqual: compare((one, two) => !deeply(one, two, true)),
      match: compare(text),
      doesNotMatch: compare((one, pattern) => !text(one, pattern)),
      fail: (message) => check(false, message),
      ifError: (error) => check(error === undefined || error === null, error),
      throws: (callee, wanted, message) => throwing(caught(callee), wanted, message),
      doesNotThrow: (callee) => check(!caught(callee)),
      rejects: async (promised, wanted, message) => throwing(await rejected(promised), wanted, message),
      doesNotReject: async (promised) => check(!(await rejected(promised))),
    });
  };
  const strict = known('assert', of(true));
  const loose = known('assert', of(false));
  strict.strict = loose.strict = strict;
  return { strict, loose };
}`;
