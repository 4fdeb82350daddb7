import { z } from 'zod';
import type { ScanEntry } from '#disk/scan-entry';
import type { AbsolutePath, Sha256 } from '#protocol/ids';
import type { Database } from './database';

/** A file's stat when its content was kept: while it is the same, so is the content. */
export interface KeptContent extends Omit<ScanEntry, 'kind'> {
  readonly path: string;
  readonly sha256: Sha256;
}

const keptRow = z
  .object({
    path: z.string(),
    bytes: z.number(),
    mode: z.number(),
    links: z.number(),
    inode: z.number(),
    mtime: z.number(),
    ctime: z.number(),
    sha256: z.string(),
  })
  .transform(
    ({ mtime, ctime, sha256, ...row }): KeptContent => ({
      ...row,
      mtimeMs: mtime,
      ctimeMs: ctime,
      sha256: sha256 as Sha256,
    }),
  );

/** Which blob holds the content of a file as it was before a command: an unchanged file is never read twice. */
export class KeptContentsTable {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  list(folder: AbsolutePath): KeptContent[] {
    return this.#database.rows(keptRow, 'SELECT * FROM kept_contents WHERE folder = ?', folder);
  }

  put(folder: AbsolutePath, kept: KeptContent, now: number): void {
    const sql = `INSERT OR REPLACE INTO kept_contents
      (folder, path, bytes, mode, links, inode, mtime, ctime, sha256, seen_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
    const { path, bytes, mode, links, inode, mtimeMs, ctimeMs, sha256 } = kept;
    const stat = [bytes, mode, links, inode, mtimeMs, ctimeMs];
    this.#database.run(sql, folder, path, ...stat, sha256, Math.trunc(now));
  }

  /** The blob may go once nothing else names it. */
  drop(folder: AbsolutePath, path: string): void {
    this.#database.run('DELETE FROM kept_contents WHERE folder = ? AND path = ?', folder, path);
  }
}
