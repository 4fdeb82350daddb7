import type { ApprovalRequest } from '#protocol/approval';
import type { ApprovalId, CallId, SessionId } from '#protocol/ids';

/** A question about one plain command, for tests that need some question. */
export function approvalRequest(
  given: { id?: string; inputSha256?: string; summary?: string; sandboxed?: boolean } = {},
): ApprovalRequest {
  const command = given.summary ?? 'npm test';
  return {
    id: (given.id ?? 'a1') as ApprovalId,
    sessionId: 's1' as SessionId,
    callId: 'c1' as CallId,
    inputSha256: given.inputSha256 ?? 'h1',
    tool: 'run_command',
    summary: command,
    subject: command,
    risk: 'execute',
    touches: [{ kind: 'execute', command, cwd: '.', network: false, description: 'Runs the tests' }],
    concerns: [],
    ruleChoices: [],
    sandbox:
      given.sandboxed === false
        ? { active: false, words: 'bubblewrap is missing' }
        : { active: true, words: 'sandboxed' },
    network: false,
  };
}
