import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { AbsolutePath, Sha256 } from '#protocol/ids';
import { Database } from '#store/database';
import { MIGRATIONS, migrate } from '#store/migrations';
import { addSession, databasePath, FOLDER, memoryStore, open, SESSION } from './lab';

const key = (sha: string, folder = FOLDER, set = 'belay') => ({ folder, set, sha256: sha as Sha256 });

test('a word holds for one content of one set of files in one folder', () => {
  const { acceptances } = memoryStore();
  acceptances.record(key('a'), 'accepted', { content: '{}', at: 1 });
  expect([
    acceptances.verdict(key('a')),
    acceptances.verdict(key('b')),
    acceptances.verdict(key('a', FOLDER, 'claude')),
    acceptances.verdict(key('a', '/work/other' as AbsolutePath)),
  ]).toEqual(['accepted', undefined, undefined, undefined]);
});

test('the latest word counts, and having asked takes no answer back', () => {
  const { acceptances } = memoryStore();
  const say = (verdict: 'asked' | 'accepted' | 'rejected', at: number) => {
    acceptances.record(key('a'), verdict, { content: 'x', at });
    return acceptances.verdict(key('a'));
  };
  expect([say('asked', 1), say('rejected', 2), say('asked', 3), say('accepted', 4), say('asked', 5)]).toEqual(
    ['asked', 'rejected', 'rejected', 'accepted', 'accepted'],
  );
});

test('the content accepted last is kept to show a change against it', () => {
  const { acceptances } = memoryStore();
  const say = (sha: string, verdict: 'accepted' | 'rejected', at: number) =>
    acceptances.record(key(sha), verdict, { content: `content of ${sha}`, at });
  expect(acceptances.lastAccepted(FOLDER, 'belay')).toBeUndefined();
  say('a', 'accepted', 1);
  say('b', 'accepted', 2);
  say('c', 'rejected', 3);
  expect(acceptances.lastAccepted(FOLDER, 'belay')).toBe('content of b');
  say('a', 'accepted', 4);
  expect(acceptances.lastAccepted(FOLDER, 'belay')).toBe('content of a');
});

test('a database of the version before has its sessions after the upgrade, and takes acceptances', () => {
  const path = databasePath();
  mkdirSync(dirname(path), { recursive: true });
  const before = new Database(path);
  migrate(before, MIGRATIONS.slice(0, 1));
  before.run(
    "INSERT INTO sessions (id, folder, title, mode, model_id, created_at) VALUES ('s1', ?, '\"kept\"', 'prompt', '', 1)",
    FOLDER,
  );
  const tables = z.object({ name: z.string() });
  expect(before.rows(tables, "SELECT name FROM sqlite_master WHERE name = 'acceptances'")).toEqual([]);
  before.close();
  const store = open(path);
  store.acceptances.record(key('a'), 'accepted', { content: '{}', at: 1 });
  expect([store.sessions.get(SESSION)?.title, store.acceptances.verdict(key('a'))]).toEqual([
    'kept',
    'accepted',
  ]);
  store.close();
  const again = open(path);
  addSession(again, 'other' as typeof SESSION);
  expect([again.acceptances.verdict(key('a')), existsSync(path)]).toEqual(['accepted', true]);
  again.close();
});
