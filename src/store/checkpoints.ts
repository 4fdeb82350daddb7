import { z } from 'zod';
import type { FileChange } from '#protocol/checkpoint';
import type { AbsolutePath, CheckpointId, SessionId, TurnId } from '#protocol/ids';
import type { Todo } from '#protocol/todo';
import { id, json, optionalJson, optionalText } from './columns';
import type { Database } from './database';

/** `empty`: the turn has ended and changed nothing; its start is still a place to go back to. */
export type StoredState = 'open' | 'sealed' | 'interrupted' | 'empty';

/** Where a turn began, and what it did as it stood when it was sealed. */
export interface StoredCheckpoint {
  readonly id: CheckpointId;
  readonly sessionId: SessionId;
  readonly turnId: TurnId;
  readonly turn: number;
  readonly prompt: string;
  readonly at: number;
  readonly state: StoredState;
  /** Sequence of the last event before the turn. */
  readonly startSequence: number;
  readonly messageCount: number;
  readonly todos: readonly Todo[];
  /** Net changes, since the seal. */
  readonly files: readonly FileChange[] | undefined;
  /** Command changes that were too many to keep. */
  readonly omittedCommands: number;
  readonly rewoundBy: string | undefined;
  /** When what it changed was removed to save space; milliseconds since 1970. */
  readonly prunedAt: number | undefined;
}

const checkpointRow = z
  .object({
    id: id<CheckpointId>(),
    session_id: id<SessionId>(),
    turn_id: id<TurnId>(),
    turn: z.number(),
    prompt: json<string>(),
    at: z.number(),
    state: z.enum(['open', 'sealed', 'interrupted', 'empty']),
    start_sequence: z.number(),
    message_count: z.number(),
    todos: json<readonly Todo[]>(),
    files: optionalJson<readonly FileChange[]>(),
    omitted_commands: z.number(),
    rewound_by: optionalText,
    pruned_at: z.number().nullable(),
  })
  .transform(
    (row): StoredCheckpoint => ({
      id: row.id,
      sessionId: row.session_id,
      turnId: row.turn_id,
      turn: row.turn,
      prompt: row.prompt,
      at: row.at,
      state: row.state,
      startSequence: row.start_sequence,
      messageCount: row.message_count,
      todos: row.todos,
      files: row.files,
      omittedCommands: row.omitted_commands,
      rewoundBy: row.rewound_by,
      prunedAt: row.pruned_at ?? undefined,
    }),
  );

const omittedRow = z.object({ omitted_commands: z.number() });
const turnRow = z.object({ turn: z.number().nullable() });

/** Where a turn begins. */
export type NewCheckpoint = Omit<
  StoredCheckpoint,
  'state' | 'files' | 'omittedCommands' | 'rewoundBy' | 'prunedAt'
>;

/** One row per turn, made when it begins. */
export class CheckpointsTable {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  open(checkpoint: NewCheckpoint): void {
    this.#database.run(
      `INSERT INTO checkpoints (id, session_id, turn_id, turn, prompt, at, state, start_sequence, message_count, todos)
       VALUES (?, ?, ?, ?, ?, ?, 'open', ?, ?, ?)`,
      checkpoint.id,
      checkpoint.sessionId,
      checkpoint.turnId,
      checkpoint.turn,
      JSON.stringify(checkpoint.prompt),
      Math.trunc(checkpoint.at),
      checkpoint.startSequence,
      checkpoint.messageCount,
      JSON.stringify(checkpoint.todos),
    );
  }

  /** Says how many command changes were too many to keep. */
  seal(
    checkpointId: CheckpointId,
    state: Exclude<StoredState, 'open'>,
    files: readonly FileChange[],
  ): number {
    const sql = 'UPDATE checkpoints SET state = ?, files = ? WHERE id = ? RETURNING omitted_commands';
    const sealed = this.#database.returned(omittedRow, sql, state, JSON.stringify(files), checkpointId);
    return sealed?.omitted_commands ?? 0;
  }

  /** The line counts of one file of a sealed turn, worked out anew. */
  recount(
    checkpointId: CheckpointId,
    path: string,
    lines: { readonly added: number; readonly removed: number },
  ): void {
    const files = this.get(checkpointId)?.files;
    if (!files) return;
    const counted = files.map((change) => (change.path === path ? { ...change, ...lines } : change));
    const sql = 'UPDATE checkpoints SET files = ? WHERE id = ?';
    this.#database.run(sql, JSON.stringify(counted), checkpointId);
  }

  noteOmitted(checkpointId: CheckpointId, count: number): void {
    this.#database.run(
      'UPDATE checkpoints SET omitted_commands = omitted_commands + ? WHERE id = ?',
      count,
      checkpointId,
    );
  }

  get(checkpointId: CheckpointId): StoredCheckpoint | undefined {
    return this.#database.row(checkpointRow, 'SELECT * FROM checkpoints WHERE id = ?', checkpointId);
  }

  /** All turns of a session in the order they happened, also those a rewind took out of the conversation. */
  list(sessionId: SessionId): StoredCheckpoint[] {
    return this.between(sessionId, 0, Number.MAX_SAFE_INTEGER);
  }

  /** The same, of those that began after one event and not after another, both included. In a fork several may begin after one event. */
  between(sessionId: SessionId, from: number, to: number): StoredCheckpoint[] {
    const sql = `SELECT * FROM checkpoints WHERE session_id = ? AND start_sequence BETWEEN ? AND ?
      ORDER BY start_sequence, turn`;
    return this.#database.rows(checkpointRow, sql, sessionId, from, to);
  }

  /** The highest number that a turn of the session ever had; 0 when there was none. */
  lastTurn(sessionId: SessionId): number {
    const sql = 'SELECT MAX(turn) AS turn FROM checkpoints WHERE session_id = ?';
    return this.#database.row(turnRow, sql, sessionId)?.turn ?? 0;
  }

  /** The turn by that number; after a rewind the number may have come again, then the one that counts. */
  ofTurn(sessionId: SessionId, turn: number): StoredCheckpoint | undefined {
    // From the latest back, by the index: it is nearly always one of the last that is asked for.
    const last = (which: string) =>
      this.#database.row(
        checkpointRow,
        `SELECT * FROM checkpoints WHERE session_id = ? AND turn = ? AND rewound_by ${which}
         ORDER BY start_sequence DESC LIMIT 1`,
        ...[sessionId, turn],
      );
    return last('IS NULL') ?? last('IS NOT NULL');
  }

  /** Whether a turn of the session began and never ended. */
  hasOpen(sessionId: SessionId): boolean {
    const sql = "SELECT EXISTS (SELECT 1 FROM checkpoints WHERE session_id = ? AND state = 'open') AS turn";
    return this.#database.row(turnRow, sql, sessionId)?.turn === 1;
  }

  /** Turns of this folder that began and never ended: their host runs them, or died. */
  unfinished(folder: AbsolutePath): StoredCheckpoint[] {
    const sql = `SELECT c.* FROM checkpoints c JOIN sessions s ON s.id = c.session_id
      WHERE s.folder = ? AND c.state = 'open' ORDER BY c.at`;
    return this.#database.rows(checkpointRow, sql, folder);
  }

  rewind(sessionId: SessionId, toSequence: number, operation: string): void {
    const sql =
      'UPDATE checkpoints SET rewound_by = ? WHERE session_id = ? AND rewound_by IS NULL AND start_sequence >= ?';
    this.#database.run(sql, operation, sessionId, toSequence);
  }

  unwind(sessionId: SessionId, operation: string): void {
    this.#database.run(
      'UPDATE checkpoints SET rewound_by = NULL WHERE session_id = ? AND rewound_by = ?',
      sessionId,
      operation,
    );
  }
}
