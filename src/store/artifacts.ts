import { z } from 'zod';
import type { ArtifactId, SessionId } from '#protocol/ids';
import { id } from './columns';
import type { Database } from './database';

export interface ArtifactPage {
  readonly text: string;
  /** Byte at which the text begins: an offset inside a character is moved to the character's beginning. */
  readonly start: number;
  /** Bytes of the whole artifact. */
  readonly bytes: number;
  /** Where the next page begins; undefined at the end. */
  readonly next: number | undefined;
}

/** Bytes of a stored row: SQLite reads a blob from its beginning, so a page deep inside a single one would be slow. */
const PAGE = 64 * 1024;

const artifactRow = z.object({ bytes: z.number() });
const pageRow = z.object({ bytes: z.instanceof(Uint8Array) });
const sumRow = z.object({ bytes: z.number().nullable() });
const ownRow = z.object({ session_id: id<SessionId>(), bytes: z.number().nullable() });
const anyRow = z.object({ any: z.number() });

/** A session's own, and those that a fork shares with the session it came from. */
const VISIBLE =
  'FROM artifacts WHERE id = ?1 AND (session_id = ?2 OR id IN (SELECT artifact_id FROM artifact_shares WHERE session_id = ?2))';

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
   * Text from byte `offset` on, some `maxBytes` of it (a character is never cut); undefined when this session has no such
   * artifact.
   */
  read(sessionId: SessionId, id: ArtifactId, offset: number, maxBytes: number): ArtifactPage | undefined {
    const head = this.#database.row(artifactRow, `SELECT bytes ${VISIBLE}`, id, sessionId);
    if (!head) return undefined;
    const wanted = Math.min(Math.max(0, Math.trunc(offset)), head.bytes);
    const end = Math.min(head.bytes, wanted + Math.max(4, Math.trunc(maxBytes)));
    // Four bytes on either side show whether a cut falls inside a character.
    const from = Math.max(0, wanted - 4);
    const bytes = this.#bytes(id, from, Math.min(head.bytes, end + 4));
    const start = from + characterEdge(bytes, wanted - from);
    const cut = from + characterEdge(bytes, end - from);
    return {
      // A byte order mark inside is a character like any other.
      text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(start - from, cut - from)),
      start,
      bytes: head.bytes,
      next: cut < head.bytes ? cut : undefined,
    };
  }

  /** The whole of it. */
  content(sessionId: SessionId, id: ArtifactId): Uint8Array | undefined {
    const head = this.#database.row(artifactRow, `SELECT bytes ${VISIBLE}`, id, sessionId);
    return head && this.#bytes(id, 0, head.bytes);
  }

  /** Lets another session read it too; one that is gone is passed over. */
  share(id: ArtifactId, from: SessionId, to: SessionId): void {
    const sql = `INSERT OR IGNORE INTO artifact_shares (artifact_id, session_id) SELECT id, ?3 ${VISIBLE}`;
    this.#database.run(sql, id, from, to);
  }

  /** Of all of them. */
  bytes(): number {
    return this.#database.row(sumRow, 'SELECT SUM(bytes) AS bytes FROM artifacts')?.bytes ?? 0;
  }

  /** Of those that no fork shares, session by session: what deleting it would free. */
  ownBytes(): ReadonlyMap<SessionId, number> {
    const sql = `SELECT session_id, SUM(bytes) AS bytes FROM artifacts a
      WHERE NOT EXISTS (SELECT 1 FROM artifact_shares s WHERE s.artifact_id = a.id AND s.session_id <> a.session_id)
      GROUP BY session_id`;
    const rows = this.#database.rows(ownRow, sql);
    return new Map(rows.map(({ session_id, bytes }) => [session_id, bytes ?? 0]));
  }

  any(sessionId: SessionId): boolean {
    const row = this.#database.row(
      anyRow,
      `SELECT EXISTS (SELECT 1 FROM artifacts WHERE session_id = ?1)
         OR EXISTS (SELECT 1 FROM artifact_shares WHERE session_id = ?1) AS any`,
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

/** Where the UTF-8 character begins that a cut would go through; the cut itself between characters and in what is no UTF-8. */
function characterEdge(bytes: Uint8Array, limit: number): number {
  if (limit >= bytes.byteLength) return bytes.byteLength;
  for (let edge = limit; edge >= Math.max(0, limit - 3); edge--) {
    const byte = bytes[edge] ?? 0;
    if ((byte & 0xc0) !== 0x80) return edge + sizeOf(byte) > limit ? edge : limit;
  }
  return limit;
}

/** Bytes of the character that begins with this one. */
function sizeOf(lead: number): number {
  if (lead < 0xc0 || lead >= 0xf8) return 1;
  return lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
}
