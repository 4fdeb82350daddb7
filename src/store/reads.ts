import { z } from 'zod';
import type { RelativePath, SessionId, Sha256 } from '#protocol/ids';
import { id, json } from './columns';
import type { Database } from './database';

/** Lines from–to, 1-based, both included. */
type Span = readonly [from: number, to: number];

/** Lines that were shown, of how many. */
export interface Shown {
  readonly from: number;
  readonly to: number;
  readonly total: number;
}

const listRow = z.object({ path: z.string(), sha256: id<Sha256>() });
const readRow = z.object({ sha256: id<Sha256>(), spans: json<readonly Span[]>(), total: z.number() });
/** Has something written by and by; `over` hears that it is written for good, or never will be. */
type Soon = (write: () => void, over: () => void) => void;

const atOnce: Soon = (write, over) => {
  write();
  over();
};

type ReadRecord = Readonly<z.infer<typeof readRow>>;

/** Which content of which file each session has shown the model. */
export class ReadsTable {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * The records of one session, as tools use them. They count at once; `soon` says when they are written, in the order in which they
   * were made: a lost one only makes the model read again.
   */
  of(sessionId: SessionId, soon: Soon = atOnce): SessionReads {
    return new SessionReads(this.#database, sessionId, soon);
  }

  /** The files that a session has shown the model, and the content of each. */
  list(sessionId: SessionId): { readonly path: string; readonly sha256: Sha256 }[] {
    const sql = 'SELECT path, sha256 FROM reads WHERE session_id = ? ORDER BY path';
    return this.#database.rows(listRow, sql, sessionId);
  }

  /** What was shown after that event has left the conversation: it must be read again before an edit. */
  rewind(sessionId: SessionId, toSequence: number): void {
    this.#database.run('DELETE FROM reads WHERE session_id = ? AND sequence > ?', sessionId, toSequence);
  }
}

/** What one session has shown the model. */
export class SessionReads {
  readonly #database: Database;
  readonly #sessionId: SessionId;
  readonly #soon: Soon;
  /** Not written yet. */
  readonly #waiting = new Map<RelativePath, ReadRecord>();

  constructor(database: Database, sessionId: SessionId, soon: Soon) {
    this.#database = database;
    this.#sessionId = sessionId;
    this.#soon = soon;
  }

  /** Lines of a file with that content were shown. Other content than before begins anew. */
  note(path: RelativePath, sha256: Sha256, shown: Shown): void {
    const known = this.#get(path);
    const spans = known?.sha256 === sha256 ? known.spans : [];
    this.#put(path, { sha256, spans: merge([...spans, [shown.from, shown.to]]), total: shown.total });
  }

  /** The agent wrote all of it, so all of it counts as seen. */
  wrote(path: RelativePath, sha256: Sha256, total: number): void {
    this.#put(path, { sha256, spans: [[1, total]], total });
  }

  seen(path: RelativePath): { readonly sha256: Sha256; readonly whole: boolean } | undefined {
    const known = this.#get(path);
    if (!known) return undefined;
    const whole = known.total === 0 || known.spans.some(([from, to]) => from <= 1 && to >= known.total);
    return { sha256: known.sha256, whole };
  }

  forget(path: RelativePath): void {
    this.#waiting.delete(path);
    this.#database.run('DELETE FROM reads WHERE session_id = ? AND path = ?', this.#sessionId, path);
  }

  #get(path: RelativePath): ReadRecord | undefined {
    const waiting = this.#waiting.get(path);
    if (waiting) return waiting;
    const sql = 'SELECT sha256, spans, total FROM reads WHERE session_id = ? AND path = ?';
    return this.#database.row(readRow, sql, this.#sessionId, path);
  }

  #put(path: RelativePath, record: ReadRecord): void {
    this.#waiting.set(path, record);
    // A later one stands for it, or it was forgotten.
    const counts = () => this.#waiting.get(path) === record;
    this.#soon(
      () => {
        if (counts()) this.#write(path, record);
      },
      () => {
        if (counts()) this.#waiting.delete(path);
      },
    );
  }

  /** The session's last event goes with it, for rewinds. */
  #write(path: RelativePath, { sha256, spans, total }: ReadRecord): void {
    this.#database.run(
      `INSERT INTO reads (session_id, path, sha256, spans, total, sequence)
       VALUES (?1, ?2, ?3, ?4, ?5, COALESCE((SELECT MAX(sequence) FROM events WHERE session_id = ?1), 0))
       ON CONFLICT (session_id, path) DO UPDATE SET
         sha256 = excluded.sha256, spans = excluded.spans, total = excluded.total, sequence = excluded.sequence`,
      this.#sessionId,
      path,
      sha256,
      JSON.stringify(spans),
      total,
    );
  }
}

/** Spans in order, overlapping and touching ones joined. */
function merge(spans: readonly Span[]): Span[] {
  const joined: [number, number][] = [];
  for (const [from, to] of [...spans].sort((a, b) => a[0] - b[0])) {
    const last = joined.at(-1);
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  return joined;
}
