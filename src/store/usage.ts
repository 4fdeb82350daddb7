import { z } from 'zod';
import type { AbsolutePath, SessionId } from '#protocol/ids';
import { id, json } from './columns';
import type { Database } from './database';

/** A session of whatever folder, as a list of all of them shows it. */
export interface SessionRow {
  readonly id: SessionId;
  readonly title: string;
  readonly folder: AbsolutePath;
  /** Milliseconds since 1970 of its last event, or of its making. */
  readonly at: number;
  /** Bytes of what was said and recorded in it, nearly. */
  readonly textBytes: number;
}

const sessionRow = z
  .object({
    id: id<SessionId>(),
    title: json<string>(),
    folder: id<AbsolutePath>(),
    at: z.number(),
    text_bytes: z.number(),
  })
  .transform(({ text_bytes, ...row }): SessionRow => ({ ...row, textBytes: text_bytes }));
const countRow = z.object({ count: z.number() });

/** What is kept, in rows: never read whole. */
export class UsageTable {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** All sessions of all folders, the latest first. `octet_length` looks at a row's head alone. */
  sessions(): SessionRow[] {
    const size = (table: string) =>
      `COALESCE((SELECT SUM(octet_length(t.body)) FROM ${table} t WHERE t.session_id = s.id), 0)`;
    const sql = `SELECT s.id, s.title, s.folder, ${size('events')} + ${size('messages')} AS text_bytes,
        COALESCE((SELECT e.at FROM events e WHERE e.session_id = s.id ORDER BY e.sequence DESC LIMIT 1), s.created_at) AS at
      FROM sessions s ORDER BY at DESC, s.id DESC`;
    return this.#database.rows(sessionRow, sql);
  }

  /** Background commands that were not told to have ended. */
  hasBackgroundCommand(sessionId: SessionId): boolean {
    const sql = 'SELECT COUNT(*) AS count FROM background_commands WHERE session_id = ? AND ended_at IS NULL';
    return (this.#database.row(countRow, sql, sessionId)?.count ?? 0) > 0;
  }
}
