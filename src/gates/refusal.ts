import { revealInvisible, truncate } from '#base/text';
import type { ResultCode, ResultStatus, ToolResult } from '#protocol/tool-result';

/** The ways in which a gate ends a call. */
export type RefusalCode = Exclude<ResultCode, 'timed_out' | 'tool_failed' | 'interrupted'>;

/** Which status a code has, and whether trying again is safe. */
const SITUATIONS: Readonly<Record<RefusalCode, { status: ResultStatus; retryable: boolean }>> = {
  unknown_tool: { status: 'error', retryable: false },
  inactive_tool: { status: 'error', retryable: true },
  duplicate_call: { status: 'error', retryable: false },
  invalid_json: { status: 'error', retryable: true },
  invalid_arguments: { status: 'error', retryable: true },
  rejected_arguments: { status: 'error', retryable: true },
  hook_denied: { status: 'denied', retryable: false },
  permission_denied: { status: 'denied', retryable: false },
  forbidden: { status: 'denied', retryable: false },
  cancelled: { status: 'cancelled', retryable: false },
};

/** The result of a call that didn't run. `content` begins with the tool, then the rule that was broken, then what to do. */
export function refusal(code: RefusalCode, content: string): ToolResult {
  const { status, retryable } = SITUATIONS[code];
  return { version: 1, status, code, retryable, content };
}

/** The person stopped the turn before this call began. */
export function didNotRun(tool: string): ToolResult {
  return refusal('cancelled', `${tool}: cancelled by the user before it started; it did not run.`);
}

/** A bug inside a gate must never let a call pass. */
export function gateFailed(tool: string, stage: string, message: string): ToolResult {
  const reason = truncate(message, 500);
  return refusal(
    'permission_denied',
    `${tool}: refused, because Belay's own check "${stage}" failed (${reason}). It did not run. Tell the user.`,
  );
}

/** A tool's name as the model wrote it, fit to be shown: it may be anything. */
export function shownName(name: string): string {
  return name === '' ? '(no name)' : truncate(revealInvisible(name), 64);
}
