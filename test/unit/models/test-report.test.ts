import { expect, test } from 'vitest';
import { parseTestReport } from '#models/demo/fix/test-report';

const SPEC = `✔ adds (0.5ms)
✖ rounds (1.2ms)
ℹ tests 2
ℹ pass 1
ℹ fail 1

✖ failing tests:

test at test/math.test.js:9:1
✖ rounds (1.2ms)
  AssertionError [ERR_ASSERTION]: Expected values to be strictly deep-equal:
  + actual - expected

      at TestContext.<anonymous> (file:///w/test/math.test.js:10:10) {
    generatedMessage: true,
    code: 'ERR_ASSERTION',
    actual: [
      'a 1.5',
      'b'
    ],
    expected: [
      'a 2',
      'b'
    ],
    operator: 'deepStrictEqual'
  }
`;

const TAP = `TAP version 13
# Subtest: group
    # Subtest: rounds
    not ok 1 - rounds
      ---
      duration_ms: 1
      location: '/w/test/math.test.js:9:1'
      failureType: 'testCodeFailure'
      error: |-
        Expected values to be strictly equal:
      code: 'ERR_ASSERTION'
      expected: 2
      actual: 1.5
      operator: 'strictEqual'
      stack: |-
        TestContext.<anonymous> (file:///w/test/math.test.js:10:10)
      ...
not ok 1 - group
  ---
  duration_ms: 2
  failureType: 'subtestsFailed'
  error: '1 subtest failed'
  ...
# pass 1
# fail 1
`;

test('reads what node --test prints for people', () => {
  const { failures, passed, failed } = parseTestReport(SPEC.replaceAll('\n', '\r\n'));
  expect([passed, failed]).toEqual([1, 1]);
  expect(failures).toMatchObject([
    {
      name: 'rounds',
      file: 'test/math.test.js',
      line: 9,
      actual: expect.stringContaining("'a 1.5'"),
      expected: expect.stringContaining("'a 2'"),
    },
  ]);
  expect(failures[0]?.actual).not.toContain('expected');
});

test('reads large values from the drawing of their difference', () => {
  const named = SPEC.replace(/actual: \[[^\]]*\]/, 'actual: [Array]')
    .replace(/expected: \[[^\]]*\]/, 'expected: [Array]')
    .replace(
      '+ actual - expected\n',
      "+ actual - expected\n\n    [\n  +   'a 1.5',\n  -   'a 2',\n      'b'\n    ]\n",
    );
  expect(parseTestReport(named).failures).toMatchObject([
    { name: 'rounds', actual: "[\n'a 1.5',\n'b'\n]", expected: "[\n'a 2',\n'b'\n]" },
  ]);
});

test('reads TAP, groups left out', () => {
  expect(parseTestReport(TAP)).toMatchObject({
    passed: 1,
    failed: 1,
    failures: [{ name: 'rounds', file: '/w/test/math.test.js', actual: '1.5', expected: '2' }],
  });
});

test.each([
  [
    'Jest',
    '● shop › adds\n\n    Expected: 3\n    Received: 4\n\n      at Object.<anonymous> (test/a.test.js:5:3)\n\nTests:       1 failed, 7 passed, 8 total',
    { passed: 7, failed: 1, actual: '4', expected: '3' },
  ],
  [
    'Vitest',
    ' × test/a.test.ts > adds\n AssertionError: expected 4 to be 3 // Object.is equality\n ❯ test/a.test.ts:5:3\n      Tests  1 failed | 7 passed (8)',
    { passed: 7, failed: 1, actual: '4' },
  ],
  [
    'Mocha',
    '  7 passing (5ms)\n  1 failing\n\n  1) adds:\n      AssertionError [ERR_ASSERTION]: 4 == 3',
    { passed: 7, failed: 1 },
  ],
])('reads the counts of %s', (_name, output, { passed, failed, ...values }) => {
  const report = parseTestReport(output);
  expect(report).toMatchObject({ passed, failed });
  if ('actual' in values) expect(report.failures[0]).toMatchObject(values);
});

test('knows nothing of an output that is no report', () => {
  expect(parseTestReport('sh: 1: vitest: not found')).toEqual({ failures: [], failed: 0 });
  expect(parseTestReport('')).toEqual({ failures: [], failed: 0 });
});
