import { expect, test } from 'vitest';
import { importsOf, isTestFile, listed, resolve } from '#models/demo/fix/places';

const LISTING = ['src/a.js', 'src/b/index.ts', 'src/c.mts', 'lib/src/a.js', 'test/a.test.js'];

test.each([
  ['test/a.test.js', '../src/a.js', 'src/a.js'],
  ['test/a.test.js', '../src/a', 'src/a.js'],
  ['test/a.test.js', '../src/b', 'src/b/index.ts'],
  ['src/a.js', './c.mjs', 'src/c.mts'],
  ['src/a.js', './unlisted.js', 'src/unlisted.js'],
  ['src/a.js', './unlisted', undefined],
])('in %s, %s means %s', (from, specifier, expected) => {
  expect(resolve(from, specifier, LISTING)).toBe(expected);
});

test('finds imports of every form, and leaves packages alone', () => {
  const text = `import a from './a.js'; export * from "./c.mjs"; const b = require('./b'); await import('./a'); import 'node:fs'; import x from 'pkg';`;
  expect(importsOf('src/x.js', text, LISTING)).toEqual([
    'src/a.js',
    'src/c.mts',
    'src/b/index.ts',
    'src/a.js',
  ]);
});

test.each([
  ['file:///home/me/shop/lib/src/a.js', 'lib/src/a.js'],
  ['/home/me/shop/src/a.js', 'src/a.js'],
  ['src\\b\\index.ts', 'src/b/index.ts'],
  ['./test/new.test.js', 'test/new.test.js'],
  ['/elsewhere/x.js', undefined],
  ['../outside.js', undefined],
])('a printed %s is %s', (printed, expected) => {
  expect(listed(printed, LISTING)).toBe(expected);
});

test('knows test files by their folder and by their name', () => {
  expect(
    ['test/a.js', 'src/__tests__/x.ts', 'a.spec.tsx', 'src/contest.js', 'src/latest.js'].map(isTestFile),
  ).toEqual([true, true, true, false, false]);
});
