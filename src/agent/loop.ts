import { count } from '#base/text';
import { runBatch } from './batch';
import { Repeats } from './repeats';
import { takeStep } from './step';
import type { Turn, TurnEnd } from './turn';
import { cutProblem, limitProblem, loopProblem } from './turn-problem';

/**
 * The loop: ask the model, run what it calls, hand the results back, again, until it stops calling tools, the person stops
 * it, or a limit is met. Messages that were queued meanwhile go along with the next request.
 */
export async function runLoop(turn: Turn): Promise<TurnEnd> {
  const repeats = new Repeats();
  for (let step = 1; step <= turn.maxSteps; step++) {
    if (turn.signal.aborted) return { status: 'cancelled' };
    await turn.deliverQueued();
    const view = turn.view();
    const reply = await takeStep(turn, step, view);
    if (reply.kind === 'failed') return { status: 'failed', problem: reply.problem };
    // Stopped in mid-reply too: calls that came get their results, all `cancelled`.
    const batch = await runBatch(turn, view, reply.calls);
    if (turn.signal.aborted) return { status: 'cancelled' };
    if (batch.deniedByPerson) return { status: 'denied' };
    if (reply.calls.length === 0) {
      if (turn.hasQueued()) continue;
      return reply.cut ? { status: 'limit', problem: cutProblem() } : { status: 'done' };
    }
    const verdict = repeats.note(batch.outcomes);
    if (verdict.kind === 'stop') return { status: 'limit', problem: loopProblem(verdict) };
    if (verdict.kind === 'tell') await turn.note(loopNote(verdict));
  }
  return { status: 'limit', problem: limitProblem(turn.maxSteps) };
}

function loopNote({ name, times }: { readonly name: string; readonly times: number }): string {
  return `You called ${name} with the same arguments ${count(times, 'time')} in a row and got the same result each time. Do something else: read the result again, try another way, or tell the person what stops you.`;
}
