import { lstatSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { StampClock, StampJudge, stampedSince } from '#disk/stamps';
import { tempFolder } from '#test/support/temp-folder';

const BEGIN = { stamp: 1_000_000.5, monotonic: 500 };
const later = (ms: number, clockSetBy = 0) => ({
  stamp: BEGIN.stamp + ms + clockSetBy,
  monotonic: BEGIN.monotonic + ms,
});

test('stamped since is what bears the moment itself or a later one, up to now', () => {
  const isSince = stampedSince(BEGIN, later(60_000));
  expect([999_999.5, 1_000_000.25, 1_000_000.5, 1_060_000.5, 9_000_000.5].map(isSince)).toEqual([
    false,
    false,
    true,
    true,
    false,
  ]);
});

test('whole seconds are those of a file system that knows no finer ones', () => {
  const isSince = stampedSince({ stamp: 1_000_700.5, monotonic: 0 }, { stamp: 1_005_000.5, monotonic: 4300 });
  expect([999_000, 1_000_000, 1_001_000].map(isSince)).toEqual([false, true, true]);
});

test('a clock set back meanwhile loses nothing that was stamped before or after that', () => {
  const isSince = stampedSince(BEGIN, later(60_000, -3_600_000));
  const [beforeIt, afterIt] = [BEGIN.stamp + 30_000, BEGIN.stamp + 40_000 - 3_600_000];
  expect([beforeIt, afterIt, BEGIN.stamp - 3_700_000].map(isSince)).toEqual([true, true, false]);
});

test('a clock set forward meanwhile, or a machine that slept, loses nothing either', () => {
  const isSince = stampedSince(BEGIN, later(60_000, 3_600_000));
  expect([BEGIN.stamp + 1, BEGIN.stamp + 3_650_000, BEGIN.stamp - 1].map(isSince)).toEqual([
    true,
    true,
    false,
  ]);
});

test('clocks that drift apart by a little don’t widen the time looked at', () => {
  const isSince = stampedSince(BEGIN, later(60_000, -300));
  expect(isSince(BEGIN.stamp - 0.25)).toBe(false);
});

test('what was touched before a reading is stamped before the moment after it; what is touched then isn’t', async () => {
  const clock = openClock();
  const folder = tempFolder();
  for (let n = 0; n < 20; n++) {
    folder.write({ before: `${n}` });
    const moment = await clock.momentAfter(clock.read());
    folder.write({ after: `${n}` });
    const [before, after] = ['before', 'after'].map((name) => lstatSync(folder.at(name)).ctimeMs);
    expect([(before ?? 0) < (moment?.stamp ?? 0), (after ?? 0) >= (moment?.stamp ?? 0)]).toEqual([
      true,
      true,
    ]);
  }
  clock.dispose();
});

test('a clock that stands is told, and its file has no name', async () => {
  // A process that had this one's number may have been killed at the wrong moment.
  const names = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`belay-clock-${process.pid}-`));
  const before = names();
  const clock = openClock();
  expect([await clock.momentAfter(Number.MAX_SAFE_INTEGER), names()]).toEqual([undefined, before]);
  clock.dispose();
});

test('the stamps of what no disk holds are not trusted', () => {
  expect(new StampJudge().isExact('/proc', lstatSync('/'))).toBe(false);
});

function openClock(): StampClock {
  const clock = StampClock.open();
  if (!clock) throw new Error('these tests need Linux and a temporary folder on a disk of its own');
  return clock;
}
