import { z } from 'zod';
import type { CheckpointId, SessionId, Sha256 } from '#protocol/ids';
import { id } from './columns';
import type { Database } from './database';

/** A content that a checkpoint needs. */
export interface BlobReference {
  readonly checkpointId: CheckpointId;
  readonly sha256: Sha256;
  readonly bytes: number;
}

/** A state of a file, as a column of JSON has it, as a row of hash and size. */
const stateRow = (columns: string, state: string, from: string) =>
  `SELECT ${columns}, json_extract(${state}, '$.sha256') AS sha256, json_extract(${state}, '$.bytes') AS bytes
   FROM ${from} AND json_extract(${state}, '$.kind') = 'file'`;

const OPERATIONS = 'file_operations o JOIN checkpoints c ON c.id = o.checkpoint_id WHERE TRUE';
const RESTORES = `restores r, json_each(r.plan, '$.files') f
  WHERE (r.state = 'applying' OR (r.state = 'done' AND r.kind = 'undo' AND r.scope <> 'session' AND r.redone_by IS NULL))`;

/** Every use of a content: session (empty where none has it), hash, bytes. The one list that says what must stay. */
const USES = [
  ...['o.before', 'o.planned', 'o.after'].map((state) => stateRow('c.session_id', state, OPERATIONS)),
  ...["json_extract(f.value, '$.from')", "json_extract(f.value, '$.to')"].map((state) =>
    stateRow('r.session_id', state, RESTORES),
  ),
  'SELECT session_id, sha256, bytes FROM review_marks WHERE sha256 IS NOT NULL',
  // Contents of files as they were before a command, which later turns may need.
  "SELECT '', sha256, bytes FROM kept_contents",
].join('\nUNION ALL\n');

const hashRow = z.object({ sha256: id<Sha256>() });
const bytesRow = z.object({ bytes: z.number().nullable() });
const sessionRow = z.object({ session_id: id<SessionId>(), bytes: z.number().nullable() });
const referenceRow = z
  .object({ checkpoint_id: id<CheckpointId>(), sha256: id<Sha256>(), bytes: z.number() })
  .transform(({ checkpoint_id, ...row }): BlobReference => ({ ...row, checkpointId: checkpoint_id }));

/** Which contents are needed, by whom. What stands nowhere here may be swept away. */
export class ReferencesTable {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Every content that anybody needs. */
  standing(): ReadonlySet<Sha256> {
    const rows = this.#database.rows(hashRow, `SELECT DISTINCT sha256 FROM (${USES})`);
    return new Set(rows.map(({ sha256 }) => sha256));
  }

  /** What each turn of a session needs, its oldest turn first. */
  ofSession(sessionId: SessionId): BlobReference[] {
    const rows = ['o.before', 'o.planned', 'o.after'].map((state) =>
      stateRow('c.id AS checkpoint_id, c.start_sequence', state, `${OPERATIONS} AND c.session_id = ?1`),
    );
    const sql = `SELECT DISTINCT checkpoint_id, sha256, bytes FROM (${rows.join('\nUNION ALL\n')}) ORDER BY start_sequence`;
    return this.#database.rows(referenceRow, sql, sessionId);
  }

  /** Bytes of all contents, each counted once. */
  bytes(): number {
    const sql = `SELECT SUM(bytes) AS bytes FROM (SELECT MAX(bytes) AS bytes FROM (${USES}) GROUP BY sha256)`;
    return this.#database.row(bytesRow, sql)?.bytes ?? 0;
  }

  /** Bytes of contents that no other session needs: what deleting it would free. */
  ownBytes(): ReadonlyMap<SessionId, number> {
    const sql = `SELECT session_id, SUM(bytes) AS bytes FROM (
        SELECT MIN(session_id) AS session_id, MAX(bytes) AS bytes FROM (${USES})
        GROUP BY sha256 HAVING COUNT(DISTINCT session_id) = 1)
      GROUP BY session_id`;
    const rows = this.#database.rows(sessionRow, sql);
    return new Map(rows.map(({ session_id, bytes }) => [session_id, bytes ?? 0]));
  }
}
