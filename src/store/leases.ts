import { z } from 'zod';
import { fail, ok, type Result } from '#base/result';
import { birthOf } from '#disk/process-birth';
import { isRunning } from '#disk/temporary';
import type { SessionId } from '#protocol/ids';
import { optionalText } from './columns';
import type { Database } from './database';

/** Who writes to a session: one extension host (or runner) on one machine. `id` tells two of one process apart. */
export interface LeaseOwner {
  readonly id: string;
  readonly pid: number;
  readonly host: string;
  /** When its process began (see `birthOf`), where that can be told. */
  readonly born?: string | undefined;
}

/** A writer that isn't known to be dead, and its last sign of life: a number that every beat changes. */
export interface LeaseHolder {
  readonly owner: LeaseOwner;
  readonly beat: number;
}

/** How to come by a lease that another has. */
export interface Taking {
  /** The person asked for it, though the other lives. */
  readonly force?: boolean;
  /** The other gave no sign of life for long: take it if this is still its last one. */
  readonly silentSince?: number;
}

const leaseRow = z
  .object({
    owner_id: z.string().nullable(),
    owner_pid: z.number().nullable(),
    owner_host: z.string().nullable(),
    owner_born: optionalText,
    heartbeat_at: z.number().nullable(),
  })
  .transform(({ owner_id, owner_pid, owner_host, owner_born, heartbeat_at }): LeaseHolder | undefined => {
    if (owner_id === null || owner_pid === null || owner_host === null) return undefined;
    const owner = { id: owner_id, pid: owner_pid, host: owner_host };
    return { owner: { ...owner, ...(owner_born && { born: owner_born }) }, beat: heartbeat_at ?? 0 };
  });

/**
 * The right to write to a session, held by one host at a time. No clock decides who is dead: clocks are set back, and a machine that
 * slept would find everybody's last beat hours ago. A process that is gone is dead at once; of others, whoever watches them says so.
 */
export class LeasesTable {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Becomes the one writer, or says who is. `now` in milliseconds, for who reads the table. */
  acquire(
    sessionId: SessionId,
    owner: LeaseOwner,
    now: number,
    taking: Taking = {},
  ): Result<void, LeaseHolder> {
    return this.#database.transaction(() => {
      const holder = this.holder(sessionId, owner.host);
      const isFree = !holder || holder.owner.id === owner.id || holder.beat === taking.silentSince;
      if (!isFree && !taking.force) return fail(holder);
      const sql = `UPDATE sessions SET owner_id = ?, owner_pid = ?, owner_host = ?, owner_born = ?,
        heartbeat_at = MAX(?, COALESCE(heartbeat_at, 0) + 1) WHERE id = ?`;
      const { id, pid, host, born = null } = owner;
      this.#database.run(sql, id, pid, host, born, Math.trunc(now), sessionId);
      return ok(undefined);
    });
  }

  /** Says that the owner still lives; false when another has taken the session: stop writing. */
  beat(sessionId: SessionId, owner: LeaseOwner, now: number): boolean {
    const sql = `UPDATE sessions SET heartbeat_at = MAX(?, COALESCE(heartbeat_at, 0) + 1) WHERE id = ? AND owner_id = ?`;
    return this.#database.run(sql, Math.trunc(now), sessionId, owner.id).changes > 0;
  }

  release(sessionId: SessionId, owner: LeaseOwner): void {
    const sql = `UPDATE sessions SET owner_id = NULL, owner_pid = NULL, owner_host = NULL, owner_born = NULL,
      heartbeat_at = NULL WHERE id = ? AND owner_id = ?`;
    this.#database.run(sql, sessionId, owner.id);
  }

  /** The writer, unless it was a process of this machine that is gone. `host` is this machine's name. */
  holder(sessionId: SessionId, host: string): LeaseHolder | undefined {
    const sql = 'SELECT owner_id, owner_pid, owner_host, owner_born, heartbeat_at FROM sessions WHERE id = ?';
    const holder = this.#database.row(leaseRow, sql, sessionId);
    return holder && isGone(holder.owner, host) ? undefined : holder;
  }
}

/** Whether the process is known to have ended. `here` is this machine’s name. */
export function isGone({ pid, host, born }: LeaseOwner, here: string): boolean {
  if (host !== here) return false;
  if (!isRunning(pid)) return true;
  const now = born && birthOf(pid);
  return now !== undefined && now !== '' && now !== born;
}
