import { z } from 'zod';
import type { AnsweredBy, ApprovalAnswer, ApprovalRequest } from '#protocol/approval';
import type { ApprovalId, SessionId } from '#protocol/ids';
import { json, optionalJson, optionalText } from './columns';
import type { Database } from './database';

/** A question and what became of it. */
export interface StoredApproval {
  readonly request: ApprovalRequest;
  readonly askedAt: number;
  readonly answer: ApprovalAnswer | undefined;
  readonly by: AnsweredBy | undefined;
}

const approvalRow = z
  .object({
    request: json<ApprovalRequest>(),
    asked_at: z.number(),
    answer: optionalJson<ApprovalAnswer>(),
    answered_by: optionalText,
  })
  .transform(
    (row): StoredApproval => ({
      request: row.request,
      askedAt: row.asked_at,
      answer: row.answer,
      by: row.answered_by as AnsweredBy | undefined,
    }),
  );

const SELECT = 'SELECT request, asked_at, answer, answered_by FROM approvals';

/** What people were asked and what they said. */
export class ApprovalsTable {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  asked(request: ApprovalRequest, at: number): void {
    const sql = 'INSERT INTO approvals (id, session_id, request, asked_at) VALUES (?, ?, ?, ?)';
    this.#database.run(sql, request.id, request.sessionId, JSON.stringify(request), Math.trunc(at));
  }

  /** Records the first answer; false when there is one already (or no such request), which then stands. */
  answered(id: ApprovalId, answer: ApprovalAnswer, by: AnsweredBy, at: number): boolean {
    const sql =
      'UPDATE approvals SET answer = ?, answered_by = ?, answered_at = ? WHERE id = ? AND answer IS NULL AND dropped_by IS NULL';
    return this.#database.run(sql, JSON.stringify(answer), by, Math.trunc(at), id).changes > 0;
  }

  list(sessionId: SessionId): StoredApproval[] {
    return this.#database.rows(
      approvalRow,
      `${SELECT} WHERE session_id = ? ORDER BY asked_at, rowid`,
      sessionId,
    );
  }

  /** Asked, not answered, not taken back. */
  pending(sessionId: SessionId): StoredApproval[] {
    const sql = `${SELECT} WHERE session_id = ? AND answer IS NULL AND dropped_by IS NULL ORDER BY asked_at, rowid`;
    return this.#database.rows(approvalRow, sql, sessionId);
  }

  /** Nobody will answer these any more: the turn they belong to was taken back or died. */
  dropPending(sessionId: SessionId, reason: string): void {
    const sql =
      'UPDATE approvals SET dropped_by = ? WHERE session_id = ? AND answer IS NULL AND dropped_by IS NULL';
    this.#database.run(sql, reason, sessionId);
  }
}
