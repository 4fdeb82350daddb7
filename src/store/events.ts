import { z } from 'zod';
import type { EventBody, SessionEvent } from '#protocol/event';
import type { SessionId } from '#protocol/ids';
import type { Message } from '#protocol/message';
import type { Database } from './database';
import type { HistoryIndex } from './history-index';
import type { LeaseOwner } from './leases';
import type { MessagesTable } from './messages';

const eventRow = z.object({ sequence: z.number(), at: z.number(), body: z.string() });
const sequenceRow = z.object({ sequence: z.number().nullable() });
const placeRow = z.object({ sequence: z.number() });

const NEXT = 'COALESCE((SELECT MAX(sequence) FROM events WHERE session_id = ?1), 0) + 1';

/** The append-only log of each session: 1, 2, 3 … without a gap. */
export class EventsTable {
  readonly #database: Database;
  readonly #messages: MessagesTable;
  readonly #index: HistoryIndex;

  constructor(database: Database, messages: MessagesTable, index: HistoryIndex) {
    this.#database = database;
    this.#messages = messages;
    this.#index = index;
  }

  /**
   * Records what happened, with the messages that it tells of (both or none), and says its place. `at` in milliseconds
   * since 1970.
   */
  append(sessionId: SessionId, body: EventBody, at: number, messages: readonly Message[] = []): SessionEvent {
    if (messages.length === 0) return this.#append(sessionId, body, at);
    return this.#database.transaction(() => {
      const event = this.#append(sessionId, body, at);
      for (const message of messages) this.#messages.append(sessionId, message, event.sequence);
      return event;
    });
  }

  /**
   * The same for the session's one writer; undefined, and nothing recorded, when another has taken it. A single statement:
   * nobody comes between the look and the word, without a transaction around them. `json` is the body's.
   */
  appendAs(
    owner: Pick<LeaseOwner, 'id'>,
    sessionId: SessionId,
    { body, json }: { readonly body: EventBody; readonly json: string },
    at: number,
  ): SessionEvent | undefined {
    const sql = `INSERT INTO events (session_id, sequence, at, type, body) SELECT ?1, ${NEXT}, ?2, ?3, ?4
      WHERE EXISTS (SELECT 1 FROM sessions WHERE id = ?1 AND owner_id = ?5) RETURNING sequence`;
    return this.#insert(sql, sessionId, { body, json, at }, owner.id);
  }

  #append(sessionId: SessionId, body: EventBody, at: number): SessionEvent {
    const sql = `INSERT INTO events (session_id, sequence, at, type, body) VALUES (?1, ${NEXT}, ?2, ?3, ?4) RETURNING sequence`;
    const event = this.#insert(sql, sessionId, { body, at });
    if (!event) throw new Error('an event got no place');
    return event;
  }

  #insert(
    sql: string,
    sessionId: SessionId,
    {
      body,
      json = JSON.stringify(body),
      at,
    }: { readonly body: EventBody; readonly json?: string; readonly at: number },
    ...more: readonly string[]
  ): SessionEvent | undefined {
    const moment = Math.trunc(at);
    const values = [sessionId, moment, body.type, json, ...more];
    const insert = (): SessionEvent | undefined => {
      const row = this.#database.returned(placeRow, sql, ...values);
      return row && { ...body, sequence: row.sequence, sessionId, at: moment };
    };
    if (!this.#index.concerns(body)) return insert();
    return this.#database.transaction(() => {
      const event = insert();
      if (event) this.#index.add(event);
      return event;
    });
  }

  /**
   * Events from `fromSequence` on (that one included) up to `before` (that one not), in order. What a damaged disk left of one is
   * passed over.
   */
  list(sessionId: SessionId, fromSequence = 1, before = Number.MAX_SAFE_INTEGER): SessionEvent[] {
    return this.#database
      .rows(
        eventRow,
        'SELECT sequence, at, body FROM events WHERE session_id = ? AND sequence >= ? AND sequence < ? ORDER BY sequence',
        sessionId,
        fromSequence,
        before,
      )
      .flatMap((row) => readEvent(row, sessionId) ?? []);
  }

  /** Sequence of the last event; 0 when there is none. */
  last(sessionId: SessionId): number {
    const sql = 'SELECT MAX(sequence) AS sequence FROM events WHERE session_id = ?';
    return this.#database.row(sequenceRow, sql, sessionId)?.sequence ?? 0;
  }
}

/** A stored row as an event; undefined when it can't be read. */
export function readEvent(
  { sequence, at, body }: { readonly sequence: number; readonly at: number; readonly body: string },
  sessionId: SessionId,
): SessionEvent | undefined {
  try {
    const value: unknown = JSON.parse(body);
    const readable = typeof value === 'object' && value !== null && 'type' in value;
    return readable ? { ...(value as EventBody), sequence, at, sessionId } : undefined;
  } catch {
    return undefined;
  }
}
