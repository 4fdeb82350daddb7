import { z } from 'zod';
import { type FileState, RESTORE_SCOPES, type RedoScope, type RestoreScope } from '#protocol/checkpoint';
import type { AbsolutePath, SessionId } from '#protocol/ids';
import { id, json, optionalText } from './columns';
import type { Database } from './database';

/** `applying`: files are being changed, a crash leaves it so; the other two are ends. */
export type RestoreState = 'applying' | 'done' | 'rolled-back';

/** An undo or a redo with its own journal. `Plan` is the checkpoints room's; here it is JSON. */
export interface StoredRestore<Plan> {
  readonly id: string;
  readonly sessionId: SessionId;
  readonly kind: 'undo' | 'redo';
  /** With a redo: the undo it takes back. */
  readonly redoes: string | undefined;
  readonly scope: RestoreScope;
  readonly state: RestoreState;
  readonly plan: Plan;
  readonly at: number;
  /** The latest file operation and event when it was made: what is newer happened since. */
  readonly lastOperation: number;
  readonly lastSequence: number;
}

/** What an undo or redo of another session did to a path. */
export interface RestoreElsewhere {
  readonly kind: 'undo' | 'redo';
  readonly title: string;
  readonly left: FileState;
  readonly lastOperation: number;
}

const SELECT =
  'SELECT id, session_id, kind, redoes, scope, state, plan, at, last_operation, last_sequence FROM restores';

/** An undo of both may have found no file and no folder to take back. */
const WITH_FILES = `AND (scope = 'files' OR (scope = 'all' AND EXISTS (SELECT 1 FROM json_each(plan) part
  WHERE part.key IN ('files', 'operations', 'makeFolders', 'removeFolders', 'folderTurns') AND json_array_length(part.value) > 0)))`;

/** The journal of undos. */
export class RestoresTable {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  add<Plan>(restore: StoredRestore<Plan>): void {
    this.#database.run(
      `INSERT INTO restores (id, session_id, kind, redoes, scope, state, plan, at, last_operation, last_sequence)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      restore.id,
      restore.sessionId,
      restore.kind,
      restore.redoes ?? null,
      restore.scope,
      restore.state,
      JSON.stringify(restore.plan),
      Math.trunc(restore.at),
      restore.lastOperation,
      restore.lastSequence,
    );
  }

  /** `last` when given: the events and operations of the restore itself are not news. */
  finish(
    restoreId: string,
    state: RestoreState,
    last: { readonly sequence?: number | undefined; readonly operation?: number } = {},
  ): void {
    const sql = `UPDATE restores SET state = ?, last_sequence = COALESCE(?, last_sequence),
      last_operation = COALESCE(?, last_operation) WHERE id = ?`;
    this.#database.run(sql, state, last.sequence ?? null, last.operation ?? null, restoreId);
  }

  get<Plan>(restoreId: string): StoredRestore<Plan> | undefined {
    return this.#database.row(restoreRow<Plan>(), `${SELECT} WHERE id = ?`, restoreId);
  }

  /** Begun and neither finished nor rolled back: their host works on them, or died. */
  unfinished<Plan>(sessionId: SessionId): StoredRestore<Plan>[] {
    return this.#database.rows(
      restoreRow<Plan>(),
      `${SELECT} WHERE session_id = ? AND state = 'applying' ORDER BY rowid`,
      sessionId,
    );
  }

  /** How many there ever were. */
  last(): number {
    return this.#database.row(lastRow, 'SELECT MAX(rowid) AS last FROM restores')?.last ?? 0;
  }

  /** Of other sessions of this folder: what was begun after that many, or is still under way. */
  plansOfOthers<Plan>(folder: AbsolutePath, sessionId: SessionId, after: number): Plan[] {
    const sql = `SELECT r.plan FROM restores r JOIN sessions s ON s.id = r.session_id
      WHERE s.folder = ? AND s.id <> ? AND (r.rowid > ? OR r.state = 'applying')`;
    const rows = this.#database.rows(z.object({ plan: json<Plan>() }), sql, folder, sessionId, after);
    return rows.map(({ plan }) => plan);
  }

  /** The latest undo that is done and wasn't taken back; with `files`, the latest of which files weren't. */
  redoable<Plan>(sessionId: SessionId, scope?: RedoScope): StoredRestore<Plan> | undefined {
    const sql = `${SELECT} WHERE session_id = ? AND kind = 'undo' AND state = 'done' AND redone_by IS NULL
      ${scope ? WITH_FILES : ''} ORDER BY rowid DESC LIMIT 1`;
    return this.#database.row(restoreRow<Plan>(), sql, sessionId);
  }

  /** Of an undo of both only the conversation is still away: its files were taken back. Its plan stays, as what happened to them. */
  leaveConversation(restoreId: string): void {
    this.#database.run("UPDATE restores SET scope = 'session' WHERE id = ?", restoreId);
  }

  markRedone(restoreId: string, redo: string): void {
    this.#database.run('UPDATE restores SET redone_by = ? WHERE id = ?', redo, restoreId);
  }

  /** What undos and redos of other sessions of this folder did to a path after one place and before another, latest last. */
  onPath(
    folder: AbsolutePath,
    path: string,
    range: { readonly from: number; readonly before: number; readonly asking: SessionId },
  ): RestoreElsewhere[] {
    const sql = `SELECT r.kind, s.title, r.last_operation, json_extract(f.value, '$.to') AS left
      FROM restores r JOIN sessions s ON s.id = r.session_id, json_each(r.plan, '$.files') f
      WHERE s.folder = ? AND r.session_id <> ? AND r.state = 'done' AND r.last_operation >= ? AND r.last_operation < ?
        AND json_extract(f.value, '$.path') = ? ORDER BY r.last_operation, r.rowid`;
    return this.#database.rows(elsewhereRow, sql, folder, range.asking, range.from, range.before, path);
  }

  isRedone(restoreId: string): boolean {
    const row = this.#database.row(redoneRow, 'SELECT redone_by FROM restores WHERE id = ?', restoreId);
    return row?.redone_by !== undefined;
  }
}

const elsewhereRow = z
  .object({
    kind: z.enum(['undo', 'redo']),
    title: json<string>(),
    left: json<FileState>(),
    last_operation: z.number(),
  })
  .transform(({ last_operation, ...row }): RestoreElsewhere => ({ ...row, lastOperation: last_operation }));
const lastRow = z.object({ last: z.number().nullable() });
const redoneRow = z.object({ redone_by: optionalText });

function restoreRow<Plan>() {
  return z
    .object({
      id: z.string(),
      session_id: id<SessionId>(),
      kind: z.enum(['undo', 'redo']),
      redoes: optionalText,
      scope: z.enum(RESTORE_SCOPES),
      state: z.enum(['applying', 'done', 'rolled-back']),
      plan: json<Plan>(),
      at: z.number(),
      last_operation: z.number(),
      last_sequence: z.number(),
    })
    .transform(
      ({ session_id, last_operation, last_sequence, ...row }): StoredRestore<Plan> => ({
        ...row,
        sessionId: session_id,
        lastOperation: last_operation,
        lastSequence: last_sequence,
      }),
    );
}
