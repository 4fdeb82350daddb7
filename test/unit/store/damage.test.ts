import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { storeProblem } from '#agent/turn-problem';
import { Database } from '#store/database';
import { openStore } from '#store/store';
import { childScript } from '#test/support/child-script';
import { memoryHost } from '#test/support/memory-host';
import { addSession, databasePath, FOLDER, open, SESSION } from './lab';

const host = memoryHost();

test('damage that is met while a database is open is told, and the next start sets it aside', () => {
  const path = databasePath();
  const first = open(path);
  addSession(first, SESSION);
  for (let n = 0; n < 200; n++)
    first.events.append(SESSION, { type: 'session.titled', title: `${n} `.repeat(8000) }, n);
  first.close();
  // In two steps, so that the start finds nothing: the size says that it isn't looked through.
  const damaged = open(path);
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(0x5a, 8192));
  const met = thrown(() => damaged.events.list(SESSION));
  damaged.close();
  expect(storeProblem(met)).toMatchObject({ kind: 'store', title: 'Belay’s database is damaged' });
  const next = openStore({ path, log: host.log, clock: host.clock });
  if (!next.ok) throw new Error(next.error.message);
  const { setAside = '', sessions } = next.value;
  next.value.close();
  expect([existsSync(setAside), sessionsLeft(sessions), readdirSync(dirname(path)).filter(isDoubt)]).toEqual([
    true,
    undefined,
    [],
  ]);
});

test('a doubt that a whole look lifts leaves the database where it is', () => {
  const path = databasePath();
  const first = open(path);
  addSession(first, SESSION);
  first.close();
  writeFileSync(`${path}.doubted`, '');
  const next = open(path);
  const found = [next.setAside, next.sessions.list(FOLDER).map(({ id }) => id)];
  next.close();
  expect([...found, readdirSync(dirname(path)).filter(isDoubt)]).toEqual([undefined, [SESSION], []]);
});

test('a database that another process holds for long refuses, changes nothing, and takes the next word', () => {
  const path = databasePath();
  const store = open(path);
  addSession(store, SESSION);
  const holder = new Database(path);
  holder.execute('BEGIN IMMEDIATE');
  const locked = thrown(() => store.events.append(SESSION, { type: 'files.kept' }, 0));
  holder.execute('COMMIT');
  holder.close();
  expect(storeProblem(locked)).toMatchObject({ kind: 'store', title: 'Belay can’t write its database' });
  store.events.append(SESSION, { type: 'session.titled', title: 'after' }, 1);
  const titles = store.events.list(SESSION).map(({ type, sequence }) => [type, sequence]);
  store.close();
  expect(titles).toEqual([['session.titled', 1]]);
});

test('ST-03 a disk that is full in the middle of a session loses nothing that was recorded, and what is open can still be read', async () => {
  const path = databasePath();
  const made = open(path);
  addSession(made, SESSION);
  made.close();
  const script = await childScript(import.meta.dirname, 'full-disk-child.ts');
  // No file may grow over 600 KB: to SQLite the same as a disk without room, and as real.
  const line = `ulimit -f 600; trap '' XFSZ; exec "$0" "$@"`;
  const run = spawnSync('/bin/bash', ['-c', line, process.execPath, script, path, SESSION], {
    encoding: 'utf8',
  });
  const told = JSON.parse(run.stdout || `"${run.stderr}"`) as Record<string, unknown>;
  const { recorded } = told;
  expect(told).toEqual({ recorded, refused: true, readable: recorded, kind: 'store' });
  const after = open(path);
  const sequences = after.events.list(SESSION).map(({ sequence }) => sequence);
  after.events.append(SESSION, { type: 'files.kept' }, 0);
  expect([after.setAside, sequences.length, after.events.last(SESSION)]).toEqual([
    undefined,
    recorded,
    Number(recorded) + 1,
  ]);
  after.close();
});

function thrown(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('it was expected to fail');
}

function isDoubt(name: string): boolean {
  return name.endsWith('.doubted');
}

/** A closed store gives nothing; only the file on the disk counts. */
function sessionsLeft(sessions: { list(folder: typeof FOLDER): unknown }): unknown {
  try {
    return sessions.list(FOLDER);
  } catch {
    return undefined;
  }
}
