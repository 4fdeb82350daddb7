import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { ApprovalRequest } from '#protocol/approval';
import type {
  ApprovalId,
  ArtifactId,
  MessageId,
  RelativePath,
  SessionId,
  Sha256,
  TurnId,
} from '#protocol/ids';
import type { Message } from '#protocol/message';
import { addSession, databasePath, FOLDER, memoryStore, open, SESSION } from './lab';

const OTHER = 's2' as SessionId;
const TURN = 't1' as TurnId;
const user = (text: string): Message => ({
  kind: 'user',
  id: text as MessageId,
  turnId: TURN,
  text,
  mentions: [],
  attached: '',
});

test('ST-06 odd texts come back as they were', () => {
  const store = memoryStore();
  const odd = 'U+00D7 × 😀 \ud800 lone \u0000 nul \r\n';
  store.sessions.update(SESSION, { title: odd });
  store.events.append(SESSION, { type: 'session.titled', title: odd }, 1, [user(odd)]);
  expect([
    store.sessions.get(SESSION)?.title,
    store.messages.list(SESSION)[0],
    store.events.list(SESSION)[0],
  ]).toMatchObject([odd, { text: odd }, { title: odd, sequence: 1 }]);
});

test('events are numbered without a gap, each session by itself', () => {
  const store = memoryStore();
  addSession(store, OTHER);
  for (const session of [SESSION, OTHER, SESSION]) store.events.append(session, { type: 'files.kept' }, 5.7);
  expect(store.events.list(SESSION)).toEqual([
    { type: 'files.kept', sequence: 1, sessionId: SESSION, at: 5 },
    { type: 'files.kept', sequence: 2, sessionId: SESSION, at: 5 },
  ]);
  expect([
    store.events.list(SESSION, 2).length,
    store.events.last(SESSION),
    store.events.last(OTHER),
    store.events.last('none' as SessionId),
  ]).toEqual([1, 2, 1, 0]);
});

test('an event and its messages are recorded together or not at all', () => {
  const store = memoryStore();
  const unwritable = {
    ...user('x'),
    toJSON: () => {
      throw new Error('no');
    },
  };
  expect(() => store.events.append(SESSION, { type: 'files.kept' }, 0, [user('first'), unwritable])).toThrow(
    'no',
  );
  expect([store.events.list(SESSION), store.messages.list(SESSION)]).toEqual([[], []]);
});

test('sessions are listed by folder, the latest first', () => {
  const store = memoryStore();
  addSession(store, OTHER, 50);
  addSession(store, 's3' as SessionId, 70, '/elsewhere' as typeof FOLDER);
  store.events.append(SESSION, { type: 'files.kept' }, 60);
  expect(store.sessions.list(FOLDER).map(({ id, at, createdAt }) => [id, at, createdAt])).toEqual([
    [SESSION, 60, 0],
    [OTHER, 50, 50],
  ]);
});

test('danger mode is not kept', () => {
  const store = memoryStore();
  store.sessions.update(SESSION, { mode: 'danger-full-access' });
  const first = store.sessions.get(SESSION)?.mode;
  store.sessions.update(SESSION, { mode: 'prompt' });
  expect([first, store.sessions.get(SESSION)?.mode]).toEqual(['workspace-write', 'prompt']);
});

test('a deleted session takes everything with it', () => {
  const store = memoryStore();
  store.events.append(SESSION, { type: 'files.kept' }, 0, [user('x')]);
  store.artifacts.put(SESSION, 'a' as ArtifactId, 'text', 0);
  store.sessions.delete(SESSION);
  expect([store.sessions.get(SESSION), store.messages.list(SESSION), store.artifacts.any(SESSION)]).toEqual([
    undefined,
    [],
    false,
  ]);
});

test('approvals: the first answer stands', () => {
  const { approvals } = memoryStore();
  const request = { id: 'q' as ApprovalId, sessionId: SESSION, summary: 'Run x' } as ApprovalRequest;
  approvals.asked(request, 1);
  expect(approvals.pending(SESSION)).toEqual([{ request, askedAt: 1, answer: undefined, by: undefined }]);
  expect(approvals.answered(request.id, { answer: 'allow-once' }, 'panel', 2)).toBe(true);
  expect(approvals.answered(request.id, { answer: 'deny-once' }, 'notification', 3)).toBe(false);
  expect([approvals.pending(SESSION), approvals.list(SESSION)]).toEqual([
    [],
    [{ request, askedAt: 1, answer: { answer: 'allow-once' }, by: 'panel' }],
  ]);
});

test('todos are kept whole', () => {
  const { todos } = memoryStore();
  const list = [{ content: 'Run', activeForm: 'Running', status: 'in_progress' as const }];
  expect(todos.list(SESSION)).toEqual([]);
  todos.write(SESSION, list);
  todos.write(SESSION, [...list, ...list]);
  expect(todos.list(SESSION)).toEqual([...list, ...list]);
});

test('artifacts are read by pages that never cut a character', () => {
  const { artifacts } = memoryStore();
  const text = 'ä€😀x'.repeat(20_000);
  const { id, bytes } = artifacts.put(SESSION, 'a' as ArtifactId, text, 0);
  const parts: string[] = [];
  for (let next: number | undefined = 0; next !== undefined; ) {
    const page = artifacts.read(SESSION, id, next, 70_001);
    if (!page) throw new Error('no page');
    expect(page.bytes).toBe(bytes);
    parts.push(page.text);
    next = page.next;
  }
  expect([bytes, parts.join('') === text, parts.length]).toEqual([Buffer.byteLength(text), true, 3]);
});

test('artifacts belong to their session; odd offsets give an empty page', () => {
  const store = memoryStore();
  addSession(store, OTHER);
  store.artifacts.put(SESSION, 'a' as ArtifactId, '', 0);
  store.artifacts.put(
    SESSION,
    'b' as ArtifactId,
    new Uint8Array([255, 254, 128, 128, 128, 128, 128, 128]),
    0,
  );
  expect([
    store.artifacts.read(OTHER, 'a' as ArtifactId, 0, 10),
    store.artifacts.read(SESSION, 'a' as ArtifactId, 99, 10),
    store.artifacts.read(SESSION, 'b' as ArtifactId, -5, 4)?.next,
    store.artifacts.any(OTHER),
  ]).toEqual([undefined, { text: '', start: 0, bytes: 0, next: undefined }, 4, false]);
});

test('from whatever byte an artifact is read, no character is split, and page after page gives all the rest', () => {
  const { artifacts } = memoryStore();
  const text = 'aä€😀\ufeff'.repeat(12);
  const bytes = Buffer.from(text);
  const { id } = artifacts.put(SESSION, 'a' as ArtifactId, text, 0);
  for (let offset = 0; offset <= bytes.length; offset++) {
    for (const size of [1, 5, 7]) {
      const first = artifacts.read(SESSION, id, offset, size);
      let read = '';
      for (let page = first; page; ) {
        read += page.text;
        page = page.next === undefined ? undefined : artifacts.read(SESSION, id, page.next, size);
      }
      const start = first?.start ?? -1;
      expect([offset - start <= 3, read]).toEqual([true, bytes.subarray(start).toString()]);
      expect(read).not.toContain('\ufffd');
    }
  }
});

test('bytes that are no text are read as they come, and an end is reached', () => {
  const { artifacts } = memoryStore();
  const bytes = Uint8Array.from(
    { length: 300_000 },
    (_, i) => [0x80, 0xff, 0xf0, 0xc3, 0x00][(i * 7) % 5] ?? 0,
  );
  const { id } = artifacts.put(SESSION, 'a' as ArtifactId, bytes, 0);
  let pages = 0;
  for (let next: number | undefined = 0; next !== undefined; pages++) {
    const before: number = next;
    next = artifacts.read(SESSION, id, before, 1000)?.next;
    if (next !== undefined) expect(next).toBeGreaterThan(before);
  }
  expect(pages).toBeGreaterThan(299);
});

test('reads: shown lines add up, other content begins anew, a write counts as seen', () => {
  const store = memoryStore();
  const reads = store.reads.of(SESSION);
  const path = 'a.ts' as RelativePath;
  const [one, two] = ['1' as Sha256, '2' as Sha256];
  expect(reads.seen(path)).toBeUndefined();
  reads.note(path, one, { from: 1, to: 10, total: 30 });
  reads.note(path, one, { from: 21, to: 30, total: 30 });
  expect(reads.seen(path)).toEqual({ sha256: one, whole: false });
  reads.note(path, one, { from: 11, to: 20, total: 30 });
  expect(reads.seen(path)).toEqual({ sha256: one, whole: true });
  reads.note(path, two, { from: 1, to: 5, total: 30 });
  expect(reads.seen(path)).toEqual({ sha256: two, whole: false });
  reads.wrote(path, one, 0);
  expect(reads.seen(path)).toEqual({ sha256: one, whole: true });
  reads.forget(path);
  expect(reads.seen(path)).toBeUndefined();
});

test('a message that is damaged or of another version is passed over; the others stay', () => {
  const path = databasePath();
  const store = open(path);
  addSession(store, SESSION);
  for (const text of ['one', 'two', 'three', 'four', 'five', 'six'])
    store.events.append(SESSION, { type: 'session.titled', title: text }, 1, [user(text)]);
  store.close();
  const raw = new DatabaseSync(path);
  const damage = raw.prepare('UPDATE messages SET body = ? WHERE position = ?');
  const bodies = [
    '{"kind":"user","te',
    '7',
    '{"kind":"result","callId":"a","result":null}',
    '{"kind":"vision"}',
  ];
  for (const [index, body] of bodies.entries()) damage.run(body, index + 2);
  raw.close();
  const again = open(path);
  expect(again.messages.list(SESSION)).toEqual([user('one'), user('six')]);
  again.close();
});
