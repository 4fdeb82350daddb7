import { afterEach, expect, test } from 'vitest';
import { createRedactor } from '#agent/redaction/redactor';
import { LeaseLost, SessionLog } from '#agent/session-log';
import type { EventBody, SessionEvent } from '#protocol/event';
import type { MessageId, RelativePath, SessionId, Sha256, TurnId } from '#protocol/ids';
import type { Message } from '#protocol/message';
import { openStore, type Store } from '#store/store';
import { memoryHost } from '#test/support/memory-host';

const SESSION = 's1' as SessionId;
const TURN = 't1' as TurnId;
const me = { id: 'me', pid: 1, host: 'here' };
const host = memoryHost();
const opened: (() => void)[] = [];

afterEach(() => {
  for (const close of opened.splice(0)) close();
});

const titled = (title: string): EventBody => ({ type: 'session.titled', title });
const said = (text: string): Message => ({ kind: 'note', id: text as MessageId, turnId: TURN, text });
const turned = () => new Promise((resolve) => setImmediate(resolve));

/** A log of a session that this window writes, what is told of it, and the store as it stands. */
function lab(pace?: ConstructorParameters<typeof SessionLog>[0]['pace']) {
  const made = openStore({ path: ':memory:', log: host.log, clock: host.clock });
  if (!made.ok) throw new Error(made.error.message);
  const store: Store = made.value;
  const session = { folder: host.environment.home, title: '', mode: 'prompt', modelId: '', at: 0 } as const;
  store.sessions.create({ id: SESSION, ...session });
  store.leases.acquire(SESSION, me, 1000);
  const lost: true[] = [];
  const log = new SessionLog({
    sessionId: SESSION,
    store,
    owner: me,
    clock: host.clock,
    redactor: createRedactor(() => ['very-secret-1'], {}),
    pace,
    onListenerError: () => undefined,
    onLeaseLost: () => lost.push(true),
  });
  const told: string[] = [];
  log.onEvent((event) => told.push('title' in event ? event.title : event.type));
  opened.push(() => {
    log.dispose();
    store.close();
  });
  const kept = () => store.events.list(SESSION).map((event) => ('title' in event ? event.title : event.type));
  return { store, log, told, kept, lost };
}

test('what may wait is recorded and told when the event loop turns, with its message', async () => {
  const { store, log, told, kept } = lab();
  await log.recordSoon([titled('a'), titled('b')], () => said('word'));
  const before = [told.length, kept().length];
  await turned();
  expect([before, told, kept(), store.messages.list(SESSION)]).toEqual([
    [0, 0],
    ['a', 'b'],
    ['a', 'b'],
    [said('word')],
  ]);
});

test('what waits goes before the next word, which waits for nothing', async () => {
  const { log, told, kept } = lab();
  await log.recordSoon([titled('a')]);
  log.writeSoon(
    () => undefined,
    () => undefined,
  );
  const event: SessionEvent = await log.record(titled('b'), () => said('word'));
  expect([event.sequence, told, kept()]).toEqual([2, ['a', 'b'], ['a', 'b']]);
});

test('a note, a live word and what others recorded come behind what waits', async () => {
  const { store, log, told } = lab();
  await log.recordSoon([titled('a')]);
  log.note({ kind: 'assistant', id: 'word' as MessageId, turnId: TURN, parts: [], modelId: '' });
  await log.recordSoon([titled('b')]);
  log.tell({ type: 'live.output', sessionId: SESSION, turnId: TURN, callId: 'c' as never, lastLine: 'x' });
  await log.recordSoon([titled('c')]);
  log.announce([{ ...titled('d'), sequence: 9, sessionId: SESSION, at: 0 } as SessionEvent]);
  expect([told, store.messages.hasAfter(SESSION, 0), store.messages.hasAfter(SESSION, 1)]).toEqual([
    ['a', 'b', 'live.output', 'c', 'd'],
    true,
    false,
  ]);
});

test('where the store fails nothing is told, and the next word fails too', async () => {
  const { log, told, kept } = lab();
  let broken = true;
  await log.recordSoon([titled('a')]);
  log.writeSoon(
    () => {
      if (broken) throw new Error('disk full');
    },
    () => undefined,
  );
  await turned();
  await expect(log.record(titled('b'))).rejects.toThrow('disk full');
  const meanwhile = [told.length, kept().length];
  broken = false;
  await log.record(titled('c'));
  expect([meanwhile, told, kept()]).toEqual([
    [0, 0],
    ['a', 'c'],
    ['a', 'c'],
  ]);
});

test('what waited for a session that another window took is never recorded', async () => {
  const { store, log, kept, lost } = lab();
  await log.recordSoon([titled('a')]);
  store.leases.release(SESSION, me);
  await turned();
  await expect(log.record(titled('b'))).rejects.toThrow(LeaseLost);
  store.leases.acquire(SESSION, me, 2000);
  await log.record(titled('c'));
  expect([kept(), lost.length > 0]).toEqual([['c'], true]);
});

test('what waited for a session that another window took is forgotten: taking it back brings none of it', async () => {
  const { store, log, told, kept } = lab();
  const over: string[] = [];
  await log.recordSoon([titled('a')], () => said('old'));
  log.writeSoon(
    () => undefined,
    () => over.push('note'),
  );
  store.leases.release(SESSION, me);
  await turned();
  store.leases.acquire(SESSION, me, 2000);
  await log.record(titled('b'));
  expect([kept(), told, store.messages.list(SESSION), over]).toEqual([['b'], ['b'], [], ['note']]);
});

test('once the store has failed nothing waits any more: the next read fails', async () => {
  const { log } = lab();
  log.writeSoon(
    () => {
      throw new Error('disk full');
    },
    () => undefined,
  );
  await turned();
  await expect(log.recordSoon([titled('a')])).rejects.toThrow('disk full');
});

test('where the store fails a live word or one of others throws at nobody', async () => {
  const { log, told } = lab();
  log.writeSoon(
    () => {
      throw new Error('disk full');
    },
    () => undefined,
  );
  log.tell({ type: 'live.output', sessionId: SESSION, turnId: TURN, callId: 'c' as never, lastLine: 'x' });
  log.announce([{ ...titled('d'), sequence: 9, sessionId: SESSION, at: 0 } as SessionEvent]);
  expect(told).toEqual(['d']);
});

test('a note of a read outlives a transaction that failed', async () => {
  const { store, log } = lab();
  const reads = store.reads.of(SESSION, (write, over) => log.writeSoon(write, over));
  let broken = true;
  reads.note('a.txt' as RelativePath, 'f'.repeat(64) as Sha256, { from: 1, to: 2, total: 2 });
  log.writeSoon(
    () => {
      if (broken) throw new Error('disk full');
    },
    () => undefined,
  );
  await turned();
  const meanwhile = reads.seen('a.txt' as RelativePath)?.whole;
  broken = false;
  log.flush();
  expect([meanwhile, store.reads.list(SESSION)]).toEqual([true, [{ path: 'a.txt', sha256: 'f'.repeat(64) }]]);
});

test('what a window read whose session was taken counts no more', async () => {
  const { store, log } = lab();
  const reads = store.reads.of(SESSION, (write, over) => log.writeSoon(write, over));
  await log.recordSoon([titled('a')]);
  reads.note('a.txt' as RelativePath, 'f'.repeat(64) as Sha256, { from: 1, to: 2, total: 2 });
  store.leases.release(SESSION, me);
  await turned();
  expect(reads.seen('a.txt' as RelativePath)).toBeUndefined();
});

test('a listener that records is told after what was recorded before', async () => {
  const { log, told } = lab();
  log.onEvent((event) => {
    if ('title' in event && event.title === 'a') log.recordNow(titled('answer'));
  });
  const later: string[] = [];
  log.onEvent((event) => later.push('title' in event ? event.title : event.type));
  await log.recordSoon([titled('a'), titled('b')]);
  await log.recordSoon([titled('c')]);
  await turned();
  expect([told, later]).toEqual([
    ['a', 'b', 'c', 'answer'],
    ['a', 'b', 'c', 'answer'],
  ]);
});

test('a log that is closed records what waits', async () => {
  const { log, kept } = lab();
  await log.recordSoon([titled('a')]);
  log.dispose();
  expect(kept()).toEqual(['a']);
});

test('an onlooker that holds the session sees each word before the next is begun', async () => {
  const seen: string[] = [];
  const { log } = lab({
    before: async (body) => void seen.push(`before ${body.type}`),
    after: async (event) => void seen.push(`after ${event.sequence}`),
  });
  await log.recordSoon([titled('a')]);
  seen.push('goes on');
  expect(seen).toEqual(['before session.titled', 'after 1', 'goes on']);
});

test('secrets are taken out of what is recorded', async () => {
  const { log, kept } = lab();
  await log.recordSoon([titled('key very-secret-1')]);
  await turned();
  expect(kept()).toEqual(['key [redacted: stored key]']);
});
