import { z } from 'zod';
import { type CommandChange, NOT_UNDOABLE } from '#protocol/checkpoint';
import type { AbsolutePath, CheckpointId, Sha256 } from '#protocol/ids';
import type { Database } from './database';

/** What a command did to a path, where it stands among the file operations, and the content it left if that was read. */
export interface StoredCommandChange extends CommandChange {
  readonly afterOperation: number;
  readonly sha256: Sha256 | undefined;
}

const changeRow = z
  .object({
    path: z.string(),
    operation: z.enum(['create', 'modify', 'delete']),
    command: z.string(),
    why: z.enum(NOT_UNDOABLE).nullable(),
    after_operation: z.number(),
    sha256: z.string().nullable(),
  })
  .transform(
    ({ after_operation, sha256, why, ...row }): StoredCommandChange => ({
      ...row,
      ...(why === null ? {} : { why }),
      afterOperation: after_operation,
      sha256: (sha256 ?? undefined) as Sha256 | undefined,
    }),
  );

const countRow = z.object({ count: z.number() });
const COLUMNS = 'm.path, m.operation, m.command, m.after_operation, m.sha256, m.why';

/** What commands changed on disk, so that it can be shown and so that a conflict can name them. */
export class CommandChangesTable {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  add(checkpointId: CheckpointId, change: StoredCommandChange): void {
    const sql =
      'INSERT INTO command_changes (checkpoint_id, after_operation, path, operation, command, sha256, why) VALUES (?, ?, ?, ?, ?, ?, ?)';
    const { afterOperation, path, operation, command, sha256, why } = change;
    this.#database.run(
      sql,
      checkpointId,
      afterOperation,
      path,
      operation,
      command,
      sha256 ?? null,
      why ?? null,
    );
  }

  count(checkpointId: CheckpointId): number {
    const sql = 'SELECT COUNT(*) AS count FROM command_changes WHERE checkpoint_id = ?';
    return this.#database.row(countRow, sql, checkpointId)?.count ?? 0;
  }

  list(checkpointId: CheckpointId): StoredCommandChange[] {
    const sql = `SELECT ${COLUMNS} FROM command_changes m WHERE m.checkpoint_id = ? ORDER BY m.id`;
    return this.#database.rows(changeRow, sql, checkpointId);
  }

  /** What commands of any session of this folder did to a path after a file operation and before another, latest last. */
  onPath(
    folder: AbsolutePath,
    path: string,
    range: { readonly from: number; readonly before: number },
  ): StoredCommandChange[] {
    const sql = `SELECT ${COLUMNS} FROM command_changes m
      JOIN checkpoints c ON c.id = m.checkpoint_id JOIN sessions s ON s.id = c.session_id
      WHERE m.path = ? AND m.after_operation >= ? AND m.after_operation < ? AND s.folder = ? ORDER BY m.id`;
    return this.#database.rows(changeRow, sql, path, range.from, range.before, folder);
  }
}
