import { z } from 'zod';
import type { AbsolutePath, Sha256 } from '#protocol/ids';
import type { Database } from './database';

/** What a person said of one content of a project's settings files; `asked`: they were asked and said nothing yet. */
const VERDICTS = ['asked', 'accepted', 'rejected'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** One content of one set of files in one folder. */
export interface AcceptanceKey {
  readonly folder: AbsolutePath;
  /** Which files: "belay", "claude". */
  readonly set: string;
  readonly sha256: Sha256;
}

const verdictRow = z.object({ verdict: z.enum(VERDICTS) });
const contentRow = z.object({ content: z.string() });

/** Which exact contents of a project's settings a person has accepted or rejected. Nothing is ever forgotten by a change. */
export class AcceptancesTable {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  verdict({ folder, set, sha256 }: AcceptanceKey): Verdict | undefined {
    const sql = 'SELECT verdict FROM acceptances WHERE folder = ? AND file_set = ? AND sha256 = ?';
    return this.#database.row(verdictRow, sql, folder, set, sha256)?.verdict;
  }

  /** The latest word counts; having asked never takes an answer back. */
  record(key: AcceptanceKey, verdict: Verdict, { content, at }: { content: string; at: number }): void {
    const sql = `INSERT INTO acceptances (folder, file_set, sha256, verdict, content, at) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (folder, file_set, sha256) DO UPDATE SET verdict = excluded.verdict, at = excluded.at
      WHERE excluded.verdict <> 'asked'`;
    this.#database.run(sql, key.folder, key.set, key.sha256, verdict, content, Math.trunc(at));
  }

  /** The content that was accepted last: what a change is shown against. */
  lastAccepted(folder: AbsolutePath, set: string): string | undefined {
    const sql = `SELECT content FROM acceptances WHERE folder = ? AND file_set = ? AND verdict = 'accepted'
      ORDER BY at DESC, rowid DESC LIMIT 1`;
    return this.#database.row(contentRow, sql, folder, set)?.content;
  }
}
