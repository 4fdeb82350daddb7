import { z } from 'zod';
import type { ArtifactId, SessionId } from '#protocol/ids';
import type { Database } from './database';

export interface ArtifactPage {
  readonly text: string;
  /** Bytes of the whole artifact. */
  readonly bytes: number;
  /** Where the next page begins; undefined at the end. */
  readonly next: number | undefined;
}

/** Bytes of a stored row: SQLite reads a blob from its beginning, so a page deep inside a single one would be slow. */
const PAGE = 64 * 1024;

const artifactRow = z.object({ bytes: z.number() });
const pageRow = z.object({ bytes: z.instanceof(Uint8Array) });
const anyRow = z.object({ any: z.number() });

/** Large outputs kept outside the conversation. */
export class ArtifactsTable {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  put(
    sessionId: SessionId,
    id: ArtifactId,
    content: string | Uint8Array,
    at: number,
  ): { readonly id: ArtifactId; readonly bytes: number } {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    this.#database.transaction(() => {
      const head = 'INSERT INTO artifacts (id, session_id, bytes, at) VALUES (?, ?, ?, ?)';
      this.#database.run(head, id, sessionId, bytes.byteLength, Math.trunc(at));
      for (let page = 0; page * PAGE < bytes.byteLength; page++) {
        const part = bytes.subarray(page * PAGE, (page + 1) * PAGE);
        this.#database.run(
          'INSERT INTO artifact_pages (artifact_id, page, bytes) VALUES (?, ?, ?)',
          id,
          page,
          part,
        );
      }
    });
    return { id, bytes: bytes.byteLength };
  }

  /**
   * Text from byte `offset` on, at most `maxBytes` of it, cut between characters; undefined when this session has no
   * such artifact.
   */
  read(sessionId: SessionId, id: ArtifactId, offset: number, maxBytes: number): ArtifactPage | undefined {
    const head = this.#database.row(
      artifactRow,
      'SELECT bytes FROM artifacts WHERE id = ? AND session_id = ?',
      id,
      sessionId,
    );
    if (!head) return undefined;
    const start = Math.min(Math.max(0, Math.trunc(offset)), head.bytes);
    const end = Math.min(head.bytes, start + Math.max(4, Math.trunc(maxBytes)));
    // Four more bytes show whether the cut falls inside a character.
    const bytes = this.#bytes(id, start, Math.min(head.bytes, end + 4));
    const cut = start + characterEdge(bytes, end - start);
    return {
      text: new TextDecoder().decode(bytes.subarray(0, cut - start)),
      bytes: head.bytes,
      next: cut < head.bytes ? cut : undefined,
    };
  }

  /** The whole of it. */
  content(sessionId: SessionId, id: ArtifactId): Uint8Array | undefined {
    const head = this.#database.row(
      artifactRow,
      'SELECT bytes FROM artifacts WHERE id = ? AND session_id = ?',
      id,
      sessionId,
    );
    return head && this.#bytes(id, 0, head.bytes);
  }

  any(sessionId: SessionId): boolean {
    const row = this.#database.row(
      anyRow,
      'SELECT EXISTS (SELECT 1 FROM artifacts WHERE session_id = ?) AS any',
      sessionId,
    );
    return row?.any === 1;
  }

  #bytes(id: ArtifactId, start: number, end: number): Uint8Array {
    const first = Math.floor(start / PAGE);
    const sql =
      'SELECT bytes FROM artifact_pages WHERE artifact_id = ? AND page >= ? AND page * ? < ? ORDER BY page';
    const pages = this.#database.rows(pageRow, sql, id, first, PAGE, end).map(({ bytes }) => bytes);
    return Buffer.concat(pages).subarray(start - first * PAGE, end - first * PAGE);
  }
}

/** The last index at or before `limit` where a UTF-8 character begins (or the end). Bytes that aren't UTF-8 are cut as they come. */
function characterEdge(bytes: Uint8Array, limit: number): number {
  if (limit >= bytes.byteLength) return bytes.byteLength;
  for (let edge = limit; edge > Math.max(0, limit - 4); edge--) {
    if (((bytes[edge] ?? 0) & 0xc0) !== 0x80) return edge;
  }
  return limit;
}
