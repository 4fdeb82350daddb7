import { foldCompaction, withoutOpenCompaction } from './compaction-fold';
import type { EventOf, LiveEvent, SessionEvent } from './event';
import type { CallId, TurnId } from './ids';
import type { Todo } from './todo';
import type { CallItem, TranscriptTurn, TurnItem } from './turn';

/** An event of one turn; the first of them, `turn.started`, makes the turn. */
export type TurnEvent = Exclude<Extract<SessionEvent, { readonly turnId: TurnId }>, { type: 'turn.started' }>;

/** A turn that has just begun. `todos` are those of that moment. */
export function startTurn(event: EventOf<'turn.started'>, todos: readonly Todo[]): TranscriptTurn {
  return {
    turnId: event.turnId,
    turn: event.turn,
    at: event.at,
    prompt: event.prompt,
    mentions: event.mentions,
    items: [],
    status: 'running',
    todosBefore: todos,
  };
}

/** What is shown while it happens. A turn that ended takes no more of it. */
export function foldLiveIntoTurn(turn: TranscriptTurn, event: LiveEvent): TranscriptTurn {
  if (turn.status !== 'running') return turn;
  switch (event.type) {
    case 'live.text':
      return { ...turn, items: withDelta(turn.items, event) };
    case 'live.output':
      return changeCall(turn, event.callId, (call) => ({ ...call, lastLine: event.lastLine }));
    default:
      return never(event);
  }
}

/** Adds one recorded event to the turn that it names. */
export function foldIntoTurn(turn: TranscriptTurn, event: TurnEvent): TranscriptTurn {
  switch (event.type) {
    case 'message.queued':
      return append(turn, queuedMessage(event));
    case 'message.delivered':
      return deliver(turn, event.text, `message-${event.sequence}`);
    case 'model.requested':
      return turn;
    case 'model.retrying':
      return retry(turn, event);
    case 'model.completed':
      return completeText(withoutRetry(turn), event);
    case 'rules.loaded':
      return append(turn, { kind: 'rules', key: `rules-${event.sequence}`, files: event.files });
    case 'conversation.compacting':
    case 'conversation.compacted':
      return foldCompaction(withoutRetry(turn), event);
    case 'tool.requested':
      return append(turn, {
        kind: 'call',
        key: event.callId,
        callId: event.callId,
        name: event.name,
        summary: '',
        state: 'gating',
        trace: [],
        lastLine: '',
      });
    case 'tool.gated': {
      const { summary, trace } = event;
      return changeCall(turn, event.callId, (call) => ({ ...call, summary, trace }));
    }
    case 'approval.requested':
      return changeCall(turn, event.request.callId, (call) => ({
        ...call,
        summary: event.request.summary,
        risk: event.request.risk,
        state: 'waiting',
      }));
    case 'approval.answered':
      return changeCall(turn, event.callId, (call) =>
        call.state === 'waiting' ? { ...call, state: 'gating' } : call,
      );
    case 'tool.started':
      return changeCall(turn, event.callId, (call) => ({
        ...call,
        state: 'running',
        risk: event.risk,
        startedAt: event.at,
      }));
    case 'tool.completed':
      return changeCall(turn, event.callId, (call) => completeCall(call, event));
    case 'hook.reported': {
      const { event: moment, hook, kind: report, text } = event;
      return append(turn, { kind: 'hook', key: `hook-${event.sequence}`, event: moment, hook, report, text });
    }
    case 'checkpoint.sealed':
    case 'checkpoint.changed':
      return { ...turn, checkpoint: event.checkpoint };
    case 'turn.ended':
      return endTurn(turn, event);
    default:
      return never(event);
  }
}

function queuedMessage({ sequence, text }: EventOf<'message.queued'>): TurnItem {
  return { kind: 'message', key: `message-${sequence}`, text, queued: true };
}

function endTurn(turn: TranscriptTurn, event: EventOf<'turn.ended'>): TranscriptTurn {
  const items = withoutOpenCompaction(withoutRetry(turn)).items.map((item) =>
    item.kind === 'text' && item.streaming ? { ...item, streaming: false } : item,
  );
  return { ...turn, items, status: event.status, ...(event.problem ? { problem: event.problem } : {}) };
}

function changeCall(
  turn: TranscriptTurn,
  callId: CallId,
  change: (call: CallItem) => CallItem,
): TranscriptTurn {
  const index = turn.items.findLastIndex((item) => item.kind === 'call' && item.callId === callId);
  const item = turn.items[index];
  return item?.kind === 'call' ? { ...turn, items: turn.items.with(index, change(item)) } : turn;
}

function append(turn: TranscriptTurn, item: TurnItem): TranscriptTurn {
  return { ...turn, items: [...turn.items, item] };
}

/** What a failed attempt had streamed is gone: the next one says it anew. */
function retry(turn: TranscriptTurn, event: EventOf<'model.retrying'>): TranscriptTurn {
  const items = turn.items.filter(
    (item) => !isRetry(item) && !(item.kind === 'text' && item.key === event.requestId),
  );
  const { attempt, attempts, reason } = event;
  const key = `retry-${event.sequence}`;
  return {
    ...turn,
    items: [...items, { kind: 'retry', key, attempt, attempts, reason, until: event.at + event.delayMs }],
  };
}

/** The request goes on, so the countdown is over. */
function withoutRetry(turn: TranscriptTurn): TranscriptTurn {
  return turn.items.some(isRetry) ? { ...turn, items: turn.items.filter((item) => !isRetry(item)) } : turn;
}

function isRetry(item: TurnItem): boolean {
  return item.kind === 'retry';
}

function withDelta(
  before: readonly TurnItem[],
  event: Extract<LiveEvent, { type: 'live.text' }>,
): readonly TurnItem[] {
  const items = before.some(isRetry) ? before.filter((item) => !isRetry(item)) : before;
  const index = items.findLastIndex((item) => item.kind === 'text' && item.key === event.requestId);
  const item = items[index];
  if (item?.kind !== 'text') {
    return [
      ...items,
      {
        kind: 'text',
        key: event.requestId,
        text: '',
        reasoning: '',
        streaming: true,
        [event.kind]: event.delta,
      },
    ];
  }
  // A late delta of a request whose recorded text is here already.
  if (!item.streaming) return items;
  return items.with(index, { ...item, [event.kind]: item[event.kind] + event.delta });
}

/** The recorded text replaces what was streamed: it is the whole of it. */
function completeText(turn: TranscriptTurn, event: EventOf<'model.completed'>): TranscriptTurn {
  const index = turn.items.findLastIndex((item) => item.kind === 'text' && item.key === event.requestId);
  if (event.text === '' && event.reasoning === '') {
    return index < 0 ? turn : { ...turn, items: turn.items.toSpliced(index, 1) };
  }
  const item: TurnItem = {
    kind: 'text',
    key: event.requestId,
    text: event.text,
    reasoning: event.reasoning,
    streaming: false,
  };
  return index < 0 ? append(turn, item) : { ...turn, items: turn.items.with(index, item) };
}

function completeCall(call: CallItem, event: EventOf<'tool.completed'>): CallItem {
  return {
    ...call,
    summary: call.summary || (event.display?.title ?? ''),
    state: event.status,
    trace: event.trace,
    ms: event.ms,
    lastLine: '',
    ...(event.code ? { code: event.code } : {}),
    ...(event.display ? { display: event.display } : {}),
    ...(event.artifact ? { artifact: event.artifact } : {}),
  };
}

/** A queued message moves to where the model got it. */
function deliver(turn: TranscriptTurn, text: string, key: string): TranscriptTurn {
  const index = turn.items.findIndex((item) => item.kind === 'message' && item.queued && item.text === text);
  const waiting = turn.items[index];
  const items = index < 0 ? turn.items : turn.items.toSpliced(index, 1);
  return { ...turn, items: [...items, { kind: 'message', key: waiting?.key ?? key, text, queued: false }] };
}

/** As `assertNever` of base, which protocol may not import. */
function never(value: never): never {
  throw new Error(`unexpected event: ${JSON.stringify(value)}`);
}
