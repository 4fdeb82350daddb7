import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { Database } from '#store/database';
import { MIGRATIONS, migrate } from '#store/migrations';
import { openStore } from '#store/store';
import { childScript } from '#test/support/child-script';
import { memoryHost } from '#test/support/memory-host';
import { addSession, databasePath, FOLDER, memoryStore, open, SESSION } from './lab';

const host = memoryHost();
const opened = (path: string) => openStore({ path, log: host.log, clock: host.clock });

test('makes its folder, readable by this user alone, and keeps what was written', () => {
  const path = databasePath();
  const first = open(path);
  addSession(first, SESSION);
  first.close();
  const again = open(path);
  expect([
    again.sessions.list(FOLDER).map(({ id }) => id),
    statSync(dirname(path)).mode & 0o077,
    again.setAside,
  ]).toEqual([[SESSION], 0, undefined]);
  again.close();
});

test.each([
  [
    'no database at all',
    () => Buffer.from('this is not a database, but it is long enough to look at'.repeat(40)),
  ],
  [
    'a database with a damaged page',
    (whole: Buffer) => {
      const broken = Buffer.from(whole);
      // Everything behind the first page: the schema is still read, the tables are not.
      broken.fill(0xa5, 4096);
      return broken;
    },
  ],
])('%s is set aside, never deleted, and a new one begun', (_what, damage) => {
  const path = databasePath();
  const before = open(path);
  addSession(before, SESSION);
  before.close();
  const bytes = damage(readFileSync(path));
  writeFileSync(path, bytes);
  const result = opened(path);
  if (!result.ok) throw new Error(result.error.message);
  const { setAside = '', sessions } = result.value;
  expect([sessions.list(FOLDER), readFileSync(setAside).equals(bytes)]).toEqual([[], true]);
  expect(setAside.startsWith(`${path}.corrupt-`)).toBe(true);
  result.value.close();
});

test('a database that can’t be opened gives a message and touches nothing', () => {
  const path = databasePath();
  mkdirSync(path, { recursive: true });
  const result = opened(path);
  expect(!result.ok && result.error.message).toMatch(/can’t be opened: .*check the file’s permissions/);
  expect(readdirSync(dirname(path))).toEqual(['belay.db']);
});

test('a storage folder that can’t be made gives a message', () => {
  const path = databasePath();
  writeFileSync(dirname(path), 'a file');
  expect(opened(path)).toMatchObject({ ok: false });
});

test('a database of a newer Belay is left alone', () => {
  const path = databasePath();
  open(path).close();
  const database = new Database(path);
  database.execute('PRAGMA user_version = 99');
  database.close();
  const result = opened(path);
  expect(!result.ok && result.error.message).toContain('newer Belay');
  expect(readdirSync(dirname(path)).filter((name) => name.includes('corrupt'))).toEqual([]);
});

test('comes to the same schema from every earlier version', () => {
  const schemaOf = (database: Database) => {
    const dump = JSON.stringify(readdirSchema(database));
    database.close();
    return dump;
  };
  const whole = new Database(':memory:');
  migrate(whole);
  const expected = schemaOf(whole);
  for (let version = 0; version <= MIGRATIONS.length; version++) {
    const database = new Database(':memory:');
    migrate(database, MIGRATIONS.slice(0, version));
    migrate(database);
    expect(schemaOf(database)).toBe(expected);
  }
});

test('a migration that fails changes nothing', () => {
  const database = new Database(':memory:');
  migrate(database);
  const before = readdirSchema(database);
  expect(() =>
    migrate(database, [
      ...MIGRATIONS,
      'CREATE TABLE extra (a INTEGER) STRICT; CREATE TABLE sessions (a INTEGER)',
    ]),
  ).toThrow('already exists');
  expect(readdirSchema(database)).toEqual(before);
  database.close();
});

test('a transaction is all or nothing, also one within another', () => {
  const store = memoryStore();
  expect(() =>
    store.transaction(() => {
      store.sessions.update(SESSION, { title: 'changed' });
      store.transaction(() => store.sessions.update(SESSION, { modelId: 'other' }));
      throw new Error('stop');
    }),
  ).toThrow('stop');
  expect(store.sessions.get(SESSION)).toMatchObject({ title: 'title s1', modelId: 'demo' });
});

test.each(['a file', 'memory'])('waits until what is committed in %s is on the disk', async (where) => {
  const store = where === 'memory' ? open(':memory:') : open(databasePath());
  addSession(store, SESSION);
  expect(await store.synced()).toBeUndefined();
  const inside = store.transaction(() => store.synced());
  await expect(inside).rejects.toThrow('nothing is committed yet');
  store.close();
});

test('ST-04 two processes write to one database at once and lose nothing', async () => {
  const path = databasePath();
  const first = open(path);
  addSession(first, SESSION);
  const second = open(path);
  const script = await childScript(import.meta.dirname, 'append-child.ts');
  const { spawn } = await import('node:child_process');
  const children = [1, 2].map((n) =>
    spawn(process.execPath, [script, path, SESSION, `child ${n}`, '200'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    }),
  );
  const ends = Promise.all(children.map((child) => new Promise((resolve) => child.on('exit', resolve))));
  for (let n = 0; n < 50; n++) {
    second.events.append(SESSION, { type: 'session.titled', title: `here ${n}` }, 0);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await ends).toEqual([0, 0]);
  const events = first.events.list(SESSION);
  expect(events.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 450 }, (_, n) => n + 1));
  expect(new Set(events.map((event) => (event.type === 'session.titled' ? event.title : ''))).size).toBe(450);
  first.close();
  second.close();
});

test('several processes may open a new database at the same moment', () => {
  const path = databasePath();
  const stores = Array.from({ length: 4 }, () => open(path));
  for (const [n, store] of stores.entries()) addSession(store, `s${n}` as typeof SESSION);
  expect(stores[0]?.sessions.list(FOLDER)).toHaveLength(4);
  for (const store of stores) store.close();
});

function readdirSchema(database: Database): unknown {
  return database.rows(
    { parse: (row: unknown) => row } as never,
    'SELECT type, name, sql FROM sqlite_master ORDER BY name',
  );
}
