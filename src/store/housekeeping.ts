import { z } from 'zod';
import type { Database } from './database';
import { isGone, type LeaseOwner } from './leases';

const row = z.object({
  owner_id: z.string().nullable(),
  owner_pid: z.number().nullable(),
  owner_host: z.string().nullable(),
  owner_born: z.string().nullable(),
  beat_at: z.number().nullable(),
  done_at: z.number().nullable(),
});

/** Milliseconds after which a task of another machine, of which nobody here can tell whether it lives, counts as left. */
const LEFT_AFTER = 24 * 60 * 60 * 1000;

/**
 * Tasks for the whole storage that one window does at a time, for economy: done twice at once they'd come to the same. Whoever died
 * at it leaves it to the next.
 */
export class HousekeepingTable {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** False when another process is at it. */
  begin(task: string, owner: LeaseOwner, now: number): boolean {
    return this.#database.transaction(() => {
      const held = this.#get(task);
      if (held && isHeld(held, owner, now)) return false;
      const sql = `INSERT INTO housekeeping (task, owner_id, owner_pid, owner_host, owner_born, beat_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
        ON CONFLICT (task) DO UPDATE SET owner_id = ?2, owner_pid = ?3, owner_host = ?4, owner_born = ?5, beat_at = ?6`;
      const { id, pid, host, born = null } = owner;
      this.#database.run(sql, task, id, pid, host, born, Math.trunc(now));
      return true;
    });
  }

  /** Lets go of it; `doneAt` when it came to its end. */
  end(task: string, owner: LeaseOwner, doneAt: number | undefined): void {
    const sql = `UPDATE housekeeping SET owner_id = NULL, owner_pid = NULL, owner_host = NULL, owner_born = NULL, beat_at = NULL,
      done_at = COALESCE(?, done_at) WHERE task = ? AND owner_id = ?`;
    this.#database.run(sql, doneAt === undefined ? null : Math.trunc(doneAt), task, owner.id);
  }

  /** When it last came to its end; undefined when it never has. */
  doneAt(task: string): number | undefined {
    return this.#get(task)?.done_at ?? undefined;
  }

  #get(task: string): z.output<typeof row> | undefined {
    return this.#database.row(row, 'SELECT * FROM housekeeping WHERE task = ?', task);
  }
}

function isHeld(held: z.output<typeof row>, owner: LeaseOwner, now: number): boolean {
  const { owner_id, owner_pid, owner_host, owner_born } = held;
  if (owner_id === null || owner_pid === null || owner_host === null) return false;
  if (owner_host !== owner.host) return Math.abs(now - (held.beat_at ?? 0)) < LEFT_AFTER;
  const born = owner_born ?? undefined;
  return !isGone({ id: owner_id, pid: owner_pid, host: owner_host, born }, owner.host);
}
