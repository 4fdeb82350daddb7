import { z } from 'zod';
import type { EventBody, SessionEvent } from '#protocol/event';
import type { AbsolutePath, SessionId } from '#protocol/ids';
import { id, json } from './columns';
import type { Database } from './database';
import { indexable, matchOf } from './history-words';

/** A place in a session where the words of a query were said. */
export interface HistoryHit {
  readonly sessionId: SessionId;
  readonly title: string;
  readonly folder: AbsolutePath;
  readonly archived: boolean;
  /** Milliseconds since 1970 of the event. */
  readonly at: number;
  /** Undefined: the title itself. */
  readonly turn: number | undefined;
  /** What was said there, redacted as all events are. */
  readonly text: string;
  readonly kind: 'title' | 'prompt' | 'answer';
}

const hitRow = z.object({
  session_id: id<SessionId>(),
  title: json<string>(),
  folder: id<AbsolutePath>(),
  archived_at: z.number().nullable(),
  at: z.number(),
  turn: z.number().nullable(),
  type: z.string(),
  body: z.string(),
});
const waitingRow = z.object({ id: id<SessionId>(), unindexed: z.number() });
const eventRow = z.object({ sequence: z.number(), at: z.number(), body: z.string() });
const countRow = z.object({ count: z.number() });

/** Titles weigh more than what was said. */
const RANK = 'bm25(history_text, 6.0, 1.0)';

/** The words of all sessions, kept in step by whoever records an event, in the same transaction. */
export class HistoryIndex {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Whether an event changes what can be found. */
  concerns({ type }: EventBody): boolean {
    return TYPES.has(type);
  }

  /** Takes in an event that was just recorded, in its transaction. */
  add(event: SessionEvent): void {
    switch (event.type) {
      case 'session.titled':
        this.#database.run(
          'DELETE FROM history_entries WHERE session_id = ? AND turn IS NULL AND turn_id IS NULL',
          event.sessionId,
        );
        this.#keep(event, { title: event.title });
        return;
      case 'turn.started':
        this.#keep(event, { said: event.prompt, turn: event.turn, turnId: event.turnId });
        return;
      case 'message.delivered':
      case 'model.completed':
        if (event.text !== '') this.#keep(event, { said: event.text, turnId: event.turnId });
        return;
      case 'session.rewound':
        if (event.scope !== 'files') this.#rewind(event);
        return;
      case 'session.unwound':
        this.#database.run(
          'UPDATE history_entries SET rewound_by = NULL WHERE session_id = ? AND rewound_by = ?',
          event.sessionId,
          event.operation,
        );
        return;
      default:
        return;
    }
  }

  /** The best places first; of one folder, or of all. What was rewound isn't found. Never throws for what is typed. */
  search(
    query: string,
    { folder, limit }: { readonly folder?: AbsolutePath; readonly limit: number },
  ): HistoryHit[] {
    const match = matchOf(query);
    if (match === undefined) return [];
    const sql = `SELECT f.session_id, s.title, s.folder, s.archived_at, e.at, f.turn, e.type, e.body FROM (
        SELECT h.session_id, h.sequence, h.turn, ${RANK} AS rank FROM history_text
        JOIN history_entries h ON h.id = history_text.rowid JOIN sessions o ON o.id = h.session_id
        WHERE history_text MATCH ?1 AND h.rewound_by IS NULL AND o.unindexed = 0 AND (?2 IS NULL OR o.folder = ?2)
        ORDER BY rank, h.id DESC LIMIT ?3
      ) f JOIN sessions s ON s.id = f.session_id
      JOIN events e ON e.session_id = f.session_id AND e.sequence = f.sequence ORDER BY f.rank, e.at DESC`;
    return this.#database.rows(hitRow, sql, match, folder ?? null, limit).flatMap((row) => hitOf(row) ?? []);
  }

  /** Sessions of before there was an index that still wait for it. */
  waiting(): number {
    const sql = 'SELECT COUNT(*) AS count FROM sessions WHERE unindexed > 0';
    return this.#database.row(countRow, sql)?.count ?? 0;
  }

  /** Indexes some events of a waiting session; false when none waits. Two windows may do so at once. */
  indexSome(most: number): boolean {
    return this.#database.transaction(() => {
      const next =
        'SELECT id, unindexed FROM sessions WHERE unindexed > 0 ORDER BY created_at DESC, id LIMIT 1';
      const session = this.#database.row(waitingRow, next);
      if (!session) return false;
      const done = this.#indexSlice(session.id, session.unindexed, most);
      this.#database.run('UPDATE sessions SET unindexed = ? WHERE id = ?', done, session.id);
      if (done === 0) this.#settle(session.id);
      return true;
    });
  }

  /** From the newest backwards, so that what is left is what comes before; the answer is where that ends. */
  #indexSlice(sessionId: SessionId, last: number, most: number): number {
    const first = Math.max(1, last - most + 1);
    const sql =
      'SELECT sequence, at, body FROM events WHERE session_id = ? AND sequence BETWEEN ? AND ? ORDER BY sequence';
    for (const { sequence, at, body } of this.#database.rows(eventRow, sql, sessionId, first, last)) {
      const event = parsed(body);
      // A title is the newest one's; rewinds count when all is there.
      if (!event || event.type.startsWith('session.')) continue;
      if (this.concerns(event)) this.add({ ...event, sequence, at, sessionId });
    }
    return first - 1;
  }

  /** Once all of a session is there: its turns' numbers, its title, and what was rewound. */
  #settle(sessionId: SessionId): void {
    this.#database.run(
      `UPDATE history_entries SET turn = (SELECT MAX(s.turn) FROM history_entries s
        WHERE s.session_id = ?1 AND s.turn_id = history_entries.turn_id), rewound_by = NULL
        WHERE session_id = ?1 AND turn_id IS NOT NULL`,
      sessionId,
    );
    const sql = `SELECT sequence, at, body FROM events WHERE session_id = ?
      AND type IN ('session.titled', 'session.rewound', 'session.unwound') ORDER BY sequence`;
    for (const { sequence, at, body } of this.#database.rows(eventRow, sql, sessionId)) {
      const event = parsed(body);
      if (event) this.add({ ...event, sequence, at, sessionId });
    }
  }

  #keep(
    { sessionId, sequence }: SessionEvent,
    entry: {
      readonly title?: string;
      readonly said?: string;
      readonly turn?: number;
      readonly turnId?: string;
    },
  ): void {
    const turn = entry.turn ?? null;
    const sql = `INSERT INTO history_entries (session_id, sequence, turn, turn_id) VALUES (?1, ?2,
      COALESCE(?3, (SELECT turn FROM history_entries WHERE session_id = ?1 AND turn_id = ?4 AND turn IS NOT NULL LIMIT 1)), ?4)`;
    const { lastId } = this.#database.run(sql, sessionId, sequence, turn, entry.turnId ?? null);
    this.#database.run(
      'INSERT INTO history_text (rowid, title, said) VALUES (?, ?, ?)',
      lastId,
      indexable(entry.title ?? ''),
      indexable(entry.said ?? ''),
    );
  }

  #rewind(event: Extract<SessionEvent, { type: 'session.rewound' }>): void {
    this.#database.run(
      `UPDATE history_entries SET rewound_by = ?1 WHERE session_id = ?2 AND rewound_by IS NULL AND sequence < ?3
        AND turn IN (SELECT value FROM json_each(?4))`,
      event.operation,
      event.sessionId,
      event.sequence,
      JSON.stringify(event.turns),
    );
  }
}

const TYPES: ReadonlySet<EventBody['type']> = new Set([
  'session.titled',
  'turn.started',
  'message.delivered',
  'model.completed',
  'session.rewound',
  'session.unwound',
]);

function hitOf(row: z.infer<typeof hitRow>): HistoryHit | undefined {
  const event = parsed(row.body);
  if (!event) return undefined;
  const [text, kind] = saidIn(event);
  const { session_id, archived_at, title, folder, at } = row;
  return {
    sessionId: session_id,
    title,
    folder,
    archived: archived_at !== null,
    at,
    turn: row.turn ?? undefined,
    text,
    kind,
  };
}

function saidIn(event: EventBody): readonly [string, HistoryHit['kind']] {
  switch (event.type) {
    case 'session.titled':
      return [event.title, 'title'];
    case 'turn.started':
      return [event.prompt, 'prompt'];
    case 'message.delivered':
      return [event.text, 'prompt'];
    case 'model.completed':
      return [event.text, 'answer'];
    default:
      return ['', 'answer'];
  }
}

/** A row that a damaged disk left is passed over. */
function parsed(body: string): EventBody | undefined {
  try {
    return JSON.parse(body) as EventBody;
  } catch {
    return undefined;
  }
}
