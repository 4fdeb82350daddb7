import { ASSERT_SHIM } from '#models/demo/trial/assert-shim';
import { TEST_SHIM } from '#models/demo/trial/test-shim';

/**
 * What a trial finds around it. It is evaluated once in each context, takes the host's functions off the global object before any code
 * of the project runs, and leaves `__trial` there for the modules that the loader writes. `unsupported` marks the running test as one
 * of which nothing can be said: it throws, and the mark stays though the project catches it.
 */
export const PRELUDE = String.raw`(() => {
  const { unsupported: mark, load, begin, end, names } = globalThis.__host;
  delete globalThis.__host;
  const unsupported = (what) => {
    mark(String(what));
    throw new Error(what + ' is not there in a trial');
  };
  // A member that Node may have and the trial has not.
  const known = (what, object) =>
    new Proxy(object, {
      get: (target, key) =>
        key in target || typeof key === 'symbol' || key === 'then' ? target[key] : unsupported(what + '.' + key),
    });

  const assert = (${ASSERT_SHIM})(unsupported, known);
  const test = (${TEST_SHIM})({ unsupported, known, assert, begin, end });
  const builtIns = { assert: assert.loose, 'assert/strict': assert.strict, test: test.module };

  const loaded = new Map();
  const requireFrom = (from) => (specifier) => {
    const { kind, name, text } = JSON.parse(load(from, String(specifier)));
    if (kind === 'built-in') return builtIns[name];
    if (kind === 'json') return JSON.parse(text);
    if (kind !== 'commonjs') return unsupported(specifier);
    if (!loaded.has(name)) {
      const module = { exports: {} };
      loaded.set(name, module);
      new Function('module', 'exports', 'require', text).call(module.exports, module, module.exports, requireFrom(name));
    }
    return loaded.get(name).exports;
  };

  const silent = new Proxy({}, { get: () => () => undefined });
  const here = { console: silent, queueMicrotask: (callee) => void Promise.resolve().then(callee) };
  for (const [name, value] of Object.entries(here))
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
  for (const name of JSON.parse(names)) {
    if (name in globalThis) continue;
    const set = (value) => Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
    Object.defineProperty(globalThis, name, { get: () => unsupported(name), set, configurable: true });
  }

  // What differs from one run to the next, or from Node.
  const Time = Date;
  globalThis.Date = new Proxy(Time, {
    apply: () => unsupported('Date()'),
    construct: (target, args, self) => (args.length === 0 ? unsupported('new Date()') : Reflect.construct(target, args, self)),
  });
  Time.prototype.constructor = globalThis.Date;
  Time.now = () => unsupported('Date.now');
  Math.random = () => unsupported('Math.random');
  for (const name of ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString'])
    Time.prototype[name] = () => unsupported(name);
  Number.prototype.toLocaleString = function (locale = 'en-US', options = undefined) {
    const size = Math.abs(this);
    if (locale !== 'en-US' || options !== undefined || !(size < 1e15)) return unsupported('toLocaleString');
    const [whole, part] = String(Math.round(size * 1000) / 1000).split('.');
    const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ',');
    return (this < 0 || Object.is(Number(this), -0) ? '-' : '') + grouped + (part ? '.' + part : '');
  };
  String.prototype.localeCompare = function (other, ...more) {
    const [one, two] = [String(this), String(other)];
    if (more.length > 0 || !/^[a-z\d ]*$/i.test(one + two)) return unsupported('localeCompare');
    const [low, high] = [one.toLowerCase(), two.toLowerCase()];
    if (low !== high) return low < high ? -1 : 1;
    return one === two ? 0 : one > two ? -1 : 1;
  };

  Object.defineProperty(globalThis, '__trial', { value: { builtIns, requireFrom, run: test.run } });
  return JSON.stringify(Object.fromEntries(Object.entries(builtIns).map(([name, module]) => [name, Object.keys(module)])));
})()`;
