import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { birthOf } from '#disk/process-birth';
import type { LeaseOwner } from '#store/leases';
import { memoryStore, SESSION } from './lab';

const HERE = 'this-machine';
const BEGINNING = birthOf(process.pid);
const mine: LeaseOwner = { id: 'window-1', pid: process.pid, host: HERE, born: BEGINNING };
const other: LeaseOwner = { ...mine, id: 'window-2' };
const far: LeaseOwner = { id: 'far', pid: 4_194_304, host: 'another-machine' };

test('one writer at a time, until it lets go or a person takes the session from it', () => {
  const { leases } = memoryStore();
  expect(leases.acquire(SESSION, mine, 1000)).toEqual({ ok: true, value: undefined });
  expect(leases.acquire(SESSION, mine, 1001).ok).toBe(true);
  expect(leases.acquire(SESSION, other, 1002)).toEqual({ ok: false, error: { owner: mine, beat: 1001 } });
  expect(leases.beat(SESSION, mine, 2000)).toBe(true);
  expect(leases.acquire(SESSION, other, 2001, { force: true }).ok).toBe(true);
  expect(leases.beat(SESSION, mine, 2002)).toBe(false);
  leases.release(SESSION, mine);
  expect(leases.holder(SESSION, HERE)?.owner).toEqual(other);
  leases.release(SESSION, other);
  expect(leases.holder(SESSION, HERE)).toBeUndefined();
});

test('a process that is gone holds nothing on its machine; elsewhere nobody can tell', () => {
  const { leases } = memoryStore();
  const { pid } = spawnSync(process.execPath, ['--version']);
  leases.acquire(SESSION, { ...other, pid }, 1000);
  expect([leases.holder(SESSION, HERE), leases.holder(SESSION, 'elsewhere')?.owner.pid]).toEqual([
    undefined,
    pid,
  ]);
  expect(leases.acquire(SESSION, mine, 1001).ok).toBe(true);
});

test('the number of a dead process that came again for another one is no sign of life', () => {
  const { leases } = memoryStore();
  leases.acquire(SESSION, { ...other, born: 'an earlier boot 4711' }, 1000);
  // Where the beginning of a process can't be told, a process of that number counts as the writer.
  expect(leases.holder(SESSION, HERE)?.owner.id).toBe(BEGINNING === undefined ? 'window-2' : undefined);
});

test('neither a clock set back nor one that jumped on makes a living writer look dead', () => {
  const { leases } = memoryStore();
  leases.acquire(SESSION, far, 1_000_000);
  expect(leases.acquire(SESSION, mine, 9_000_000_000).ok).toBe(false);
  expect(leases.acquire(SESSION, mine, 5).ok).toBe(false);
  const before = leases.holder(SESSION, HERE)?.beat;
  leases.beat(SESSION, far, 5);
  const after = leases.holder(SESSION, HERE)?.beat;
  expect([before, after]).toEqual([1_000_000, 1_000_001]);
});

test('silence counts only up to the next sign of life', () => {
  const { leases } = memoryStore();
  leases.acquire(SESSION, far, 1000);
  leases.beat(SESSION, far, 2000);
  expect(leases.acquire(SESSION, mine, 3000, { silentSince: 1000 }).ok).toBe(false);
  expect(leases.acquire(SESSION, mine, 3000, { silentSince: 2000 }).ok).toBe(true);
});
