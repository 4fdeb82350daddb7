import type { Result } from '#base/result';
import type { FileProblem } from '#host';
import { ToolFailure } from './tool';

/** Well-formed but not acceptable; `sentence` says which rule was broken and what to do instead. */
export function rejected(tool: string, sentence: string): ToolFailure {
  return new ToolFailure(`${tool}: ${sentence}`, { code: 'rejected_arguments', retryable: true });
}

/** What a file gave, or a failure with the words of its problem. */
export function orFail<T>(tool: string, result: Result<T, FileProblem>): T {
  if (!result.ok) throw new ToolFailure(`${tool}: ${result.error.message}`);
  return result.value;
}

/**
 * Makes a tool's `validate` of what its `execute` begins with, so that both judge alike: a person never approves what
 * will not run. The plan throws a `ToolFailure` for what can't be done; anything else is a bug and goes on.
 */
export async function refusalOf(plan: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await plan();
    return undefined;
  } catch (error) {
    if (error instanceof ToolFailure) return error.message;
    throw error;
  }
}
