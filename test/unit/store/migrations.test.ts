import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { CheckpointId, Sha256 } from '#protocol/ids';
import { Database } from '#store/database';
import { MIGRATIONS, migrate } from '#store/migrations';
import { FOLDER_BITS } from '#store/schema/folder-bits';
import { childScript } from '#test/support/child-script';
import { databasePath, FOLDER, open, SESSION } from './lab';

const CHECKPOINT = 'c1' as CheckpointId;
const ABSENT = JSON.stringify({ kind: 'absent' });
const MADE = JSON.stringify({ kind: 'file', sha256: 'f'.repeat(64) as Sha256, bytes: 3, mode: 0o644 });
/** Milliseconds: dozens of processes, each of which opens a database. */
const PATIENCE = 120_000;
const VERSIONS = MIGRATIONS.map((_step, index) => index).filter((version) => version > 0);

let script = '';
beforeAll(async () => {
  script = await childScript(import.meta.dirname, 'migrate-child.ts');
});

/** A database as the version with so many steps left it, with something in every part that was there from the beginning. */
function madeBy(version: number): string {
  const path = databasePath();
  mkdirSync(dirname(path), { recursive: true });
  const database = new Database(path);
  migrate(database, MIGRATIONS.slice(0, version));
  const session =
    'INSERT INTO sessions (id, folder, title, mode, model_id, created_at) VALUES (?, ?, ?, ?, ?, 1)';
  database.run(session, SESSION, FOLDER, '"kept"', 'prompt', 'demo/demo');
  const event = 'INSERT INTO events (session_id, sequence, at, type, body) VALUES (?, ?, ?, ?, ?)';
  database.run(event, SESSION, 1, 1, 'files.kept', JSON.stringify({ type: 'files.kept' }));
  const said = { kind: 'note', id: 'm1', turnId: 't1', text: 'said' };
  database.run(
    'INSERT INTO messages (session_id, sequence, body) VALUES (?, 1, ?)',
    SESSION,
    JSON.stringify(said),
  );
  const checkpoint = `INSERT INTO checkpoints (id, session_id, turn_id, turn, prompt, at, state, start_sequence, message_count, todos)
    VALUES (?, ?, 't1', 1, '"make it"', 1, 'sealed', 0, 0, '[]')`;
  database.run(checkpoint, CHECKPOINT, SESSION);
  const operation = `INSERT INTO file_operations (checkpoint_id, kind, path, before, planned, after, settled)
    VALUES (?, 'create', 'a.txt', ?, ?, ?, 'known')`;
  database.run(operation, CHECKPOINT, ABSENT, MADE, MADE);
  const change = `INSERT INTO command_changes (checkpoint_id, after_operation, path, operation, command)
    VALUES (?, 0, 'b.txt', 'modify', 'npm test')`;
  database.run(change, CHECKPOINT);
  database.close();
  return path;
}

/** What this version of Belay reads of it. */
function read(path: string): unknown {
  const store = open(path);
  const found = {
    session: store.sessions.get(SESSION)?.title,
    events: store.events.list(SESSION).map(({ type }) => type),
    messages: store.messages
      .list(SESSION)
      .map((message) => ('text' in message ? message.text : message.kind)),
    checkpoints: store.checkpoints.list(SESSION).map(({ turn, state }) => `${turn} ${state}`),
    operations: store.operations.list(CHECKPOINT).map(({ kind, path: file }) => `${kind} ${file}`),
    commands: store.commandChanges.list(CHECKPOINT).map(({ command }) => command),
    setAside: store.setAside,
  };
  store.close();
  return found;
}

const KEPT = {
  session: 'kept',
  events: ['files.kept'],
  messages: ['said'],
  checkpoints: ['1 sealed'],
  operations: ['create a.txt'],
  commands: ['npm test'],
  setAside: undefined,
};

function versionOf(path: string): number {
  const database = new Database(path);
  const row = database.row(z.object({ user_version: z.number() }), 'PRAGMA user_version');
  database.close();
  return row?.user_version ?? 0;
}

test.each(VERSIONS)('everything that version %i wrote is read after the upgrade', (version) => {
  expect(read(madeBy(version))).toEqual(KEPT);
});

test('folders of which an earlier version knew no permission bits have none, and get them from then on', () => {
  const path = madeBy(MIGRATIONS.indexOf(FOLDER_BITS));
  const database = new Database(path);
  const folder = 'INSERT INTO made_folders (checkpoint_id, path, gone) VALUES (?, ?, ?)';
  database.run(folder, CHECKPOINT, 'made', 0);
  database.run(folder, CHECKPOINT, 'gone', 1);
  database.close();
  const store = open(path);
  store.folders.addMade(CHECKPOINT, 'new', 0o700);
  store.folders.addGone(CHECKPOINT, 'old', 0o750);
  expect(store.folders.fates(CHECKPOINT)).toEqual([
    { path: 'gone', fate: 'gone', mode: undefined, remade: undefined },
    { path: 'made', fate: 'made', mode: undefined, remade: undefined },
    { path: 'new', fate: 'made', mode: 0o700, remade: undefined },
    { path: 'old', fate: 'gone', mode: 0o750, remade: undefined },
  ]);
  store.close();
});

describe('killed in the middle of an upgrade', () => {
  test.each(VERSIONS)(
    'from version %i, before any statement: the old schema is whole, and the next start upgrades it',
    { timeout: PATIENCE },
    (version) => {
      const wrong: unknown[] = [];
      let nth = 1;
      for (; nth < 50; nth++) {
        const path = madeBy(version);
        const { signal, status, stderr } = spawnSync(process.execPath, [script, path, String(nth)], {
          encoding: 'utf8',
        });
        if (signal !== 'SIGKILL') {
          expect([status, stderr, versionOf(path)]).toEqual([0, '', MIGRATIONS.length]);
          break;
        }
        const left = versionOf(path);
        const found = read(path);
        if (left !== version || JSON.stringify(found) !== JSON.stringify(KEPT))
          wrong.push({ nth, left, found });
      }
      expect(wrong).toEqual([]);
      // Each step, the version's number, and the commit.
      expect(nth - 1).toBe(MIGRATIONS.length - version + 2);
    },
  );
});
