import type { SessionId } from '#protocol/ids';
import type { Todo } from '#protocol/todo';
import type { Store } from './store';

/** A way back for a session's conversation. */
export interface Rewind {
  readonly sessionId: SessionId;
  /** The operation's id: what covers rows, and uncovers them. */
  readonly operation: string;
  /** Sequence of the last event that still counts. */
  readonly toSequence: number;
  /** The todo list as it was then. */
  readonly todos: readonly Todo[];
}

/**
 * Takes a session back to an event: later messages and turns no longer count, questions nobody answered are dropped,
 * what was read later must be read again, tools switched on later are off again, the todo list is as it was. The event `session.rewound` is the caller's, in
 * the same transaction.
 */
export function rewindSession(store: Store, rewind: Rewind): void {
  store.transaction(() => {
    store.messages.rewind(rewind.sessionId, rewind.toSequence, rewind.operation);
    store.checkpoints.rewind(rewind.sessionId, rewind.toSequence, rewind.operation);
    store.approvals.dropPending(rewind.sessionId, rewind.operation);
    store.reads.rewind(rewind.sessionId, rewind.toSequence);
    store.toolActivations.rewind(rewind.sessionId, rewind.toSequence, rewind.operation);
    store.todos.write(rewind.sessionId, rewind.todos);
  });
}

/** The reverse; read records don't come back (reading again is always right). `todos` are those of before the rewind. */
export function unwindSession(store: Store, unwind: Omit<Rewind, 'toSequence'>): void {
  store.transaction(() => {
    store.messages.unwind(unwind.sessionId, unwind.operation);
    store.checkpoints.unwind(unwind.sessionId, unwind.operation);
    store.toolActivations.unwind(unwind.sessionId, unwind.operation);
    store.todos.write(unwind.sessionId, unwind.todos);
  });
}
