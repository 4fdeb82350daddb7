import { z } from 'zod';
import type { AbsolutePath, CheckpointId } from '#protocol/ids';
import { json } from './columns';
import type { Database } from './database';

const [RUNNING, RECORDED, CUT_OFF] = [0, 1, 2] as const;

const commandRow = z.object({ command: json<string>() });
const lastRow = z.object({ id: z.number().nullable() });

/** Which commands ran, of any window: what others did meanwhile and what a crash cut off is known from here. */
export class CommandRunsTable {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Before it can touch anything. The command is without secrets. */
  begin(checkpointId: CheckpointId, command: string): number {
    const sql = 'INSERT INTO command_runs (checkpoint_id, command) VALUES (?, ?)';
    return this.#database.run(sql, checkpointId, JSON.stringify(command)).lastId;
  }

  /** All that it changed is recorded. */
  end(id: number): void {
    this.#database.run('UPDATE command_runs SET ended = ? WHERE id = ?', RECORDED, id);
  }

  /** It never ran. */
  drop(id: number): void {
    this.#database.run('DELETE FROM command_runs WHERE id = ?', id);
  }

  /** Those of a turn that has ended whose own end nobody recorded: what they changed isn't known. */
  cutOff(checkpointId: CheckpointId): string[] {
    const sql = 'SELECT command FROM command_runs WHERE checkpoint_id = ? AND ended <> ? ORDER BY id';
    return this.#database.rows(commandRow, sql, checkpointId, RECORDED).map(({ command }) => command);
  }

  /** The turn has ended: nobody works on them any more. */
  close(checkpointId: CheckpointId): void {
    const sql = 'UPDATE command_runs SET ended = ? WHERE checkpoint_id = ? AND ended = ?';
    this.#database.run(sql, CUT_OFF, checkpointId, RUNNING);
  }

  /** Whether one of another turn in this folder runs now, or has begun after that one of all. */
  isBeside(folder: AbsolutePath, except: CheckpointId, after: number): boolean {
    const sql = `SELECT r.id FROM command_runs r JOIN checkpoints c ON c.id = r.checkpoint_id
      JOIN sessions s ON s.id = c.session_id
      WHERE s.folder = ? AND r.checkpoint_id <> ? AND (r.ended = ? OR r.id > ?) LIMIT 1`;
    return this.#database.row(lastRow, sql, folder, except, RUNNING, after) !== undefined;
  }

  /** The latest of all, of whichever folder. */
  last(): number {
    return this.#database.row(lastRow, 'SELECT MAX(id) AS id FROM command_runs')?.id ?? 0;
  }
}
