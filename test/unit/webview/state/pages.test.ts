import { expect, test } from 'vitest';
import type { TranscriptTurn } from '#protocol/turn';
import { earlier, grown, lastPage, later, pageAround, type Range } from '#webview/state/pages';

/** Turns of ten items each. */
const turns = (count: number): readonly TranscriptTurn[] =>
  Array.from(
    { length: count },
    (_, index) => ({ turn: index + 1, items: new Array(10) }) as unknown as TranscriptTurn,
  );
const size = ({ start, end }: Range) => end - start;

test('a short session is one page', () => {
  expect(lastPage(turns(5))).toEqual({ start: 0, end: 5 });
});

test('a long session shows its end', () => {
  const page = lastPage(turns(1000));
  expect([page.end, size(page)]).toEqual([1000, 19]);
});

test('one turn larger than a page is still shown', () => {
  const huge = [{ turn: 1, items: new Array(5000) }] as unknown as readonly TranscriptTurn[];
  expect(lastPage(huge)).toEqual({ start: 0, end: 1 });
});

test('walking up and down again reaches everything, and the page never grows beyond its bound', () => {
  const all = turns(500);
  let page = lastPage(all);
  const sizes: number[] = [];
  while (page.start > 0) {
    const next = earlier(all, page);
    expect(next.start).toBeLessThan(page.start);
    page = next;
    sizes.push(size(page));
  }
  while (page.end < all.length) {
    const next = later(all, page);
    expect(next.end).toBeGreaterThan(page.end);
    page = next;
    sizes.push(size(page));
  }
  expect(Math.max(...sizes)).toBeLessThanOrEqual(56);
});

test('neighbouring pages overlap, so that nothing is skipped', () => {
  const all = turns(500);
  const page = lastPage(all);
  const up = earlier(all, page);
  expect(up.end).toBeGreaterThan(page.start);
});

test('a page is opened around the turn where the reader left, or at the end when that is gone', () => {
  const all = turns(500);
  const page = pageAround(all, 250);
  expect(page.start < 249 && page.end > 250).toBe(true);
  expect(pageAround(all, 9999)).toEqual(lastPage(all));
});

test('new turns join a page that reaches the end, and no other', () => {
  const all = turns(101);
  expect(grown(all, { start: 80, end: 100 }, 100, true)).toEqual({ start: 80, end: 101 });
  expect(grown(all, { start: 10, end: 30 }, 100, false)).toEqual({ start: 10, end: 30 });
});

test('who follows a growing session loses the oldest turns of the page, who reads loses none', () => {
  const all = turns(300);
  expect(size(grown(all, { start: 200, end: 299 }, 299, true))).toBeLessThan(25);
  expect(grown(all, { start: 200, end: 299 }, 299, false)).toEqual({ start: 200, end: 300 });
});

test('a rewind that takes the page away shows what is left', () => {
  expect(grown(turns(3), { start: 10, end: 30 }, 30, false)).toEqual({ start: 2, end: 3 });
  expect(grown([], { start: 10, end: 30 }, 30, false)).toEqual({ start: 0, end: 0 });
});
