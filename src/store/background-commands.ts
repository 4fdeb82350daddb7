import { z } from 'zod';
import type { ArtifactId, CallId, SessionId, TurnId } from '#protocol/ids';
import { id, json, optionalJson } from './columns';
import type { Database } from './database';

/** A background command as it is remembered. Texts are without secrets. */
export interface StoredBackgroundCommand {
  /** "c1": counts up in its session. */
  readonly id: string;
  readonly turnId: TurnId;
  readonly callId: CallId;
  readonly command: string;
  readonly description: string;
  readonly cwd: string;
  readonly pty: boolean;
  readonly startedAt: number;
}

/** How one ended. */
export interface BackgroundEnding {
  readonly endedAt: number;
  /** In words: "exit code 1". */
  readonly ending: string;
  readonly lastLines: string;
  /** All that was kept of its output, where that is long. */
  readonly artifactId?: ArtifactId;
}

const endedRow = z
  .object({
    id: z.string(),
    command: json<string>(),
    ending: json<string>(),
    last_lines: optionalJson<string>(),
    artifact_id: id<ArtifactId>().nullable(),
  })
  .transform(({ last_lines, artifact_id, ...row }) => ({
    ...row,
    lastLines: last_lines ?? '',
    artifactId: artifact_id ?? undefined,
  }));

const countRow = z.object({ count: z.number() });
const idRow = z.object({ id: z.string() });

/** Background commands of every session: which ran, and how they ended. */
export class BackgroundCommandsTable {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** So many there have been. */
  count(sessionId: SessionId): number {
    const sql = 'SELECT COUNT(*) AS count FROM background_commands WHERE session_id = ?';
    return this.#database.row(countRow, sql, sessionId)?.count ?? 0;
  }

  started(sessionId: SessionId, command: StoredBackgroundCommand): void {
    const sql = `INSERT INTO background_commands
      (session_id, id, turn_id, call_id, command, description, cwd, pty, started_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`;
    const { turnId, callId, startedAt, pty } = command;
    const texts = [command.command, command.description, command.cwd].map((text) => JSON.stringify(text));
    this.#database.run(
      sql,
      sessionId,
      command.id,
      turnId,
      callId,
      ...texts,
      pty ? 1 : 0,
      Math.trunc(startedAt),
    );
  }

  ended(
    sessionId: SessionId,
    commandId: string,
    { endedAt, ending, lastLines, artifactId }: BackgroundEnding,
  ): void {
    const sql = `UPDATE background_commands SET ended_at = ?, ending = ?, last_lines = ?, artifact_id = ?
      WHERE session_id = ? AND id = ? AND ended_at IS NULL`;
    this.#database.run(
      sql,
      Math.trunc(endedAt),
      JSON.stringify(ending),
      JSON.stringify(lastLines),
      artifactId ?? null,
      sessionId,
      commandId,
    );
  }

  /** Those that are said to run, though whoever ran them is gone. */
  unfinished(sessionId: SessionId): readonly string[] {
    const sql =
      'SELECT id FROM background_commands WHERE session_id = ? AND ended_at IS NULL ORDER BY started_at';
    return this.#database.rows(idRow, sql, sessionId).map((row) => row.id);
  }

  /** Those whose end the model hasn't heard of. */
  untold(sessionId: SessionId): readonly z.output<typeof endedRow>[] {
    const sql = `SELECT id, command, ending, last_lines, artifact_id FROM background_commands
      WHERE session_id = ? AND ended_at IS NOT NULL AND told = 0 ORDER BY ended_at`;
    return this.#database.rows(endedRow, sql, sessionId);
  }

  told(sessionId: SessionId, commandId: string): void {
    const sql = 'UPDATE background_commands SET told = 1 WHERE session_id = ? AND id = ?';
    this.#database.run(sql, sessionId, commandId);
  }
}
