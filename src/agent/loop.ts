import { count } from '#base/text';
import { runBatch } from './batch';
import { BrokenCalls } from './broken-calls';
import { atStop } from './hook-moments';
import { Repeats } from './repeats';
import { takeStep } from './step';
import type { Turn, TurnEnd } from './turn';
import { brokenCallProblem, cutProblem, limitProblem, loopProblem } from './turn-problem';

/**
 * The loop: ask the model, run what it calls, hand the results back, again, until it stops calling tools, the person stops
 * it, or a limit is met. Messages that were queued meanwhile go along with the next request.
 */
export async function runLoop(turn: Turn): Promise<TurnEnd> {
  const repeats = new Repeats();
  const broken = new BrokenCalls();
  let heldBack = false;
  for (let step = 1; step <= turn.maxSteps; step++) {
    if (turn.signal.aborted) return { status: 'cancelled' };
    await turn.deliverQueued();
    await tellNotes(turn);
    if (turn.hooks.ending) return { status: 'denied', problem: turn.hooks.ending };
    const view = turn.view();
    const reply = await takeStep(turn, step, view);
    if (reply.kind === 'failed') return { status: 'failed', problem: reply.problem };
    // Stopped in mid-reply too: calls that came get their results, all `cancelled`.
    const batch = await runBatch(turn, view, reply.calls);
    if (turn.signal.aborted) return { status: 'cancelled' };
    await tellNotes(turn);
    if (turn.hooks.ending) return { status: 'denied', problem: turn.hooks.ending };
    if (batch.deniedByPerson) return { status: 'denied' };
    if (reply.calls.length === 0) {
      if (turn.hasQueued()) continue;
      if (reply.cut) return { status: 'limit', problem: cutProblem() };
      const reason = await atStop(turn.hooks, heldBack);
      if (turn.signal.aborted) return { status: 'cancelled' };
      await tellNotes(turn);
      // Once: a hook that is never content would keep the turn for ever.
      if (reason === undefined || heldBack) return { status: 'done' };
      heldBack = true;
      await turn.note(holdNote(reason));
      continue;
    }
    if (broken.note(batch.outcomes.map(({ result }) => result)))
      return { status: 'limit', problem: brokenCallProblem(reply.cut) };
    const waits = new Set(view.tools.filter((tool) => tool.waits).map(({ name }) => name));
    const verdict = repeats.note(batch.outcomes.filter(({ call }) => !waits.has(call.name)));
    if (verdict.kind === 'stop') return { status: 'limit', problem: loopProblem(verdict) };
    if (verdict.kind === 'tell') await turn.note(loopNote(verdict));
  }
  return { status: 'limit', problem: limitProblem(turn.maxSteps) };
}

/** What hooks had for the model goes along with the next request. */
async function tellNotes(turn: Turn): Promise<void> {
  const notes = turn.hooks.takeNotes();
  if (notes !== undefined) await turn.note(notes);
}

function holdNote(reason: string): string {
  return `A hook of the user's doesn't let you stop yet. Do what it says, or tell the user why you can't.\n${reason}`;
}

function loopNote({ name, times }: { readonly name: string; readonly times: number }): string {
  return `You called ${name} with the same arguments ${count(times, 'time')} in a row and got the same result each time. Do something else: read the result again, try another way, or tell the person what stops you.`;
}
