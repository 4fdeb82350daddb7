import { z } from 'zod';
import type { EventOf, SessionEvent } from '#protocol/event';
import type { SessionId, TurnId } from '#protocol/ids';
import type { Usage } from '#protocol/message';
import { CACHED_TOKENS, INPUT_TOKENS, OUTLINE, OUTPUT_TOKENS, TURN, TURN_ID } from '#store/schema/history';
import type { Database } from './database';
import { readEvent } from './events';

/** An event of the outline without its body. */
export interface OutlineRow {
  readonly sequence: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly type: SessionEvent['type'];
  /** With `turn.started`. */
  readonly turn: number | undefined;
  readonly turnId: TurnId | undefined;
}

const rowSchema = z.object({
  sequence: z.number(),
  at: z.number(),
  type: z.string(),
  turn: z.number().nullable().catch(null),
  turn_id: z.string().nullable().catch(null),
});
const eventRow = z.object({ sequence: z.number(), at: z.number(), body: z.string() });
const tokens = z
  .number()
  .nullable()
  .catch(null)
  .transform((sum) => sum ?? undefined);
const usageRow = z.object({ inputTokens: tokens, outputTokens: tokens, cachedInputTokens: tokens });

/** The types that a query of `bodies` may ask for: those of the outline. */
export type OutlineType = Extract<
  SessionEvent['type'],
  | `session.${string}`
  | `${'mode' | 'model' | 'todos'}.changed`
  | `checkpoint.${'undone' | 'redone' | 'changed' | 'pruned'}`
  | 'conversation.compacted'
  | `message.${string}`
  | 'files.kept'
  | `turn.${string}`
>;

/** Of each session the few events that a page of it needs beside its own; read from an index alone. */
export class OutlineTable {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** In order, without what they say. */
  rows(sessionId: SessionId): OutlineRow[] {
    const sql = `SELECT sequence, at, type, ${TURN} AS turn, ${TURN_ID} AS turn_id FROM events
      WHERE session_id = ? AND ${OUTLINE} ORDER BY sequence`;
    return this.#database.rows(rowSchema, sql, sessionId).map(({ sequence, at, type, turn, turn_id }) => ({
      sequence,
      at,
      type: type as SessionEvent['type'],
      turn: turn ?? undefined,
      turnId: (turn_id as TurnId | null) ?? undefined,
    }));
  }

  /** Whole events of some types, in order. */
  bodies<T extends OutlineType>(
    sessionId: SessionId,
    types: readonly T[],
  ): Extract<SessionEvent, { readonly type: T }>[] {
    // Both conditions: by the first the index is found.
    const sql = `SELECT sequence, at, body FROM events WHERE session_id = ?1 AND ${OUTLINE}
      AND type IN (SELECT value FROM json_each(?2)) ORDER BY sequence`;
    return this.#database
      .rows(eventRow, sql, sessionId, JSON.stringify(types))
      .flatMap((row) => (readEvent(row, sessionId) as Extract<SessionEvent, { type: T }> | undefined) ?? []);
  }

  /** Tokens of the whole session, as far as providers said. */
  usage(sessionId: SessionId): Usage {
    const sql = `SELECT SUM(${INPUT_TOKENS}) AS inputTokens, SUM(${OUTPUT_TOKENS}) AS outputTokens,
      SUM(${CACHED_TOKENS}) AS cachedInputTokens FROM events WHERE session_id = ? AND type = 'model.completed'`;
    const sums = this.#database.row(usageRow, sql, sessionId) ?? {};
    return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== undefined));
  }

  /** The last requests to the model, the newest first. */
  lastCompleted(sessionId: SessionId, most: number): EventOf<'model.completed'>[] {
    const sql = `SELECT sequence, at, body FROM events WHERE session_id = ? AND type = 'model.completed'
      ORDER BY sequence DESC LIMIT ?`;
    return this.#database
      .rows(eventRow, sql, sessionId, most)
      .flatMap((row) => (readEvent(row, sessionId) as EventOf<'model.completed'> | undefined) ?? []);
  }
}
