import { z } from 'zod';
import { fail, ok, type Result } from '#base/result';
import { isRunning } from '#disk/temporary';
import type { AbsolutePath, SessionId } from '#protocol/ids';
import { MODES, type Mode } from '#protocol/settings';
import { id, json } from './columns';
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
}

/** Who writes to a session: one extension host (or runner) on one machine. `id` tells two of one process apart. */
export interface LeaseOwner {
  readonly id: string;
  readonly pid: number;
  readonly host: string;
}

/** Milliseconds without a heartbeat after which a lease counts as left. */
export const LEASE_TIMEOUT = 15_000;

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
  })
  .transform(
    ({ model_id, created_at, ...row }): StoredSession => ({
      ...row,
      modelId: model_id,
      createdAt: created_at,
    }),
  );

const leaseRow = z.object({
  owner_id: z.string().nullable(),
  owner_pid: z.number().nullable(),
  owner_host: z.string().nullable(),
  heartbeat_at: z.number().nullable(),
});

const SELECT = `SELECT id, folder, title, mode, model_id, created_at,
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
    changes: { readonly title?: string; readonly mode?: Mode; readonly modelId?: string },
  ): void {
    this.#database.run(
      'UPDATE sessions SET title = COALESCE(?, title), mode = COALESCE(?, mode), model_id = COALESCE(?, model_id) WHERE id = ?',
      changes.title === undefined ? null : JSON.stringify(changes.title),
      changes.mode === undefined ? null : kept(changes.mode),
      changes.modelId ?? null,
      sessionId,
    );
  }

  /** Everything the session has, for good. Blobs are for pruning. */
  delete(sessionId: SessionId): void {
    this.#database.run('DELETE FROM sessions WHERE id = ?', sessionId);
  }

  /** Becomes the one writer, or says who is. `force` takes it from a living one: the person asked for that. */
  acquire(
    sessionId: SessionId,
    owner: LeaseOwner,
    now: number,
    options: { readonly force?: boolean } = {},
  ): Result<void, LeaseOwner> {
    return this.#database.transaction(() => {
      const holder = this.holder(sessionId, now, owner.host);
      if (holder && holder.id !== owner.id && !options.force) return fail(holder);
      this.#database.run(
        'UPDATE sessions SET owner_id = ?, owner_pid = ?, owner_host = ?, heartbeat_at = ? WHERE id = ?',
        owner.id,
        owner.pid,
        owner.host,
        Math.trunc(now),
        sessionId,
      );
      return ok(undefined);
    });
  }

  /** Says that the owner still lives; false when another has taken the session: stop writing. */
  heartbeat(sessionId: SessionId, owner: LeaseOwner, now: number): boolean {
    const sql = 'UPDATE sessions SET heartbeat_at = ? WHERE id = ? AND owner_id = ?';
    return this.#database.run(sql, Math.trunc(now), sessionId, owner.id).changes > 0;
  }

  release(sessionId: SessionId, owner: LeaseOwner): void {
    const sql =
      'UPDATE sessions SET owner_id = NULL, owner_pid = NULL, owner_host = NULL, heartbeat_at = NULL WHERE id = ? AND owner_id = ?';
    this.#database.run(sql, sessionId, owner.id);
  }

  /** The living writer: its heartbeat is fresh and, on this machine, its process runs. `host` is this machine's name. */
  holder(sessionId: SessionId, now: number, host: string): LeaseOwner | undefined {
    const sql = 'SELECT owner_id, owner_pid, owner_host, heartbeat_at FROM sessions WHERE id = ?';
    const row = this.#database.row(leaseRow, sql, sessionId);
    if (
      !row ||
      row.owner_id === null ||
      row.owner_pid === null ||
      row.owner_host === null ||
      row.heartbeat_at === null
    )
      return undefined;
    if (now - row.heartbeat_at > LEASE_TIMEOUT) return undefined;
    if (host === row.owner_host && !isRunning(row.owner_pid)) return undefined;
    return { id: row.owner_id, pid: row.owner_pid, host: row.owner_host };
  }
}

/** Danger mode lives in the memory of one window's run. */
function kept(mode: Mode): Mode {
  return mode === 'danger-full-access' ? 'workspace-write' : mode;
}
