import { expect, test } from 'vitest';
import { calculateTests } from '#models/demo/js/modules';

/** Calculates one test file over the given files. */
function verdictsOf(testText: string, files: Readonly<Record<string, string>> = {}, steps = 200_000) {
  const all: Readonly<Record<string, string>> = { ...files, 'test.js': testText };
  const { verdicts } = calculateTests(
    'test.js',
    { text: (path) => all[path], resolve: (_from, specifier) => specifier.replace('./', '') },
    { steps, parsed: new Map() },
  );
  return Object.fromEntries(verdicts);
}

const HEAD = `import assert from 'node:assert/strict'; import { test } from 'node:test';\n`;
const holds = (code: string) => verdictsOf(`${HEAD}test('t', () => { ${code} })`)['t'];

test.each([
  'assert.equal(1_000 + 2 * 3 ** 2 - 10 % 4, 1016)',
  'assert.equal(1 + 2 > 2 && !(0 || false), true)',
  'let n = 0; for (let i = 0; i < 5; i++) { if (i === 3) continue; n += i } assert.equal(n, 7)',
  'let n = 0; while (true) { if (++n > 3) break } assert.equal(n, 4)',
  'let n = 10; do n--; while (n > 5); assert.equal(n, 5)',
  'const { a, b: [c, ...d], ...rest } = { a: 1, b: [2, 3, 4], e: 5 }; assert.deepEqual([a, c, d, rest], [1, 2, [3, 4], { e: 5 }])',
  'const f = ({ price, quantity = 2 }, ...more) => price * quantity + more.length; assert.equal(f({ price: 3 }, 1, 1), 8)',
  'assert.equal([3, 1, 2].sort((a, b) => a - b).map(String).join("-"), "1-2-3")',
  'assert.deepEqual([...new Set([1, 1, 2])], [1, 2])',
  'const m = new Map([["a", 1]]); m.set("b", 2); let s = 0; for (const [, v] of m) s += v; assert.equal(s, 3)',
  'assert.equal(`${"a".padStart(3, "-")} ${[1, 2].length}!`, "--a 2!")',
  'assert.match("Shipping   0.00", /^Shipping +0\\.00$/m)',
  'assert.equal((1234567).toLocaleString("en-US"), "1,234,567")',
  'assert.equal("ABC".toLowerCase().replace("b", (x) => x.toUpperCase()), "aBc")',
  'const o = { a: { b: null } }; assert.equal(o.a?.b?.c ?? "none", "none"); assert.equal(o.x?.y.z(), undefined)',
  'class P { n = 1; constructor(x) { this.x = x } sum() { return this.n + this.x } } assert.equal(new P(4).sum(), 5)',
  'function fact(n) { return n < 2 ? 1 : n * fact(n - 1) } assert.equal(fact(5), 120)',
  'assert.throws(() => { throw new RangeError("no") })',
  'let r; try { null.x } catch (e) { r = e.name } finally { r += "!" } assert.equal(r, "TypeError!")',
  'switch (2) { case 1: assert.ok(false); case 2: break; default: assert.ok(false) }',
  'const count = {}; for (const c of "aab") count[c] = (count[c] ?? 0) + 1; assert.deepEqual(count, { a: 2, b: 1 })',
  'assert.equal(Object.entries({ a: 1, b: 2 }).reduce((s, [k, v]) => s + k + v, ""), "a1b2")',
  'assert.equal(Number.parseFloat("2.5") + parseInt("3.9", 10), 5.5)',
  'assert.equal(typeof (() => 1), "function"); assert.equal([1, [2]].flat().length, 2)',
  'const a = [1, 2, 3]; a.push(4); a[0] = 9; assert.deepEqual(a.slice(-2), [3, 4]); assert.equal(a.at(-1), 4)',
  'assert.equal(12 / 4 / 3, 1); assert.equal(/b/.test("abc"), true)',
])('calculates %s', (code) => {
  expect(holds(code)).toBe('passes');
});

test.each([
  'assert.equal(1, 2)',
  'assert.deepEqual([1, { a: 2 }], [1, { a: 3 }])',
  'undefined.x',
  'nothing()',
  'assert.ok(0)',
])('finds that %s does not hold', (code) => {
  expect(holds(code)).toBe('fails');
});

test('waits for promises that are settled anyway, and notices a missing await', () => {
  const files = { 'a.js': 'export async function two() { return 2 }' };
  const body = (call: string) =>
    `${HEAD}import { two } from './a.js'; test('t', async () => { assert.equal(${call}, 3) })`;
  expect(verdictsOf(body('(await two()) + 1'), files)).toEqual({ t: 'passes' });
  expect(verdictsOf(body('two() + 1'), files)).toEqual({ t: 'fails' });
});

test('follows imports, CommonJS, groups and names', () => {
  const files = {
    'a.js': `import * as b from './b.js'; export default function twice(x) { return b.add(x, x) } export const LIMIT = 3`,
    'b.js': 'exports.add = (x, y) => x + y',
  };
  const text = `const assert = require('node:assert'); const { describe, it } = require('node:test');
    const { LIMIT, default: twice } = require('./a.js');
    describe('numbers', () => { it('doubles', () => { assert.equal(twice(LIMIT), '6') }); it('fails', () => { assert.strictEqual(twice(LIMIT), '6') }) })`;
  expect(verdictsOf(text, files)).toEqual({ doubles: 'passes', fails: 'fails' });
});

test.each([
  'process.exit(1)',
  'globalThis.x = 1',
  '(() => {}).constructor("return process")()',
  '[].constructor.constructor("return 1")()',
  '({}).__proto__.x',
  '"x".constructor.constructor("return process")()',
  'eval("1")',
  'import("node:fs")',
  'require("node:fs").rmSync("/")',
  'Math.random()',
  'new Date()',
  'Math.constructor.constructor("return process")()',
  'assert.equal.constructor("return process")()',
])('reaches nothing of this process: %s', (code) => {
  expect(holds(code)).not.toBe('passes');
  expect(Object.getPrototypeOf({}).x).toBeUndefined();
});

test.each([
  'for (;;) {}',
  'const f = () => f(); f()',
  'let s = "x"; for (let i = 0; i < 60; i++) s += s',
  'let a = [1]; for (let i = 0; i < 60; i++) a = [...a, ...a]',
  'let a = [1]; for (let i = 0; i < 60; i++) a = a.concat(a)',
  'let a = [1]; for (let i = 0; i < 60; i++) a = [a, a]; assert.deepEqual(a, a.slice())',
  '"x".repeat(1e9)',
  '/(a+)+$/.test("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!")',
  'Array.from({ length: 1e9 })',
  `${'('.repeat(50_000)}1${')'.repeat(50_000)}`,
])('comes to an end on %.60s', (code) => {
  expect(holds(code)).not.toBe('passes');
});

test.each([
  'let x: number = 1',
  'function* g() {}',
  'label: for (;;) break label',
  '<div/>',
  '@x class A {}',
  'a b c',
])('says that it does not know: %s', (code) => {
  expect(
    verdictsOf(`${HEAD}import { a } from './a.js'; test('t', () => {})`, {
      'a.js': `${code}; export const a = 1`,
    }),
  ).not.toEqual({ t: 'passes' });
});
