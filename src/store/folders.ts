import { z } from 'zod';
import type { FolderChange } from '#protocol/checkpoint';
import type { CheckpointId, SessionId } from '#protocol/ids';
import { optionalText } from './columns';
import type { Database } from './database';

/** What a turn first did to a folder: it made it, or a command took it away. */
export interface FolderFate {
  readonly path: string;
  readonly fate: 'made' | 'gone';
}

/** The same with permission bits; undefined where nobody looked, or there are none. */
export interface FolderRecord extends FolderFate {
  /** Those it was made with, or had before the turn that took it away. */
  readonly mode: number | undefined;
  /** Those that it got when the turn made one that it had taken away. */
  readonly remade: number | undefined;
}

const fateRow = z
  .object({ path: z.string(), gone: z.number(), mode: z.number().nullable(), remade: z.number().nullable() })
  .transform(
    ({ path, gone, mode, remade }): FolderRecord => ({
      path,
      fate: gone === 0 ? 'made' : 'gone',
      mode: mode ?? undefined,
      remade: remade ?? undefined,
    }),
  );
const changeRow = z.object({ path: z.string(), gone: z.number(), undone_by: optionalText }).transform(
  ({ path, gone, undone_by }): FolderChange => ({
    path,
    operation: gone === 0 ? 'create' : 'delete',
    ...(undone_by === undefined ? {} : { undone: true }),
  }),
);
const turnRow = z.object({ turn: z.number().nullable() });

/** One row per folder that a turn made or took away. */
export class FoldersTable {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** `mode`: its permission bits, as soon as they are known: then call it again. */
  addMade(checkpointId: CheckpointId, path: string, mode?: number): void {
    const sql = `INSERT INTO made_folders (checkpoint_id, path, mode) VALUES (?, ?, ?)
      ON CONFLICT DO UPDATE SET mode = CASE gone WHEN 0 THEN COALESCE(mode, excluded.mode) ELSE mode END,
        remade = CASE gone WHEN 1 THEN excluded.mode END`;
    this.#database.run(sql, checkpointId, path, mode ?? null);
  }

  /** The first that a turn does to a folder tells what was there before. `mode`: its permission bits before the turn. */
  addGone(checkpointId: CheckpointId, path: string, mode?: number): void {
    const sql = `INSERT INTO made_folders (checkpoint_id, path, gone, mode) VALUES (?, ?, 1, ?)
      ON CONFLICT DO UPDATE SET remade = NULL`;
    this.#database.run(sql, checkpointId, path, mode ?? null);
  }

  drop(checkpointId: CheckpointId, path: string): void {
    this.#database.run('DELETE FROM made_folders WHERE checkpoint_id = ? AND path = ?', checkpointId, path);
  }

  /** Folders that the turn made or took away, and nobody brought back to what it was. */
  fates(checkpointId: CheckpointId): FolderRecord[] {
    const sql =
      'SELECT path, gone, mode, remade FROM made_folders WHERE checkpoint_id = ? AND undone_by IS NULL';
    return this.#database.rows(fateRow, sql, checkpointId);
  }

  /** What a turn did to folders and is seen of it, taken back or not. */
  changes(checkpointId: CheckpointId): FolderChange[] {
    const sql = `SELECT path, gone, undone_by FROM made_folders WHERE checkpoint_id = ? AND remade IS NULL ORDER BY path`;
    return this.#database.rows(changeRow, sql, checkpointId);
  }

  /** The first turn of a session after one that took that folder away and stands; undefined when none did. */
  goneIn(sessionId: SessionId, path: string, after: number): number | undefined {
    const sql = `SELECT MIN(c.turn) AS turn FROM made_folders m JOIN checkpoints c ON c.id = m.checkpoint_id
      WHERE c.session_id = ? AND c.turn > ? AND m.path = ? AND m.gone = 1 AND m.undone_by IS NULL`;
    return this.#database.row(turnRow, sql, sessionId, after, path)?.turn ?? undefined;
  }

  /** The session's standing records of these folders count as undone. */
  mark(sessionId: SessionId, folders: readonly FolderFate[], operation: string): void {
    const sql = `UPDATE made_folders SET undone_by = ? WHERE path = ? AND gone = ? AND undone_by IS NULL
      AND checkpoint_id IN (SELECT id FROM checkpoints WHERE session_id = ?)`;
    for (const { path, fate } of folders)
      this.#database.run(sql, operation, path, fate === 'gone' ? 1 : 0, sessionId);
  }

  /** All that stands of what a turn did to folders counts as undone. */
  markAllOf(checkpointId: CheckpointId, operation: string): void {
    const sql = 'UPDATE made_folders SET undone_by = ? WHERE checkpoint_id = ? AND undone_by IS NULL';
    this.#database.run(sql, operation, checkpointId);
  }

  unmark(operation: string): void {
    this.#database.run('UPDATE made_folders SET undone_by = NULL WHERE undone_by = ?', operation);
  }
}
