import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Lease } from '#agent/lease';
import type { SessionId } from '#protocol/ids';
import type { LeaseOwner } from '#store/leases';
import { openStore, type Store } from '#store/store';
import { memoryHost } from '#test/support/memory-host';

const SESSION = 's1' as SessionId;
const far: LeaseOwner = { id: 'far', pid: 1, host: 'another-machine' };
const here: LeaseOwner = { id: 'here', pid: process.pid, host: 'this-machine' };
const host = memoryHost();
const opened: Disposable[] = [];

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  for (const one of opened.splice(0)) one[Symbol.dispose]();
  vi.useRealTimers();
});

function store(): Store {
  const made = openStore({ path: ':memory:', log: host.log, clock: host.clock });
  if (!made.ok) throw new Error(made.error.message);
  const { sessions } = made.value;
  sessions.create({
    id: SESSION,
    folder: host.environment.home,
    title: 't',
    mode: 'prompt',
    modelId: '',
    at: 0,
  });
  return made.value;
}

function lease(of: Store, owner: LeaseOwner): Lease {
  const made = new Lease({ sessionId: SESSION, store: of, owner, clock: host.clock });
  opened.push({ [Symbol.dispose]: () => made.dispose() });
  return made;
}

test('a writer that gives no sign of life for fifteen looks is followed by the window that waits', () => {
  const kept = store();
  kept.leases.acquire(SESSION, far, 1000);
  const mine = lease(kept, here);
  expect(mine.acquire()).toBe(false);
  vi.advanceTimersByTime(15_000);
  expect(mine.held).toBe(false);
  vi.advanceTimersByTime(2000);
  expect([mine.held, kept.leases.holder(SESSION, here.host)?.owner.id]).toEqual([true, 'here']);
});

test('two windows whose machine slept both wake: the writer keeps its session', () => {
  const kept = store();
  const writer = lease(kept, far);
  const waiting = lease(kept, here);
  expect([writer.acquire(), waiting.acquire()]).toEqual([true, false]);
  // Hours pass on the clock, and no timer runs meanwhile.
  vi.setSystemTime(Date.now() + 8 * 3_600_000);
  vi.advanceTimersByTime(60_000);
  expect([writer.held, waiting.held]).toEqual([true, false]);
  writer.dispose();
  vi.advanceTimersByTime(1000);
  expect(waiting.held).toBe(true);
});

test('who took a session over is written beside it at once, and the other one hears of it at its next beat', () => {
  const kept = store();
  const first = lease(kept, far);
  const second = lease(kept, here);
  let lost = 0;
  first.onLost(() => lost++);
  first.acquire();
  expect(second.acquire({ force: true })).toBe(true);
  vi.advanceTimersByTime(5000);
  expect([first.held, second.held, lost]).toEqual([false, true, 1]);
});
