import { z } from 'zod';
import type { SessionId } from '#protocol/ids';
import type { Message } from '#protocol/message';
import type { Database } from './database';

const messageRow = z.object({ body: z.string() });
const countRow = z.object({ count: z.number() });

/** What the model saw: the only source for requests. A rewind covers rows, its reverse uncovers them. */
export class MessagesTable {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** `sequence` is that of the event it came with, so that a rewind to an event knows which messages came later. */
  append(sessionId: SessionId, message: Message, sequence: number): void {
    const sql = 'INSERT INTO messages (session_id, sequence, body) VALUES (?, ?, ?)';
    this.#database.run(sql, sessionId, sequence, JSON.stringify(message));
  }

  /** The messages that count, in order. */
  list(sessionId: SessionId): Message[] {
    const sql = 'SELECT body FROM messages WHERE session_id = ? AND rewound_by IS NULL ORDER BY position';
    return this.#database.rows(messageRow, sql, sessionId).flatMap(({ body }) => readable(body) ?? []);
  }

  count(sessionId: SessionId): number {
    const sql = 'SELECT COUNT(*) AS count FROM messages WHERE session_id = ? AND rewound_by IS NULL';
    return this.#database.row(countRow, sql, sessionId)?.count ?? 0;
  }

  /** Whether anything that counts was said after that event; words to the model about an undo aren't. */
  hasAfter(sessionId: SessionId, sequence: number): boolean {
    const sql = `SELECT COUNT(*) AS count FROM messages WHERE session_id = ? AND rewound_by IS NULL AND sequence > ?
      AND CASE WHEN json_valid(body) THEN json_extract(body, '$.kind') <> 'note' ELSE TRUE END`;
    return (this.#database.row(countRow, sql, sessionId, sequence)?.count ?? 0) > 0;
  }

  /** Covers what came after that event. */
  rewind(sessionId: SessionId, toSequence: number, operation: string): void {
    const sql =
      'UPDATE messages SET rewound_by = ? WHERE session_id = ? AND rewound_by IS NULL AND sequence > ?';
    this.#database.run(sql, operation, sessionId, toSequence);
  }

  unwind(sessionId: SessionId, operation: string): void {
    this.#database.run(
      'UPDATE messages SET rewound_by = NULL WHERE session_id = ? AND rewound_by = ?',
      sessionId,
      operation,
    );
  }
}

const bodySchema = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.literal('user'), text: z.string(), attached: z.string() }),
  z.looseObject({ kind: z.literal('note'), text: z.string() }),
  z.looseObject({ kind: z.literal('assistant'), parts: z.array(z.looseObject({ kind: z.string() })) }),
  z.looseObject({
    kind: z.literal('result'),
    callId: z.string(),
    result: z.looseObject({ status: z.string(), content: z.string() }),
  }),
  z.looseObject({
    kind: z.literal('compaction'),
    leftOut: z.array(z.looseObject({ callId: z.string(), artifact: z.string().optional() })),
    summary: z.looseObject({ text: z.string(), from: z.string() }).optional(),
  }),
]);

/** A row that a damaged disk or another version left is passed over: one lost message costs less than a session that never opens. */
function readable(body: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return bodySchema.safeParse(value).success ? (value as Message) : undefined;
  } catch {
    return undefined;
  }
}
