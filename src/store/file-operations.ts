import { z } from 'zod';
import type { FileState } from '#protocol/checkpoint';
import type { AbsolutePath, CheckpointId, SessionId } from '#protocol/ids';
import type { FileOperation } from '#protocol/tool-result';
import { id, json, optionalJson, optionalText } from './columns';
import type { Database } from './database';

/**
 * `pending`: about to happen; `known`: happened, `after` is what was there right after it; `unknown`: Belay died in the
 * middle and what was found is neither the old nor the new content.
 */
export type Settled = 'pending' | 'known' | 'unknown';

/** One write to one path in the order it happened. A rename has `from`: `before` is what stood there. */
export interface StoredOperation {
  readonly id: number;
  /** Its place in the order of all changes of all sessions: its own id, with a copy in a fork that of the original. */
  readonly place: number;
  readonly checkpointId: CheckpointId;
  readonly kind: FileOperation;
  readonly path: string;
  readonly from: string | undefined;
  readonly before: FileState;
  readonly planned: FileState;
  readonly after: FileState | undefined;
  readonly settled: Settled;
  readonly added: number;
  readonly removed: number;
  readonly undoneBy: string | undefined;
  /** The command line whose work it is; undefined when a tool did it. */
  readonly command: string | undefined;
}

const columns = {
  id: z.number(),
  checkpoint_id: id<CheckpointId>(),
  kind: z.enum(['create', 'modify', 'delete', 'rename']),
  path: z.string(),
  from_path: optionalText,
  before: json<FileState>(),
  planned: json<FileState>(),
  after: optionalJson<FileState>(),
  settled: z.enum(['pending', 'known', 'unknown']),
  added: z.number(),
  removed: z.number(),
  undone_by: optionalText,
  copy_of: z.number().nullable(),
  command: optionalJson<string>(),
};

const operationRow = z.object(columns).transform(toOperation);

/** An operation with the turn and session it belongs to. */
export interface OperationElsewhere extends StoredOperation {
  readonly sessionId: SessionId;
  readonly sessionTitle: string;
  readonly turn: number;
}

const elsewhereRow = z
  .object({ ...columns, session_id: id<SessionId>(), title: json<string>(), turn: z.number() })
  .transform(
    ({ session_id, title, turn, ...row }): OperationElsewhere => ({
      ...toOperation(row),
      sessionId: session_id,
      sessionTitle: title,
      turn,
    }),
  );

const pathRow = z.object({ path: z.string() });
const pathsRow = z.object({ path: z.string(), from_path: optionalText });
const idRow = z.object({ id: z.number().nullable() });

/** The journal's rows: every write, before and after. */
export class FileOperationsTable {
  readonly #database: Database;
  /** As of the operation that was the last one then. */
  readonly #paths = new Map<SessionId, { readonly last: number; readonly paths: readonly string[] }>();

  constructor(database: Database) {
    this.#database = database;
  }

  add(
    operation: Pick<StoredOperation, 'checkpointId' | 'kind' | 'path' | 'from' | 'before' | 'planned'>,
  ): number {
    const sql = `INSERT INTO file_operations (checkpoint_id, kind, path, from_path, before, planned, settled)
      VALUES (?, ?, ?, ?, ?, ?, 'pending')`;
    const { checkpointId, kind, path, from, before, planned } = operation;
    return this.#database.run(
      sql,
      checkpointId,
      kind,
      path,
      from ?? null,
      JSON.stringify(before),
      JSON.stringify(planned),
    ).lastId;
  }

  /** What a command did: seen when it had happened, so its end is known. */
  addOfCommand(
    operation: Pick<StoredOperation, 'checkpointId' | 'kind' | 'path' | 'before' | 'added' | 'removed'> & {
      readonly after: FileState;
      readonly command: string;
    },
  ): void {
    const sql = `INSERT INTO file_operations
      (checkpoint_id, kind, path, before, planned, after, settled, added, removed, command) VALUES (?1, ?2, ?3, ?4, ?5, ?5, 'known', ?6, ?7, ?8)`;
    const { checkpointId, kind, path, before, after, added, removed, command } = operation;
    const states = [JSON.stringify(before), JSON.stringify(after)];
    this.#database.run(sql, checkpointId, kind, path, ...states, added, removed, JSON.stringify(command));
  }

  settle(
    operationId: number,
    after: FileState,
    lines: { readonly added: number; readonly removed: number },
  ): void {
    const sql =
      "UPDATE file_operations SET after = ?, settled = 'known', added = ?, removed = ? WHERE id = ?";
    this.#database.run(sql, JSON.stringify(after), lines.added, lines.removed, operationId);
  }

  settleUnknown(operationId: number): void {
    this.#database.run("UPDATE file_operations SET settled = 'unknown' WHERE id = ?", operationId);
  }

  /** The write never happened. */
  drop(operationId: number): void {
    this.#database.run('DELETE FROM file_operations WHERE id = ?', operationId);
  }

  list(checkpointId: CheckpointId): StoredOperation[] {
    return this.#database.rows(
      operationRow,
      'SELECT * FROM file_operations WHERE checkpoint_id = ? ORDER BY id',
      checkpointId,
    );
  }

  /**
   * Operations of any session of this folder that touched a path, as either end, after the given place; undone ones don't count.
   * What a fork has copies of happened once: it is told as the asking session's own, else as the original's. A copy's id is higher
   * than its original's, so the indexes pass over all that is older.
   */
  onPath(folder: AbsolutePath, path: string, after: number, asking: SessionId): OperationElsewhere[] {
    const sql = `SELECT o.*, c.session_id, c.turn, s.title FROM file_operations o
      JOIN checkpoints c ON c.id = o.checkpoint_id JOIN sessions s ON s.id = c.session_id
      WHERE (o.path = ?1 AND o.id > ?2 OR o.from_path = ?1 AND o.id > ?2) AND COALESCE(o.copy_of, o.id) > ?2 AND s.folder = ?3 AND o.undone_by IS NULL
        AND (c.session_id = ?4 OR (
          NOT EXISTS (SELECT 1 FROM file_operations p WHERE p.id = o.copy_of)
          AND NOT EXISTS (SELECT 1 FROM file_operations m JOIN checkpoints d ON d.id = m.checkpoint_id
            WHERE m.copy_of = COALESCE(o.copy_of, o.id) AND d.session_id = ?4)))
      ORDER BY COALESCE(o.copy_of, o.id)`;
    return this.#database.rows(elsewhereRow, sql, path, after, folder, asking);
  }

  /** Every path of this folder that Belay ever wrote to, under whichever name. */
  touchedPaths(folder: AbsolutePath): ReadonlySet<string> {
    const sql = `SELECT o.path, o.from_path FROM file_operations o
      JOIN checkpoints c ON c.id = o.checkpoint_id JOIN sessions s ON s.id = c.session_id WHERE s.folder = ?`;
    const rows = this.#database.rows(pathsRow, sql, folder);
    return new Set(
      rows.flatMap(({ path, from_path }) => (from_path === undefined ? [path] : [path, from_path])),
    );
  }

  /** Paths that other sessions of this folder wrote to after an operation, under whichever name. */
  pathsOfOthers(folder: AbsolutePath, sessionId: SessionId, afterId: number): ReadonlySet<string> {
    const sql = `SELECT o.path, o.from_path FROM file_operations o
      JOIN checkpoints c ON c.id = o.checkpoint_id JOIN sessions s ON s.id = c.session_id
      WHERE o.id > ? AND s.folder = ? AND s.id <> ? AND o.copy_of IS NULL`;
    const rows = this.#database.rows(pathsRow, sql, afterId, folder, sessionId);
    return new Set(
      rows.flatMap(({ path, from_path }) => (from_path === undefined ? [path] : [path, from_path])),
    );
  }

  /** Every path that a session's tools wrote to, under whichever name. Asked before each command, so it is worked out anew only after a write. */
  pathsOf(sessionId: SessionId): readonly string[] {
    const last = this.last();
    const known = this.#paths.get(sessionId);
    if (known?.last === last) return known.paths;
    const paths = this.#readPaths(sessionId);
    this.#paths.set(sessionId, { last, paths });
    return paths;
  }

  #readPaths(sessionId: SessionId): readonly string[] {
    const ofSession =
      'FROM file_operations o JOIN checkpoints c ON c.id = o.checkpoint_id WHERE c.session_id = ?1 AND o.command IS NULL';
    const sql = `SELECT o.path ${ofSession} UNION SELECT o.from_path ${ofSession} AND o.from_path IS NOT NULL`;
    return this.#database.rows(pathRow, sql, sessionId).map(({ path }) => path);
  }

  /** The latest operation's id, of whatever session. */
  last(): number {
    return this.#database.row(idRow, 'SELECT MAX(id) AS id FROM file_operations')?.id ?? 0;
  }

  mark(operationId: number, restore: string): void {
    this.#database.run('UPDATE file_operations SET undone_by = ? WHERE id = ?', restore, operationId);
  }

  unmark(restore: string): void {
    this.#database.run('UPDATE file_operations SET undone_by = NULL WHERE undone_by = ?', restore);
  }
}

function toOperation(row: z.output<z.ZodObject<typeof columns>>): StoredOperation {
  const { checkpoint_id, from_path, undone_by, copy_of, ...same } = row;
  const place = copy_of ?? row.id;
  return { ...same, place, checkpointId: checkpoint_id, from: from_path, undoneBy: undone_by };
}
