import { z } from 'zod';
import type { CheckpointId, SessionId } from '#protocol/ids';
import type { Message } from '#protocol/message';
import { json } from './columns';
import type { Database } from './database';

/** From which session to which. */
export interface Branch {
  readonly from: SessionId;
  readonly to: SessionId;
}

/** What is another about a checkpoint in the fork. */
export interface CheckpointCopy {
  readonly id: CheckpointId;
  readonly copy: CheckpointId;
  readonly startSequence: number;
  /** The conversation no longer has the turn. */
  readonly isRewound: boolean;
}

/** What undid an operation, or rewound a turn, that was so when the session was forked: nothing of the fork takes it back. */
export const BEFORE_FORK = 'before the fork';

const messageRow = z.object({ sequence: z.number(), body: json<Message>() });
const readRow = z.object({ path: z.string(), sequence: z.number() });
const columnRow = z.object({ name: z.string() });

/** Copies what a fork has of the session it comes from. Contents of files are blobs, which both share. */
export class ForksTable {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Says where the session came from: before which turn of which session; without a turn, after its last. */
  note({ from, to }: Branch, turn: number | undefined): void {
    const sql = 'UPDATE sessions SET forked_from = ?, forked_turn = ? WHERE id = ?';
    this.#database.run(sql, from, turn ?? null, to);
  }

  /** What the model saw up to an event, also what a later rewind covered, with the sequence of its event. */
  messages(from: SessionId, until: number): { readonly sequence: number; readonly body: Message }[] {
    const sql =
      'SELECT sequence, body FROM messages WHERE session_id = ? AND sequence <= ? AND json_valid(body) ORDER BY position';
    return this.#database.rows(messageRow, sql, from, until);
  }

  /** Read records of up to an event; `place` gives the fork's own sequence for one of the original. */
  copyReads({ from, to }: Branch, until: number, place: (sequence: number) => number): void {
    const sql = 'SELECT path, sequence FROM reads WHERE session_id = ? AND sequence <= ?';
    for (const { path, sequence } of this.#database.rows(readRow, sql, from, until)) {
      const record = { sql: 'session_id = ? AND path = ?', keys: [from, path] };
      this.#copy('reads', record, { session_id: to, sequence: place(sequence) });
    }
  }

  /**
   * The turn's row, its operations, folders and what commands changed. An operation keeps its place in the order of changes; one
   * that is undone is undone in the fork too, by a mark of the fork's own, so that a redo of the original leaves it alone. So is a turn.
   */
  copyCheckpoint({ to }: Branch, { id, copy, startSequence, isRewound }: CheckpointCopy): void {
    const row = { sql: 'id = ?', keys: [id] };
    const rewound = isRewound ? BEFORE_FORK : null;
    const head = { id: copy, session_id: to, start_sequence: startSequence, rewound_by: rewound };
    this.#copy('checkpoints', row, head);
    const parts = { sql: 'checkpoint_id = ?', keys: [id] };
    const own = { checkpoint_id: copy };
    const undone = { sql: `CASE WHEN undone_by IS NULL THEN NULL ELSE '${BEFORE_FORK}' END` };
    const original = { sql: 'COALESCE(copy_of, id)' };
    this.#copy('file_operations', parts, { ...own, undone_by: undone, copy_of: original });
    this.#copy('made_folders', parts, { ...own, undone_by: undone });
    this.#copy('command_changes', parts, own);
    this.#copy('command_runs', parts, own);
  }

  /** How far files were kept, as far as the fork has the turns: its own new ones are still to be looked at. */
  copyReviewMarks({ from, to }: Branch): void {
    const last = 'COALESCE((SELECT MAX(turn) FROM checkpoints WHERE session_id = ?), 0)';
    const marks = { sql: `session_id = ? AND turn <= ${last}`, keys: [from, to] };
    this.#copy('review_marks', marks, { session_id: to });
  }

  /** Whether everything that the turn changed is undone. */
  isUndone(checkpointId: CheckpointId): boolean {
    const sql = `WITH files AS (SELECT undone_by FROM file_operations WHERE checkpoint_id = ?1)
      SELECT COUNT(*) AS count, COUNT(undone_by) AS undone FROM (SELECT * FROM files UNION ALL
        SELECT undone_by FROM made_folders WHERE checkpoint_id = ?1 AND remade IS NULL AND NOT EXISTS (SELECT 1 FROM files))`;
    const row = this.#database.row(countsRow, sql, checkpointId);
    return row !== undefined && row.count > 0 && row.count === row.undone;
  }

  /** Every column of the rows as it is but for the given ones; a key that the database counts itself is left to it. */
  #copy(table: Copied, rows: Rows, changed: Readonly<Record<string, Changed>>): void {
    const columns = this.#database
      .rows(columnRow, `SELECT name FROM pragma_table_info('${table}')`)
      .map(({ name }) => name)
      .filter((name) => name !== 'id' || 'id' in changed);
    const values: (string | number | null)[] = [];
    const chosen = columns.map((name) => {
      const value = changed[name];
      if (value === undefined) return name;
      if (value !== null && typeof value === 'object') return value.sql;
      values.push(value);
      return '?';
    });
    const sql = `INSERT INTO ${table} (${columns.join(', ')})
      SELECT ${chosen.join(', ')} FROM ${table} WHERE ${rows.sql} ORDER BY rowid`;
    this.#database.run(sql, ...values, ...rows.keys);
  }
}

type Copied =
  | 'checkpoints'
  | 'file_operations'
  | 'made_folders'
  | 'command_changes'
  | 'command_runs'
  | 'reads'
  | 'review_marks';

interface Rows {
  readonly sql: string;
  readonly keys: readonly string[];
}

/** A value, or a term over the row's own columns. */
type Changed = string | number | null | { readonly sql: string };

const countsRow = z.object({ count: z.number(), undone: z.number() });
