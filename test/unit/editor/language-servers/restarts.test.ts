import { expect, test } from 'vitest';
import { Restarts } from '#editor/language-servers/restarts';

test('each wait is twice the last one, and the sixth crash within three minutes is the last', () => {
  const restarts = new Restarts(5);
  const waits = [0, 10, 20, 30, 40, 50].map((second) => restarts.afterCrash(second * 1000));
  expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, undefined]);
});

test('crashes that are three minutes old do not count any more', () => {
  const restarts = new Restarts(2);
  const waits = [0, 100, 180, 281, 282].map((second) => restarts.afterCrash(second * 1000));
  expect(waits).toEqual([1000, 2000, 2000, 2000, undefined]);
});

test('nobody waits longer than a minute', () => {
  const restarts = new Restarts(100);
  const waits = Array.from({ length: 50 }, () => restarts.afterCrash(0));
  expect(Math.max(...waits.map(Number))).toBe(60_000);
});

test('without restarts the first crash is the last', () => {
  expect(new Restarts(0).afterCrash(0)).toBeUndefined();
});

test('a person gives it a new beginning', () => {
  const restarts = new Restarts(1);
  restarts.afterCrash(0);
  restarts.forget();
  expect(restarts.afterCrash(1)).toBe(1000);
});
