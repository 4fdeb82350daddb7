import { z } from 'zod';
import type { AbsolutePath, SessionId } from '#protocol/ids';
import { MODES, type Mode } from '#protocol/settings';
import { id, json, optionalText } from './columns';
import type { Database } from './database';

/** A session's own row. */
export interface StoredSession {
  readonly id: SessionId;
  /** Real path of the folder it works in. */
  readonly folder: AbsolutePath;
  readonly title: string;
  readonly mode: Mode;
  readonly modelId: string;
  readonly createdAt: number;
  /** Milliseconds since 1970 of the last event, or of its making. */
  readonly at: number;
  /** Who gave the title last; a person's stays. Undefined: nobody yet, or it was before this was kept. */
  readonly titledBy?: TitledBy | undefined;
  /** Put away: not in the list, found by search. */
  readonly archived?: boolean;
}

/** Where a title comes from. */
export type TitledBy = 'prompt' | 'model' | 'person';

const TITLED_BY: readonly TitledBy[] = ['prompt', 'model', 'person'];

const sessionRow = z
  .object({
    id: id<SessionId>(),
    folder: id<AbsolutePath>(),
    title: json<string>(),
    // Danger mode is never stored, and a mode this version doesn't know must not be taken for a loose one.
    mode: z.enum(MODES).catch('read-only'),
    model_id: z.string(),
    created_at: z.number(),
    at: z.number(),
    titled_by: optionalText,
    archived_at: z.number().nullable(),
  })
  .transform(
    ({ model_id, created_at, titled_by, archived_at, ...row }): StoredSession => ({
      ...row,
      titledBy: TITLED_BY.find((known) => known === titled_by),
      archived: archived_at !== null,
      modelId: model_id,
      createdAt: created_at,
    }),
  );

const SELECT = `SELECT id, folder, title, mode, model_id, created_at, titled_by, archived_at,
  COALESCE((SELECT e.at FROM events e WHERE e.session_id = sessions.id ORDER BY e.sequence DESC LIMIT 1), created_at) AS at
  FROM sessions`;

/** Conversations, each bound to one folder, each written by one host at a time. */
export class SessionsTable {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  create(session: Omit<StoredSession, 'createdAt'>): void {
    this.#database.run(
      'INSERT INTO sessions (id, folder, title, mode, model_id, created_at) VALUES (?, ?, ?, ?, ?, ?)',
      session.id,
      session.folder,
      JSON.stringify(session.title),
      kept(session.mode),
      session.modelId,
      Math.trunc(session.at),
    );
  }

  get(sessionId: SessionId): StoredSession | undefined {
    return this.#database.row(sessionRow, `${SELECT} WHERE id = ?`, sessionId);
  }

  /** The sessions of a folder, the latest first. */
  list(folder: AbsolutePath): StoredSession[] {
    return this.#database.rows(sessionRow, `${SELECT} WHERE folder = ? ORDER BY at DESC, id DESC`, folder);
  }

  update(
    sessionId: SessionId,
    changes: {
      readonly title?: string;
      readonly titledBy?: TitledBy;
      readonly mode?: Mode;
      readonly modelId?: string;
    },
  ): void {
    this.#database.run(
      `UPDATE sessions SET title = COALESCE(?, title), titled_by = COALESCE(?, titled_by), mode = COALESCE(?, mode),
        model_id = COALESCE(?, model_id) WHERE id = ?`,
      changes.title === undefined ? null : JSON.stringify(changes.title),
      changes.titledBy ?? null,
      changes.mode === undefined ? null : kept(changes.mode),
      changes.modelId ?? null,
      sessionId,
    );
  }

  /** Puts it away at that moment, or takes it out again. Changes nothing else. */
  archive(sessionId: SessionId, at: number | undefined): void {
    const sql = 'UPDATE sessions SET archived_at = ? WHERE id = ?';
    this.#database.run(sql, at === undefined ? null : Math.trunc(at), sessionId);
  }

  /** Everything the session has, for good. Blobs are for pruning. */
  delete(sessionId: SessionId): void {
    this.#database.run('DELETE FROM sessions WHERE id = ?', sessionId);
  }
}

/** Danger mode lives in the memory of one window's run. */
function kept(mode: Mode): Mode {
  return mode === 'danger-full-access' ? 'workspace-write' : mode;
}
