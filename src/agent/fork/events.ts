import type { EventBody, EventOf, SessionEvent } from '#protocol/event';
import type { CheckpointId, SessionId } from '#protocol/ids';

/** Events that a rewind took out of the conversation: those between the two, both left out. */
interface Covered {
  readonly after: number;
  readonly before: number;
}

/** Whether a rewind covers a part of the session, so that it doesn't count. */
export interface Rewinds {
  /** What was recorded at that sequence. */
  coverEvent(sequence: number): boolean;
  /** The turn that began right after that one. Where the session is itself a fork, none of the turn's own events need be there. */
  coverTurn(startSequence: number): boolean;
}

/** The rewinds that stand at the end of these events. */
export function rewindsIn(events: readonly SessionEvent[]): Rewinds {
  const standing = new Map<string, Covered>();
  for (const event of events) {
    if (event.type === 'session.unwound') standing.delete(event.operation);
    if (event.type !== 'session.rewound' || event.scope === 'files') continue;
    const { operation, toSequence, sequence } = event;
    standing.set(operation, { after: toSequence, before: sequence });
  }
  const all = [...standing.values()];
  return {
    coverEvent: (sequence) => all.some(({ after, before }) => after < sequence && sequence < before),
    coverTurn: (start) => all.some(({ after, before }) => after <= start && start < before),
  };
}

/** What an event of the fork must name otherwise than the original. */
export interface ForkNames {
  readonly sessionId: SessionId;
  readonly checkpoints: ReadonlyMap<CheckpointId, CheckpointId>;
  /** The fork's own sequence for one of the original, as far as its events have come. */
  place(original: number): number;
}

/**
 * The event as the fork has it; undefined when it doesn't go along: what a rewind covers, what says who the session is (the fork says
 * that for itself), and what became of checkpoints (that is a matter of now, and told at the end).
 */
export function eventInFork(event: SessionEvent, rewinds: Rewinds, names: ForkNames): EventBody | undefined {
  if (ofOriginal.has(event.type)) return undefined;
  const ofTurn = 'turnId' in event || event.type === 'todos.changed';
  if (ofTurn && rewinds.coverEvent(event.sequence)) return undefined;
  const { sequence: _sequence, sessionId: _sessionId, at: _at, ...body } = event;
  if (body.type === 'approval.requested')
    return { ...body, request: { ...body.request, sessionId: names.sessionId } };
  if (body.type === 'session.rewound') return { ...body, toSequence: names.place(body.toSequence) };
  return body.type === 'checkpoint.sealed' ? sealedInFork(body, names) : body;
}

const ofOriginal: ReadonlySet<SessionEvent['type']> = new Set([
  'session.created',
  'session.titled',
  'session.forked',
  'mode.changed',
  'model.changed',
  'checkpoint.undone',
  'checkpoint.redone',
  'checkpoint.changed',
  'checkpoint.pruned',
]);

function sealedInFork(
  body: Omit<EventOf<'checkpoint.sealed'>, 'sequence' | 'sessionId' | 'at'>,
  { checkpoints }: ForkNames,
): EventBody | undefined {
  const id = checkpoints.get(body.checkpoint.id);
  return id && { ...body, checkpoint: { ...body.checkpoint, id } };
}
