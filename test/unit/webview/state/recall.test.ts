import { expect, test } from 'vitest';
import { newer, older, recallable } from '#webview/state/recall';

test('what was sent comes newest first, repetitions once, a parked draft before it', () => {
  expect(recallable(['a', 'b', 'b', '', 'c'], undefined)).toEqual(['c', 'b', 'a']);
  expect(recallable(['a'], 'half')).toEqual(['half', 'a']);
});

test('going back stops at the oldest, going forth ends at the draft', () => {
  const first = older(undefined, ['b', 'a']);
  const second = older(first, ['b', 'a']);
  expect([first, second, older(second, ['b', 'a'])]).toEqual([{ index: 0 }, { index: 1 }, second]);
  expect(newer({ index: 1 })).toEqual({ index: 0 });
  expect(newer({ index: 0 })).toBeUndefined();
  expect(older(undefined, [])).toBeUndefined();
});
