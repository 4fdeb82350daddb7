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

test('LP-12 the same two calls by turns count as a round: told at the third, stopped at the fifth', () => {
  const repeats = new Repeats();
  const verdicts = Array.from({ length: 10 }, (_, n) =>
    n % 2 === 0
      ? repeats.note([done('{"path":"a"}')])
      : repeats.note([done('{"pattern":"b"}', 'no hits', 'search_files')]),
  );
  expect(verdicts.map(({ kind }) => kind)).toEqual([
    ...['fine', 'fine', 'fine', 'fine', 'fine'],
    ...['tell', 'fine', 'tell', 'fine', 'stop'],
  ]);
  expect(verdicts.at(-1)).toEqual({ kind: 'stop', name: 'read_file and search_files by turns', times: 5 });
});

test('LP-12 a round of four steps is noticed too', () => {
  const repeats = new Repeats();
  const verdicts = Array.from({ length: 20 }, (_, n) => repeats.note([done(`{"path":"${n % 4}"}`)]));
  expect(verdicts.findIndex(({ kind }) => kind === 'tell')).toBe(11);
  expect(verdicts.at(-1)).toEqual({ kind: 'stop', name: 'read_file by turns', times: 5 });
});

test('LP-12 polling whose output changes is no loop, alone or by turns with another call', () => {
  const repeats = new Repeats();
  const verdicts = Array.from({ length: 40 }, (_, n) =>
    repeats.note([
      n % 2 === 0 ? done('{"job":1}', `${n} % done`, 'job_output') : done('{"path":"log"}', `${n}`),
    ]),
  );
  expect(new Set(verdicts.map(({ kind }) => kind))).toEqual(new Set(['fine']));
});

test('LP-12 steps that only wait are no round, and begin the count anew', () => {
  const repeats = new Repeats();
  const verdicts = Array.from({ length: 20 }, (_, n) =>
    repeats.note(n % 3 === 2 ? [done('{"path":"log"}')] : []),
  );
  expect(new Set(verdicts.map(({ kind }) => kind))).toEqual(new Set(['fine']));
});
