import { expect, test } from 'vitest';
import { Repeats } from '#agent/repeats';
import type { CallId } from '#protocol/ids';

let next = 0;
function done(rawInput: string, content = 'the same', name = 'read_file') {
  const call = { id: `c${++next}` as CallId, providerId: 'p', name, rawInput };
  return { call, result: { version: 1, status: 'success', content } as const };
}

test('tells the model at the third time and stops at the fifth', () => {
  const repeats = new Repeats();
  const verdicts = [1, 2, 3, 4, 5].map(() => repeats.note([done('{"path":"a"}')]).kind);
  expect(verdicts).toEqual(['fine', 'fine', 'tell', 'tell', 'stop']);
});

test('blanks and the order of keys make no other call', () => {
  const repeats = new Repeats();
  const inputs = ['{"a":1,"b":2}', '{ "b": 2, "a": 1 }', '{"b":2,"a":1}'];
  expect(inputs.map((input) => repeats.note([done(input)]).kind)).toEqual(['fine', 'fine', 'tell']);
});

test('another result begins anew', () => {
  const repeats = new Repeats();
  const results = ['x', 'x', 'y', 'x', 'x'];
  expect(results.map((content) => repeats.note([done('{}', content)]).kind)).toEqual(Array(5).fill('fine'));
});

test('a step without the call breaks the row', () => {
  const repeats = new Repeats();
  const steps = [[done('1')], [done('1')], [done('2')], [done('1')]];
  expect(steps.map((step) => repeats.note(step).kind)).toEqual(Array(4).fill('fine'));
});

test('notices the one call that repeats among others that change', () => {
  const repeats = new Repeats();
  const verdicts = [1, 2, 3].map((n) => repeats.note([done('same'), done(`${n}`)]));
  expect(verdicts.at(-1)).toEqual({ kind: 'tell', name: 'read_file', times: 3 });
});
