import type { Surroundings } from '#agent/compaction/context-size';
import type { ModelEvent } from '#models/model';
import { streamWithRetry } from '#models/retry';
import type { EventBody, TurnProblem } from '#protocol/event';
import type { RequestId } from '#protocol/ids';
import type { ToolCall } from '#protocol/tool-call';
import { effectiveRisk } from '#tools/risk';
import type { ToolView } from '#tools/toolbox';
import { requestedEvent } from './call';
import { Reply } from './reply';
import type { Turn } from './turn';
import { emptyProblem, modelProblem } from './turn-problem';

/** What one request to the model came to. */
export type StepOutcome =
  /** `cut`: the output limit ended the reply. */
  | { readonly kind: 'replied'; readonly calls: readonly ToolCall[]; readonly cut: boolean }
  | { readonly kind: 'failed'; readonly problem: TurnProblem };

/**
 * One step of the model: makes room if the window is nearly full, asks, records the reply and the calls that it asks for. A request
 * refused as too long is made shorter and sent once more. Stopping it in the middle keeps what came.
 */
export async function takeStep(turn: Turn, step: number, view: ToolView): Promise<StepOutcome> {
  const around = { system: turn.system(view), tools: view.schemas };
  await turn.compaction.beforeRequest(around);
  if (turn.signal.aborted) return STOPPED;
  let reply = await request(turn, step, { view, around });
  if (reply.problem?.kind === 'overflow' && reply.parts.length === 0 && !turn.signal.aborted) {
    if (await turn.compaction.afterOverflow(reply.problem, around))
      reply = await request(turn, step, { view, around });
  }
  if (turn.signal.aborted) return { kind: 'replied', calls: reply.calls, cut: false };
  if (reply.problem) return { kind: 'failed', problem: modelProblem(reply.problem) };
  if (reply.isEmpty) return { kind: 'failed', problem: emptyProblem(reply.finish === 'content-filter') };
  return { kind: 'replied', calls: reply.calls, cut: reply.finish === 'length' };
}

const STOPPED: StepOutcome = { kind: 'replied', calls: [], cut: false };

async function request(
  turn: Turn,
  step: number,
  { view, around }: { readonly view: ToolView; readonly around: Surroundings },
): Promise<Reply> {
  const requestId = turn.newId<RequestId>();
  await turn.log.recordSoon([requestedBody(turn, { requestId, step, view })]);
  const reply = new Reply(() => turn.newId());
  for await (const event of replyEvents(turn, requestId, around)) {
    showDelta(turn, requestId, event);
    reply.add(event);
  }
  await recordReply(turn, { requestId, reply, view, around });
  return reply;
}

function requestedBody(
  { id: turnId, model }: Turn,
  {
    requestId,
    step,
    view,
  }: { readonly requestId: RequestId; readonly step: number; readonly view: ToolView },
): EventBody {
  return {
    type: 'model.requested',
    turnId,
    requestId,
    step,
    modelId: model.id,
    toolNames: view.names,
    toolSchemaSha256: view.schemaSha256,
    activatedTools: view.activated,
  };
}

/** The stream; a stop by the person ends it quietly. */
async function* replyEvents(
  turn: Turn,
  requestId: RequestId,
  around: Surroundings,
): AsyncGenerator<ModelEvent> {
  const { signal } = turn;
  const request = { ...around, messages: turn.conversation.sent, signal };
  try {
    yield* streamWithRetry(turn.model, request, {
      onRetry: (retry) =>
        turn.log.recordNow({ type: 'model.retrying', turnId: turn.id, requestId, ...retry }),
    });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function showDelta(turn: Turn, requestId: RequestId, event: ModelEvent): void {
  if (event.kind !== 'text' && event.kind !== 'reasoning') return;
  const { kind, delta } = event;
  turn.log.tell({ type: 'live.text', sessionId: turn.sessionId, turnId: turn.id, requestId, kind, delta });
}

async function recordReply(
  turn: Turn,
  {
    requestId,
    reply,
    view,
    around,
  }: {
    readonly requestId: RequestId;
    readonly reply: Reply;
    readonly view: ToolView;
    readonly around: Surroundings;
  },
): Promise<void> {
  const { parts, calls, usage } = reply;
  const { model, conversation, size } = turn;
  const message = parts.length > 0 ? conversation.assistant(turn.id, parts, model.id) : undefined;
  if (message) size.count(usage, conversation.sent, around);
  const context = reply.problem ? undefined : size.shown(model, conversation.sent, around);
  const body = {
    type: 'model.completed',
    turnId: turn.id,
    requestId,
    text: reply.text,
    reasoning: reply.reasoning,
    usage,
    finish: turn.signal.aborted ? 'cancelled' : reply.finish,
    ...(context ? { context } : {}),
  } as const;
  const bodies = [body, ...calls.map((call) => requestedEvent(turn.id, call))];
  if (onlyReads(calls, view)) await turn.log.recordSoon(bodies, () => message);
  // Before anything is judged, so that every call shows from its beginning.
  else await turn.log.recordTogether(bodies, () => message);
}

function onlyReads(calls: readonly ToolCall[], { tools }: ToolView): boolean {
  const isRead = ({ name }: ToolCall) => {
    const tool = tools.find((each) => each.name === name);
    return tool !== undefined && effectiveRisk(tool).risk === 'read';
  };
  return calls.length > 0 && calls.every(isRead);
}
