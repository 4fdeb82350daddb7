import { headAndTail } from '#base/text';
import type { RunOutcome } from '#commands/command-runner';
import { OUTPUT_LIMIT } from '#commands/output';
import type { Redactor } from './redactor';

/**
 * What a command printed, without secrets. Where only head and tail of it are shown, they are cut from what is left:
 * half a secret at the cut has no shape to be known by.
 */
export function redactedOutcome(outcome: RunOutcome, { value }: Pick<Redactor, 'value'>): RunOutcome {
  const killed = value(outcome.killed);
  if (outcome.whole === undefined) return { ...outcome, killed, output: value(outcome.output) };
  const whole = value(outcome.whole);
  if (whole === outcome.whole) return { ...outcome, killed };
  const gone = outcome.whole.length - whole.length;
  return { ...outcome, killed, whole, ...cut(whole, Math.max(0, outcome.omitted - gone)) };
}

/** As the collector cuts; in a flood more is gone than `whole` has. */
function cut(whole: string, omitted: number): Pick<RunOutcome, 'output' | 'omitted'> {
  const { text, omitted: left } = headAndTail(whole, OUTPUT_LIMIT);
  return { output: text, omitted: Math.max(left, omitted) };
}
