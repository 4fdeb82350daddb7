import { t } from '#base/l10n';
import { fail, ok, type Result } from '#base/result';
import type { SessionEvent } from '#protocol/event';
import type { SessionId, TurnId } from '#protocol/ids';
import type { Todo } from '#protocol/todo';
import type { StoredCheckpoint } from '#store/checkpoints';
import type { Store } from '#store/store';

/** Where a session is forked: what was recorded up to `sequence` goes along. */
export interface ForkPoint {
  readonly sequence: number;
  /** The turns before it, in order. */
  readonly turns: readonly StoredCheckpoint[];
  /** The todo list as it was then. */
  readonly todos: readonly Todo[];
  /** The session's events up to there, in order. */
  readonly events: readonly SessionEvent[];
}

/** The beginning of a turn, or without one the end of the last turn that has ended: what runs never goes along. */
export function forkPoint(
  store: Store,
  sessionId: SessionId,
  turn: number | undefined,
): Result<ForkPoint, string> {
  const rows = store.checkpoints.list(sessionId);
  const wanted = turn === undefined ? undefined : store.checkpoints.ofTurn(sessionId, turn);
  if (turn !== undefined && !wanted) return fail(t('This session has no turn {0}.', turn));
  const events = store.events.list(sessionId);
  const unfinished = firstUnfinished(rows, events);
  const first =
    wanted && (!unfinished || wanted.startSequence < unfinished.startSequence) ? wanted : unfinished;
  const sequence = first?.startSequence ?? events.at(-1)?.sequence ?? 0;
  const todos = first?.todos ?? store.todos.list(sessionId);
  return ok({
    sequence,
    turns: first
      ? rows.slice(
          0,
          rows.findIndex(({ id }) => id === first.id),
        )
      : rows,
    todos,
    events: events.filter((event) => event.sequence <= sequence),
  });
}

/**
 * A turn that runs, or that a crash cut off and nobody has ended yet. One that a rewind covers has ended; where the session is itself a
 * fork, its events didn't come along to say so.
 */
function firstUnfinished(
  rows: readonly StoredCheckpoint[],
  events: readonly SessionEvent[],
): StoredCheckpoint | undefined {
  const ended = new Set<TurnId>();
  for (const event of events) if (event.type === 'turn.ended') ended.add(event.turnId);
  return rows.find(
    ({ turnId, state, rewoundBy }) => rewoundBy === undefined && (state === 'open' || !ended.has(turnId)),
  );
}
