import { DatabaseSync } from 'node:sqlite';

/** The least that keeps an event: one prepared statement, a transaction of its own, in a database of the same kind. */
export function openLog(file: string) {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
  database.exec(`CREATE TABLE events (
    session_id TEXT NOT NULL, sequence INTEGER NOT NULL, at INTEGER NOT NULL, type TEXT NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (session_id, sequence)) STRICT`);
  const insert = database.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?)');
  let sequence = 0;
  return {
    append: (event: { readonly type: string }) =>
      insert.run('session', ++sequence, Date.now(), event.type, JSON.stringify(event)),
    close: () => database.close(),
  };
}
