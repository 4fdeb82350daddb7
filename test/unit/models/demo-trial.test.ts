import { afterAll, expect, test } from 'vitest';
import { Trial } from '#models/demo/trial/trial';

const HEAD = `import assert from 'node:assert/strict'; import { test } from 'node:test';\n`;

/** One thread for all tests: another text of the test file is a change of it. */
const FILES = new Map([
  ['t.test.js', ''],
  [
    'a.js',
    `import * as b from './b.js'; export default (x) => b.add(x, x); export const LIMIT = 3; export async function two() { return 2 }`,
  ],
  ['b.js', 'exports.add = (x, y) => x + y; exports.default = 1'],
  [
    'c.cjs',
    `const { add } = require('./b'); module.exports = { five: add(2, 3), name() { return require('./d.json').name } }`,
  ],
  ['d.json', '{ "name": "rope" }'],
  ['e.ts', 'export const typed: number = 1'],
]);
const trial = new Trial({ texts: FILES, listing: [...FILES.keys()] });
afterAll(() => trial[Symbol.dispose]());

async function verdictsOf(text: string, ticks = 100) {
  const { verdicts } = await trial.run({ testFile: 't.test.js', change: { path: 't.test.js', text }, ticks });
  return verdicts && Object.fromEntries(verdicts);
}

/** What comes of each of the bodies, all in one file. */
const each = (bodies: readonly string[]) =>
  verdictsOf(HEAD + bodies.map((body, index) => `test('${index}', async () => { ${body} });`).join('\n'));
const all = (bodies: readonly string[], verdict: string) =>
  Object.fromEntries(bodies.map((_body, index) => [String(index), verdict]));

const HOLD = [
  'assert.equal((1234567.5).toLocaleString("en-US"), "1,234,567.5"); assert.equal((-1234).toLocaleString(), "-1,234")',
  'assert.deepEqual(["b", "a", "B"].sort((x, y) => x.localeCompare(y)), ["a", "b", "B"])',
  'assert.deepEqual({ a: [new Map([[{ k: 1 }, new Set([1])]])], d: new Date(0) }, { d: new Date(0), a: [new Map([[{ k: 1 }, new Set([1])]])] })',
  'const a = [1]; a.push(a); const b = [1]; b.push(b); assert.deepEqual(a, b)',
  'assert.notDeepEqual([1], ["1"]); assert.notDeepEqual({ a: undefined }, {}); assert.notDeepEqual(new Set([1]), new Set([2]))',
  'assert.deepEqual(Object.assign(new Error("x"), { code: 1 }), Object.assign(new Error("x"), { code: 1 }))',
  'assert.notEqual(0, -0); assert.equal(NaN, NaN); assert(true); assert.ok(1); assert.ifError(null)',
  'assert.match("Shipping 0.00", /0\\.00$/); assert.doesNotMatch("a", /b/)',
  'assert.throws(() => { throw new RangeError("no") }, { name: "RangeError", message: /^n/ })',
  'assert.throws(() => { throw new RangeError("no") }, RangeError); assert.throws(() => null.x, (error) => error instanceof TypeError)',
  'assert.throws(() => assert.throws(() => { throw new RangeError("no") }, TypeError), RangeError)',
  'assert.throws(() => assert.throws(() => 1), assert.AssertionError); assert.doesNotThrow(() => 1)',
  'await assert.rejects(async () => { throw new Error("no") }, /no/); await assert.doesNotReject(Promise.resolve())',
  'const loose = (await import("node:assert")).default; loose.equal(1, "1"); loose.deepEqual([1], ["1"]); loose.strict.equal(1, 1)',
  'console.log("x"); console.table.name; await new Promise((resolve) => queueMicrotask(resolve))',
];
test('holds what Node’s assert holds', async () => {
  expect(await each(HOLD)).toEqual(all(HOLD, 'passes'));
});

const BREAK = [
  'assert.equal(1, "1")',
  'assert.deepEqual([1, { a: 2 }], [1, { a: 3 }])',
  'assert.throws(() => { throw new Error("no") }, /yes/)',
  'await assert.rejects(Promise.resolve())',
  'undefined.x',
  'await new Promise(() => {})',
];
test('finds what does not hold', async () => {
  // The last never ends, so that nothing behind it would begin.
  expect(await each(BREAK)).toEqual(all(BREAK, 'fails'));
});

const UNSUPPORTED = [
  'setTimeout(() => 1, 1)',
  'try { process.exit(1) } catch {}',
  'fetch("http://localhost")',
  'Math.random()',
  'new Date()',
  'Date.now()',
  'await import("node:fs")',
  'assert.partialDeepStrictEqual({}, {})',
  '"ä".localeCompare("b")',
  '(1).toLocaleString("de")',
];
test('says so where a test needs what is not there, though it catches the error', async () => {
  expect(await each(UNSUPPORTED)).toEqual(all(UNSUPPORTED, 'unknown'));
});

test.each([
  `import fs from 'node:fs'; ${HEAD} test('t', () => {})`,
  `import { run } from 'node:test'; ${HEAD} test('t', () => {})`,
  `import x from 'left-pad'; ${HEAD} test('t', () => {})`,
  `const vitest = require('vitest'); require('node:test')('t', () => {})`,
])('knows nothing of a file that imports what is not there: %s', async (text) => {
  expect(await verdictsOf(text)).toBeUndefined();
});

test('follows imports, CommonJS, JSON, groups, hooks and subtests', async () => {
  const text = `${HEAD} import { describe, it, before, beforeEach, after, afterEach, mock } from 'node:test';
    import twice, { LIMIT, two } from './a.js'; import { five } from './c.cjs'; import c from './c'; import d from './d.json' with { type: 'json' };
    const order = [];
    describe('group', () => {
      before(() => order.push('before')); beforeEach(async () => { order.push('each') }); afterEach(() => { order.push('done') });
      it('one', () => assert.equal(twice(LIMIT) + five, 11));
      it('two', async () => { assert.deepEqual(order, ['before', 'each', 'done', 'each']); assert.equal(await two(), 2); });
      it.skip('three', () => assert.fail());
      describe('inner', () => { beforeEach(() => order.push('inner')); it('four', () => assert.deepEqual(order.slice(-2), ['each', 'inner'])) });
    });
    describe('broken', () => { before(() => assert.fail()); it('five', () => {}) });
    test('names', () => assert.equal(c.name() + d.name, 'roperope'));
    test('parts', async (t) => { await t.test('good', () => {}); t.test('bad', () => assert.fail()) });
    test('missing await', () => assert.equal(two(), 2));
    test('mocked', () => mock.fn());`;
  expect(await verdictsOf(text)).toEqual({
    one: 'passes',
    two: 'passes',
    four: 'passes',
    five: 'fails',
    names: 'passes',
    good: 'passes',
    bad: 'fails',
    parts: 'fails',
    'missing await': 'fails',
    mocked: 'unknown',
  });
});

test('runs a test of CommonJS', async () => {
  const text = `const assert = require('assert'); const { test } = require('node:test'); const { five } = require('./c.cjs');
    test('five', () => assert.equal(five, '5')); test('not', () => assert.strictEqual(five, '5'))`;
  expect(await verdictsOf(text)).toEqual({ five: 'passes', not: 'fails' });
});

test('reaches nothing of this process', async () => {
  const text = `${HEAD} test('t', () => {
    const names = Function('return Object.keys(Object.getOwnPropertyDescriptors(globalThis))')();
    assert.equal(typeof __host, 'undefined');
    const found = names.filter((name) => { try { return /^(?:process|require|Buffer|fetch|WebAssembly)$/.test(name) && globalThis[name] } catch { return false } });
    assert.deepEqual(found, []);
    globalThis.left = 1; Object.prototype.left = 1;
  })`;
  // Looked at, they mark the test.
  expect(await verdictsOf(text)).toEqual({ t: 'unknown' });
  expect(
    await verdictsOf(
      `${HEAD} test('t', () => { assert.equal(typeof left + ({}).left, 'undefinedundefined') })`,
    ),
  ).toEqual({
    t: 'passes',
  });
  expect(Reflect.get({}, 'left')).toBeUndefined();
});

test('comes to an end, and takes the same work each time', async () => {
  const endless = ['for (;;) {}', '/(a+)+$/.test("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!")'];
  for (const code of endless) expect(await each([code])).toEqual({ 0: 'fails' });
  const bounded = [
    'const f = () => f(); f()',
    'let s = "x"; for (let i = 0; i < 60; i++) s += s',
    '"x".repeat(1e9)',
  ];
  expect(await each(bounded)).toEqual(all(bounded, 'fails'));
  const work = {
    testFile: 't.test.js',
    change: { path: 't.test.js', text: `${HEAD} test('t', () => { for (let i = 0; i < 1e6; i++); })` },
    ticks: 1000,
  };
  const [first, second] = [await trial.run(work), await trial.run(work)];
  expect(second).toEqual(first);
  expect(first.ticks).toBeGreaterThan(50);
});

test.each([
  ['deep nesting', `${'('.repeat(50_000)}1${')'.repeat(50_000)}`],
  ['types', `import './e.ts'; ${HEAD} test('t', () => {})`],
  ['no JavaScript', 'a b c'],
  ['an error at its head', `null.x; ${HEAD} test('t', () => {})`],
])('goes on after %s', async (_name, text) => {
  expect((await verdictsOf(text)) ?? {}).toEqual({});
  expect(await each(['assert.ok(1)'])).toEqual({ 0: 'passes' });
});

test('stops work that can’t be counted, and says nothing more', async () => {
  const files = new Map([['t.js', `${HEAD} test('t', () => { new Array(2 ** 32 - 1).indexOf(1) })`]]);
  const stuck = new Trial({ texts: files, listing: ['t.js'] }, { patienceMs: 1000 });
  const run = { testFile: 't.js', ticks: 10 };
  expect([await stuck.run(run), await stuck.run(run)]).toEqual([
    { verdicts: undefined, ticks: 0 },
    { verdicts: undefined, ticks: 0 },
  ]);
});
