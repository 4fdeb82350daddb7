import type { CheckpointState } from './checkpoint';
import { type AgentEvent, type EventOf, isLive, type LiveEvent, type SessionEvent } from './event';
import type { TurnId } from './ids';
import type { Usage } from './message';
import type { AnsweredApproval, ForkedFrom, Transcript } from './transcript';
import type { TranscriptTurn } from './turn';
import { foldIntoTurn, foldLiveIntoTurn, startTurn, type TurnEvent } from './turn-fold';

/** Adds events in the order they came. */
export function foldEvents(transcript: Transcript, events: readonly AgentEvent[]): Transcript {
  return events.reduce(foldEvent, transcript);
}

/** Adds one event. Recorded events that were folded already, and live ones of a turn that ended, change nothing. */
export function foldEvent(transcript: Transcript, event: AgentEvent): Transcript {
  if (isLive(event)) return foldLive(transcript, event);
  if (event.sequence <= transcript.sequence) return transcript;
  return { ...foldRecorded(transcript, event), sequence: event.sequence };
}

function foldLive(transcript: Transcript, event: LiveEvent): Transcript {
  return changeTurn(transcript, event.turnId, (turn) => foldLiveIntoTurn(turn, event));
}

function foldRecorded(transcript: Transcript, event: SessionEvent): Transcript {
  switch (event.type) {
    case 'session.created':
    case 'session.titled':
      return { ...transcript, title: event.title };
    case 'session.rewound':
      return event.scope === 'files' ? transcript : rewind(transcript, event);
    case 'session.unwound':
      return unwind(transcript, event.operation);
    case 'session.forked':
      return { ...transcript, forkedFrom: forkedFrom(transcript, event) };
    case 'mode.changed':
      return { ...transcript, mode: event.mode };
    case 'model.changed':
      return { ...withoutContext(transcript), modelId: event.modelId };
    case 'todos.changed':
      return { ...transcript, todos: event.todos };
    case 'files.kept':
      // What was kept of single files is in the store.
      if (event.paths || event.hunks) return transcript;
      return { ...transcript, reviewSince: Math.max(transcript.reviewSince, ...endedTurns(transcript)) };
    case 'checkpoint.undone':
      return markCheckpoints(transcript, event.checkpointIds, 'undone');
    case 'checkpoint.redone':
      return markCheckpoints(transcript, event.checkpointIds, 'sealed');
    case 'checkpoint.pruned':
      return markCheckpoints(transcript, event.checkpointIds, 'pruned');
    case 'tools.changed':
      return transcript;
    case 'turn.started':
      return { ...transcript, turns: [...transcript.turns, startTurn(event, transcript.todos)] };
    case 'approval.requested':
      return inTurn(
        {
          ...transcript,
          approvals: [...transcript.approvals, { turnId: event.turnId, request: event.request }],
        },
        event,
      );
    case 'approval.answered':
      return inTurn(answered(transcript, event), event);
    case 'model.completed':
      return inTurn(
        {
          ...transcript,
          usage: addUsage(transcript.usage, event.usage),
          ...(event.context ? { context: event.context } : {}),
        },
        event,
      );
    case 'conversation.compacted':
      return inTurn(afterCompaction(transcript, event), event);
    case 'turn.ended':
      return inTurn(dropOpenApprovals(transcript, event.turnId), event);
    default:
      return inTurn(transcript, event);
  }
}

function forkedFrom({ turns }: Transcript, { from, title }: EventOf<'session.forked'>): ForkedFrom {
  const after = turns.at(-1)?.turnId;
  return { sessionId: from, title, ...(after === undefined ? {} : { after }) };
}

function inTurn(transcript: Transcript, event: TurnEvent): Transcript {
  return changeTurn(transcript, event.turnId, (turn) => foldIntoTurn(turn, event));
}

/** The turn's own events nearly always mean the last turn, so the search begins there. */
function changeTurn(
  transcript: Transcript,
  turnId: TurnId,
  change: (turn: TranscriptTurn) => TranscriptTurn,
): Transcript {
  const index = transcript.turns.findLastIndex((turn) => turn.turnId === turnId);
  const turn = transcript.turns[index];
  if (!turn) return transcript;
  const changed = change(turn);
  return changed === turn ? transcript : { ...transcript, turns: transcript.turns.with(index, changed) };
}

function withoutContext({ context: _, ...transcript }: Transcript): Transcript {
  return transcript;
}

function afterCompaction(
  transcript: Transcript,
  { after, usage = {} }: EventOf<'conversation.compacted'>,
): Transcript {
  const { context } = transcript;
  const spent = { ...transcript, usage: addUsage(transcript.usage, usage) };
  return context ? { ...spent, context: { ...context, used: after } } : spent;
}

function answered(transcript: Transcript, event: EventOf<'approval.answered'>): Transcript {
  return {
    ...transcript,
    approvals: transcript.approvals.map((approval) =>
      approval.request.id === event.approvalId && !approval.by
        ? { ...approval, answer: event.answer, by: event.by }
        : approval,
    ),
  };
}

function dropOpenApprovals(transcript: Transcript, turnId: TurnId): Transcript {
  const open = (approval: AnsweredApproval) => approval.turnId === turnId && !approval.by;
  return transcript.approvals.some(open)
    ? { ...transcript, approvals: transcript.approvals.filter((approval) => !open(approval)) }
    : transcript;
}

function markCheckpoints(transcript: Transcript, ids: readonly string[], state: CheckpointState): Transcript {
  const turns = transcript.turns.map((turn) =>
    turn.checkpoint && ids.includes(turn.checkpoint.id)
      ? { ...turn, checkpoint: { ...turn.checkpoint, state } }
      : turn,
  );
  return { ...transcript, turns };
}

function rewind(transcript: Transcript, event: EventOf<'session.rewound'>): Transcript {
  const gone = new Set(
    transcript.turns.filter((turn) => event.turns.includes(turn.turn)).map((turn) => turn.turnId),
  );
  const turns = transcript.turns.filter((turn) => gone.has(turn.turnId));
  const approvals = transcript.approvals.filter((approval) => gone.has(approval.turnId));
  return {
    ...withoutContext(transcript),
    turns: transcript.turns.filter((turn) => !gone.has(turn.turnId)),
    approvals: transcript.approvals.filter((approval) => !gone.has(approval.turnId)),
    todos: turns[0]?.todosBefore ?? transcript.todos,
    covered: [
      ...transcript.covered,
      { operation: event.operation, turns, approvals, todos: transcript.todos },
    ],
  };
}

function unwind(transcript: Transcript, operation: string): Transcript {
  const covered = transcript.covered.find((entry) => entry.operation === operation);
  if (!covered) return transcript;
  return {
    ...withoutContext(transcript),
    turns: [...transcript.turns, ...covered.turns].sort((a, b) => a.turn - b.turn),
    approvals: [...transcript.approvals, ...covered.approvals],
    todos: covered.todos,
    covered: transcript.covered.filter((entry) => entry !== covered),
  };
}

function endedTurns(transcript: Transcript): readonly number[] {
  return transcript.turns.filter((turn) => turn.status !== 'running').map((turn) => turn.turn);
}

function addUsage(sum: Usage, more: Usage): Usage {
  const keys = ['inputTokens', 'outputTokens', 'cachedInputTokens'] as const;
  const known = keys.filter((key) => sum[key] !== undefined || more[key] !== undefined);
  return Object.fromEntries(known.map((key) => [key, (sum[key] ?? 0) + (more[key] ?? 0)]));
}
