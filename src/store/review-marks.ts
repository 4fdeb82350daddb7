import { z } from 'zod';
import type { SessionId, Sha256 } from '#protocol/ids';
import type { Database } from './database';

/** How far a file's changes were kept. */
export interface ReviewMark {
  readonly path: string;
  /** Up to this turn. */
  readonly turn: number;
  /** With it, only some lines were: the rest is what differs from this content. Its blob must stay as long as the mark. */
  readonly content?: { readonly sha256: Sha256; readonly bytes: number };
}

const markRow = z
  .object({
    path: z.string(),
    turn: z.number(),
    sha256: z.string().nullable(),
    bytes: z.number().nullable(),
  })
  .transform(
    ({ path, turn, sha256, bytes }): ReviewMark => ({
      path,
      turn,
      ...(sha256 === null ? {} : { content: { sha256: sha256 as Sha256, bytes: bytes ?? 0 } }),
    }),
  );

/** What was kept, by file. */
export class ReviewMarksTable {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** In place of what was marked at that path before. */
  put(sessionId: SessionId, { path, turn, content }: ReviewMark): void {
    this.#database.run(
      `INSERT INTO review_marks (session_id, path, turn, sha256, bytes) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (session_id, path) DO UPDATE SET
         turn = excluded.turn, sha256 = excluded.sha256, bytes = excluded.bytes`,
      sessionId,
      path,
      turn,
      content?.sha256 ?? null,
      content?.bytes ?? null,
    );
  }

  of(sessionId: SessionId): ReadonlyMap<string, ReviewMark> {
    const sql = 'SELECT path, turn, sha256, bytes FROM review_marks WHERE session_id = ?';
    return new Map(this.#database.rows(markRow, sql, sessionId).map((mark) => [mark.path, mark]));
  }
}
