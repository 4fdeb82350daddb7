import { afterEach, expect, test } from 'vitest';
import { TOOLS, Workbench } from './demo-bench';

let bench: Workbench;
afterEach(() => bench.dispose());

const SLOW = 60_000;

/** The sample without its own bug. */
function repaired(): Workbench {
  const whole = Workbench.sample();
  whole.change('src/discount.js', 'quantity > BULK', 'quantity >= BULK');
  return whole;
}

test('finds and fixes the bug of the sample, with two test runs', { timeout: SLOW }, async () => {
  bench = Workbench.sample();
  const said = await bench.turn('Fix the failing test');
  expect(bench.text('src/discount.js')).toContain('if (quantity >= BULK_QUANTITY) {');
  expect(bench.testsPass()).toBe(true);
  expect(bench.calls.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['read_file', 'glob_files', 'search_files', 'edit_file', 'run_command']),
  );
  expect([bench.count('run_command'), bench.count('edit_file')]).toEqual([2, 1]);
  expect(bench.said.join('\n')).toContain('the test uses exactly 10, the value of `BULK_QUANTITY`');
  expect(said).toMatch(/^Fixed\. All 8 tests pass now\.[\s\S]*by rules, not by understanding/);
});

test.each([
  ['src/money.js', "padStart(2, '0')", "padStart(1, '0')"],
  ['src/money.js', 'cents < 0', 'cents > 0'],
  ['src/order.js', 'SHIPPING = 490', 'SHIPPING = 590'],
  ['src/order.js', 'sum + linePrice', 'sum - linePrice'],
  ['src/receipt.js', 'padEnd', 'padStart'],
  ['src/discount.js', 'price * quantity', 'price * price'],
])('also when the bug is another one: %s has %s → %s', { timeout: SLOW }, async (file, right, wrong) => {
  bench = repaired();
  const before = bench.snapshot();
  bench.change(file, right, wrong);
  expect(await bench.turn('please make the tests pass again')).toMatch(/^Fixed\. All 8 tests pass now/);
  expect(bench.count('run_command')).toBe(2);
  const changed = Object.entries(bench.snapshot()).filter(
    ([name, text]) => before[name] !== text && name !== file,
  );
  expect(changed).toEqual([]);
});

test('also when the bug moved to another file and the test has another name', { timeout: SLOW }, async () => {
  bench = Workbench.sample();
  const moved = bench.text('src/discount.js');
  bench.write(
    'lib/pricing/wholesale.js',
    moved.replaceAll('linePrice', 'wholesale').replaceAll('BULK_QUANTITY', 'CRATE'),
  );
  bench.write('src/discount.js', `export { wholesale as linePrice } from '../lib/pricing/wholesale.js';\n`);
  bench.write(
    'test/discount.test.js',
    `import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { wholesale } from '../lib/pricing/wholesale.js';

describe('crates', () => {
  it('a whole crate has its rebate', () => {
    assert.equal(wholesale({ price: 200, quantity: 10 }), 1800);
  });
});
`,
  );
  await bench.turn('fix the failing test');
  expect(bench.text('lib/pricing/wholesale.js')).toContain('quantity >= CRATE');
  expect(bench.testsPass()).toBe(true);
});

test('fixes two bugs one after the other', { timeout: SLOW }, async () => {
  bench = Workbench.sample();
  bench.change('src/money.js', '% 100', '% 10');
  const said = await bench.turn('fix the failing tests');
  expect(bench.testsPass()).toBe(true);
  expect(said).toMatch(
    /`src\/money\.js`[\s\S]*`src\/discount\.js`|`src\/discount\.js`[\s\S]*`src\/money\.js`/,
  );
});

test('says that it couldn’t and leaves every file as it was', { timeout: SLOW }, async () => {
  bench = repaired();
  bench.write('src/discount.js', `export function linePrice() {\n  throw new Error('not written yet');\n}\n`);
  const before = bench.snapshot();
  const said = await bench.turn('fix the failing tests');
  expect(said).toMatch(/^I couldn’t find the fix for .*“ten pieces are ten percent cheaper”/);
  expect(bench.snapshot()).toEqual(before);
  expect(bench.count('run_command')).toBeLessThanOrEqual(5);
});

test('takes a change back that was only guessed and didn’t help', { timeout: SLOW }, async () => {
  // A number of a library's own making: nothing to calculate, and no change of a place helps.
  bench = Workbench.of({
    'package.json': '{"type":"module","scripts":{"test":"node --test --test-isolation=none"}}',
    'price.js': `import { hash } from 'node:crypto';\nexport const price = (n) => (n >= 7 ? hash('md5', 'x').length - 1 : 1);\n`,
    'price.test.js': `import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { price } from './price.js';\ntest('seven', () => assert.equal(price(7), 700));\n`,
  });
  const before = bench.snapshot();
  const said = await bench.turn('fix the failing test');
  expect(said).toContain('I couldn’t find the fix');
  expect(bench.count('edit_file')).toBe(8);
  expect(bench.snapshot()).toEqual(before);
});

test('has nothing to do when the tests pass', { timeout: SLOW }, async () => {
  bench = repaired();
  const said = await bench.turn('fix the failing test');
  expect(said).toBe('There is nothing to fix: 8 tests passed, none failed.');
  expect(bench.count('edit_file')).toBe(0);
});

test.each([
  [
    'run_command',
    { status: 'denied', code: 'permission_denied', content: 'run_command: the person said no' },
    /was not allowed, so I stop here/,
  ],
  [
    'run_command',
    { status: 'unknown', code: 'interrupted', content: 'interrupted' },
    /I don’t do it again by myself/,
  ],
  [
    'edit_file',
    { status: 'error', code: 'rejected_arguments', content: 'edit_file: unsaved changes by the user' },
    /did not work: edit_file: unsaved/,
  ],
  [
    'read_file',
    { status: 'error', code: 'tool_failed', content: 'read_file: nothing there' },
    /couldn’t find the fix|find no tests/,
  ],
] as const)('stops when %s answers %o', { timeout: SLOW }, async (name, refusal, words) => {
  bench = Workbench.sample();
  const before = bench.snapshot();
  bench.refuse = (tool) => (tool === name ? refusal : undefined);
  expect(await bench.turn('fix the failing test')).toMatch(words);
  expect(bench.snapshot()).toEqual(before);
});

test('says what is missing in a mode without commands, and in a folder without tests', async () => {
  bench = Workbench.of({ 'a.txt': 'hello' });
  const readOnly = TOOLS.filter(({ name }) => name !== 'run_command');
  expect(await bench.turn('fix the tests', readOnly)).toContain(
    '`run_command`, which is not offered in the present mode',
  );
  expect(await bench.turn('fix the tests')).toContain('I find no tests here');
});

test('shows the end of what it can’t read', async () => {
  bench = Workbench.of({ 'package.json': '{"scripts":{"test":"echo oh no; echo ~~~; exit 3"}}' });
  expect(await bench.turn('fix the tests')).toMatch(/I can’t tell from what they print[\s\S]*oh no/);
});
