import { expect, test } from 'vitest';
import { problemOf, proposedValues, titleOf, typedValue, valueWords } from '#editor/questions/form-values';
import type { FormField } from '#host/questions';

function field(type: FormField['type'], more: Partial<FormField> = {}): FormField {
  return { name: 'field', title: 'Field', description: '', required: true, type, ...more };
}

const number = field({ kind: 'number', integer: false });
const options = [
  { value: 'r', title: 'Red' },
  { value: 'g', title: 'Green' },
];

test('what is typed for a number must be one, whole where it has to be', () => {
  const whole = field({ kind: 'number', integer: true });
  const typed = [' 1.5 ', '-2e3', 'two', ' ', '0x', 'Infinity'].map((text) => typedValue(number, text));
  expect([typed.map((result) => result.ok && result.value), typedValue(whole, '1.5').ok]).toEqual([
    [1.5, -2000, false, false, false, false],
    false,
  ]);
});

test('an empty field is left out, but not a required one', () => {
  const optional = field({ kind: 'text' }, { required: false });
  expect([typedValue(optional, ''), typedValue(field({ kind: 'text' }), '')]).toEqual([
    { ok: true, value: undefined },
    { ok: false, error: 'Field is required.' },
  ]);
});

test('what the asker finds wrong with a value is said', () => {
  const short = field(
    { kind: 'text' },
    { problem: (value) => (String(value).length < 3 ? 'too short' : undefined) },
  );
  expect([typedValue(short, 'ab'), typedValue(short, 'abc').ok]).toEqual([
    { ok: false, error: 'too short' },
    true,
  ]);
});

test('what is proposed stands, but a choice that is not offered does not', () => {
  const fields = [
    field({ kind: 'text', proposed: 'x' }, { name: 'a' }),
    field({ kind: 'yes-no', proposed: false }, { name: 'b' }),
    field({ kind: 'choice', several: false, options, proposed: ['g'] }, { name: 'c' }),
    field({ kind: 'choice', several: true, options, proposed: ['r', 'no such'] }, { name: 'd' }),
    field({ kind: 'choice', several: false, options, proposed: ['no such'] }, { name: 'e' }),
    field({ kind: 'number', integer: true }, { name: 'f' }),
  ];
  expect(Object.fromEntries(proposedValues(fields))).toEqual({ a: 'x', b: false, c: 'g', d: ['r'] });
});

test('values read as people say them', () => {
  const several = field({ kind: 'choice', several: true, options });
  expect([
    valueWords(several, ['r', 'g']),
    valueWords(several, []),
    valueWords(field({ kind: 'choice', several: false, options }), 'g'),
    valueWords(field({ kind: 'yes-no' }), false),
    valueWords(number, 0),
    valueWords(number, undefined),
    valueWords({ ...number, required: false }, undefined),
  ]).toEqual(['Red, Green', 'none', 'Green', 'No', '0', 'required', 'not answered']);
});

test('of several choices a required one can’t be empty', () => {
  expect(problemOf(field({ kind: 'choice', several: true, options }), [])).toBe('Field is required.');
});

test('a field without a title has its name', () => {
  expect(titleOf(field({ kind: 'text' }, { title: ' ' }))).toBe('field');
});
