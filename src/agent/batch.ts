import type { GateContext, GateOutcome, PassedCall } from '#gates/context';
import { walk } from '#gates/pipeline';
import type { ToolCall } from '#protocol/tool-call';
import type { ToolResult } from '#protocol/tool-result';
import { effectiveRisk } from '#tools/risk';
import type { ToolTable, ToolView } from '#tools/toolbox';
import { closeCall, gatedEvent, notStarted, perform, startedEvent } from './call';
import type { Ended, Turn } from './turn';

/** What the calls of one reply came to, in their order. */
export interface BatchOutcome {
  readonly outcomes: readonly { readonly call: ToolCall; readonly result: ToolResult }[];
  /** A person said no without a word: the turn ends here. */
  readonly deniedByPerson: boolean;
}

/**
 * Runs what one reply calls: each call through every gate, in order; results in call order, exactly one for each, whatever happens.
 * Several harmless reads overlap once all have passed; anything else runs one after another.
 */
export async function runBatch(
  turn: Turn,
  view: ToolView,
  calls: readonly ToolCall[],
): Promise<BatchOutcome> {
  const gates = turn.gates({ view, batch: calls });
  return mayOverlap(calls, gates.table) ? readTogether(turn, calls, gates) : runInOrder(turn, calls, gates);
}

async function runInOrder(turn: Turn, calls: readonly ToolCall[], gates: GateContext): Promise<BatchOutcome> {
  const outcomes: BatchOutcome['outcomes'][number][] = [];
  let deniedByPerson = false;
  for (const call of calls) {
    const outcome = await walk(call, gates);
    deniedByPerson ||= outcome.kind === 'stopped' && outcome.endsTurn;
    outcomes.push({ call, result: await recordAndFinish(turn, outcome) });
  }
  return { outcomes, deniedByPerson };
}

async function readTogether(
  turn: Turn,
  calls: readonly ToolCall[],
  gates: GateContext,
): Promise<BatchOutcome> {
  const gated: GateOutcome[] = [];
  for (const call of calls) gated.push(await gate(turn, call, gates));
  const passed = gated.filter((outcome) => outcome.kind === 'passed');
  const outcomes: BatchOutcome['outcomes'][number][] = [];
  if (passed.length < calls.length || turn.signal.aborted) {
    for (const outcome of gated) outcomes.push({ call: outcome.call, result: await finish(turn, outcome) });
  } else {
    const running: { readonly outcome: PassedCall; readonly result: ReturnType<typeof perform> }[] = [];
    for (const outcome of passed) {
      await turn.log.recordSoon([startedEvent(turn.id, outcome)]);
      running.push({ outcome, result: perform(turn, outcome) });
    }
    for (const { outcome, result } of running) {
      const done = await result;
      outcomes.push({ call: outcome.call, result: await close(turn, outcome, done) });
    }
  }
  return {
    outcomes,
    deniedByPerson: gated.some((outcome) => outcome.kind === 'stopped' && outcome.endsTurn),
  };
}

async function gate(turn: Turn, call: ToolCall, gates: GateContext): Promise<GateOutcome> {
  const outcome = await walk(call, gates);
  await turn.log.recordSoon([gatedEvent(turn.id, outcome)]);
  return outcome;
}

/** A call that passed begins at once: what the gates said and that it begins are recorded in one moment, or not at all. */
async function recordAndFinish(turn: Turn, outcome: GateOutcome): Promise<ToolResult> {
  const gated = gatedEvent(turn.id, outcome);
  const isRead = outcome.kind === 'passed' && outcome.risk === 'read';
  const beginsAtOnce = outcome.kind === 'passed' && !turn.signal.aborted && (isRead || !turn.log.isHeld);
  if (beginsAtOnce) {
    const begun = [gated, startedEvent(turn.id, outcome)];
    if (isRead) await turn.log.recordSoon(begun);
    else await turn.log.recordTogether(begun);
    return close(turn, outcome, await perform(turn, outcome));
  }
  await turn.log.record(gated);
  return finish(turn, outcome);
}

/** Runs a call that passed; a stopped one, or one that a stop overtook, only gets its result. */
async function finish(turn: Turn, outcome: GateOutcome): Promise<ToolResult> {
  if (outcome.kind === 'stopped') return closeCall(turn, outcome, { result: outcome.result, ms: 0 });
  if (turn.signal.aborted) return closeCall(turn, outcome, notStarted(outcome.call));
  await turn.log.record(startedEvent(turn.id, outcome));
  return close(turn, outcome, await perform(turn, outcome));
}

/** The hooks hear of a call that ran before its result is recorded; they can't change it. */
async function close(turn: Turn, passed: PassedCall, ended: Ended): Promise<ToolResult> {
  const lines = turn.signal.aborted ? [] : await turn.afterCall(passed, ended);
  const trace = [...passed.trace, ...lines];
  return closeCall(turn, { call: passed.call, trace }, ended, { soon: passed.risk === 'read' });
}

/** Whether all calls are reads that may run side by side; duplicates and broken ones show at the gates. */
function mayOverlap(calls: readonly ToolCall[], table: ToolTable): boolean {
  return (
    calls.length >= 2 &&
    calls.every(({ name }) => {
      const tool = table.get(name);
      return tool?.concurrencySafe === true && effectiveRisk(tool).risk === 'read';
    })
  );
}
