import { z } from 'zod';
import type { CheckpointId, SessionId } from '#protocol/ids';
import { id } from './columns';
import type { Database } from './database';
import type { EventsTable } from './events';

/** A turn whose earlier contents are kept, as pruning looks at it. */
export interface KeptTurn {
  readonly id: CheckpointId;
  readonly sessionId: SessionId;
  readonly turn: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

const turnRow = z
  .object({ id: id<CheckpointId>(), session_id: id<SessionId>(), turn: z.number(), at: z.number() })
  .transform(({ session_id, ...row }): KeptTurn => ({ ...row, sessionId: session_id }));
const sessionRow = z.object({ id: id<SessionId>() });
const restoreRow = z.object({ id: z.string() });
const atRow = z.object({ at: z.number() });

/** Removes what turns changed, so that nobody needs their contents any more. The turns stay in the conversation. */
export class PruningTable {
  readonly #database: Database;
  readonly #events: EventsTable;

  constructor(database: Database, events: EventsTable) {
    this.#database = database;
    this.#events = events;
  }

  /** Turns that have ended, changed something and still have it, session by session, the oldest first. */
  kept(): KeptTurn[] {
    const sql = `SELECT id, session_id, turn, at FROM checkpoints
      WHERE state IN ('sealed', 'interrupted') AND pruned_at IS NULL ORDER BY session_id, start_sequence`;
    return this.#database.rows(turnRow, sql);
  }

  /** Sessions in which a turn or an undo has begun and not ended. */
  unfinished(): SessionId[] {
    const sql = `SELECT session_id AS id FROM checkpoints WHERE state = 'open'
      UNION SELECT session_id FROM restores WHERE state = 'applying'`;
    return this.#database.rows(sessionRow, sql).map((row) => row.id);
  }

  /**
   * Forgets what a turn changed, and says so in its session: both or nothing. False when there is nothing to forget, or when something
   * has begun in the session meanwhile. An undo of the turn can't be redone any more.
   */
  forgetTurn({ id: checkpoint, sessionId, turn }: KeptTurn, now: number): boolean {
    return this.#database.transaction(() => {
      if (this.unfinished().includes(sessionId)) return false;
      const sql = `UPDATE checkpoints SET pruned_at = ? WHERE id = ? AND pruned_at IS NULL AND state IN ('sealed', 'interrupted')`;
      if (this.#database.run(sql, Math.trunc(now), checkpoint).changes === 0) return false;
      const undos = `UPDATE restores SET redone_by = 'pruned' WHERE redone_by IS NULL AND kind = 'undo' AND state = 'done'
        AND (id IN (SELECT undone_by FROM file_operations WHERE checkpoint_id = ?1)
          OR id IN (SELECT undone_by FROM made_folders WHERE checkpoint_id = ?1))`;
      this.#database.run(undos, checkpoint);
      for (const table of ['file_operations', 'made_folders', 'command_changes', 'command_runs'])
        this.#database.run(`DELETE FROM ${table} WHERE checkpoint_id = ?`, checkpoint);
      const at = this.#lastMoment(sessionId) ?? now;
      this.#events.append(
        sessionId,
        { type: 'checkpoint.pruned', turns: [turn], checkpointIds: [checkpoint] },
        at,
      );
      return true;
    });
  }

  /** Undos of before that moment that no turn with contents needs any more: they and what they rewound can be forgotten. */
  oldUndos(before: number): string[] {
    const sql = `SELECT r.id FROM restores r WHERE r.kind = 'undo' AND r.state = 'done' AND r.redone_by IS NULL AND r.at < ?
      AND NOT EXISTS (SELECT 1 FROM checkpoints c WHERE c.session_id = r.session_id AND c.pruned_at IS NULL AND c.state <> 'empty'
        AND (c.rewound_by = r.id OR EXISTS (SELECT 1 FROM file_operations o WHERE o.checkpoint_id = c.id AND o.undone_by = r.id)
          OR EXISTS (SELECT 1 FROM made_folders m WHERE m.checkpoint_id = c.id AND m.undone_by = r.id)))`;
    return this.#database.rows(restoreRow, sql, Math.trunc(before)).map((row) => row.id);
  }

  /** The undo can't be redone from now on, and what it took from the conversation is gone for good. */
  forgetUndo(restoreId: string): void {
    this.#database.transaction(() => {
      const sql = `UPDATE restores SET redone_by = 'pruned' WHERE id = ? AND redone_by IS NULL AND state = 'done'`;
      if (this.#database.run(sql, restoreId).changes === 0) return;
      this.#database.run('DELETE FROM messages WHERE rewound_by = ?', restoreId);
    });
  }

  /** Pruning is nothing that happens in a session: its place in the list stays. */
  #lastMoment(sessionId: SessionId): number | undefined {
    const sql = 'SELECT at FROM events WHERE session_id = ? ORDER BY sequence DESC LIMIT 1';
    return this.#database.row(atRow, sql, sessionId)?.at;
  }
}
