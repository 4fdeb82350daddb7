import { expect, test } from 'vitest';
import { sectionOf } from '#editor/language-servers/configuration';

const settings = {
  python: { analysis: { mode: 'basic' }, pythonPath: '/usr/bin/python3' },
  'python.analysis.mode': 'strict',
  'python.analysis.stubPath': 'typings',
};

test.each([
  ['python', { analysis: { mode: 'strict', stubPath: 'typings' }, pythonPath: '/usr/bin/python3' }],
  ['python.analysis', { mode: 'strict', stubPath: 'typings' }],
  ['python.analysis.mode', 'strict'],
  ['python.analysis.mode.deeper', null],
  ['go', null],
  ['constructor', null],
  ['__proto__', null],
])('a server that asks for %s is told that part', (section, value) => {
  expect(sectionOf(settings, section)).toEqual(value);
});

test('without a section it is told all, and without settings nothing', () => {
  expect([sectionOf({ a: 1 }, undefined), sectionOf({ a: 1 }, ''), sectionOf(undefined, 'a')]).toEqual([
    { a: 1 },
    { a: 1 },
    null,
  ]);
});

test('settings that are no object are told as they are', () => {
  expect(sectionOf([1], undefined)).toEqual([1]);
});

test('a key of the settings never reaches a prototype', () => {
  sectionOf(JSON.parse('{"__proto__.polluted": 1, "a": {"__proto__": {"polluted": 1}}, "a.b": 2}'), 'a');
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
});
