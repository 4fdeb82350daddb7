import { z } from 'zod';
import type { SessionId } from '#protocol/ids';
import type { Database } from './database';

/** A deferred tool that was switched on. */
export interface ToolActivation {
  readonly name: string;
  /** What it was then: a tool that is another now isn't on. */
  readonly identity: string;
}

const activationRow = z.object({ name: z.string(), identity: z.string() });
const placedRow = z.object({ sequence: z.number(), name: z.string(), identity: z.string() });

/** Which deferred tools each session has switched on, in order. */
export class ToolActivationsTable {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Those that count. */
  list(sessionId: SessionId): readonly ToolActivation[] {
    const sql =
      'SELECT name, identity FROM tool_activations WHERE session_id = ? AND rewound_by IS NULL ORDER BY rowid';
    return this.#database.rows(activationRow, sql, sessionId);
  }

  /** `sequence`: the session's last event, for rewinds. */
  add(sessionId: SessionId, { name, identity }: ToolActivation, sequence: number): void {
    const sql = 'INSERT INTO tool_activations (session_id, sequence, name, identity) VALUES (?, ?, ?, ?)';
    this.#database.run(sql, sessionId, sequence, name, identity);
  }

  /** All up to an event, also those that a rewind covers, for a fork. */
  until(sessionId: SessionId, sequence: number): readonly (ToolActivation & { readonly sequence: number })[] {
    const sql =
      'SELECT sequence, name, identity FROM tool_activations WHERE session_id = ? AND sequence <= ? ORDER BY rowid';
    return this.#database.rows(placedRow, sql, sessionId, sequence);
  }

  /** What was switched on after that event was so in turns that are taken back. */
  rewind(sessionId: SessionId, toSequence: number, operation: string): void {
    const sql =
      'UPDATE tool_activations SET rewound_by = ? WHERE session_id = ? AND sequence > ? AND rewound_by IS NULL';
    this.#database.run(sql, operation, sessionId, toSequence);
  }

  unwind(sessionId: SessionId, operation: string): void {
    const sql = 'UPDATE tool_activations SET rewound_by = NULL WHERE session_id = ? AND rewound_by = ?';
    this.#database.run(sql, sessionId, operation);
  }
}
