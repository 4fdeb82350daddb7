import type { SessionEvent } from '#protocol/event';
import type { StoredRestore } from '#store/restores';
import { rewindSession, unwindSession } from '#store/rewind';
import type { RestorePlan } from './plan';
import type { World } from './world';

type Restore = StoredRestore<RestorePlan>;

/** Records that a restore is done: marks, conversation and events in one transaction, so that they never disagree. */
export function finish({ store, clock }: World, restore: Restore): SessionEvent[] {
  const { sessionId, plan, kind } = restore;
  const changesFiles = plan.files.length > 0 || plan.checkpointIds.length > 0;
  return store.transaction(() => {
    const events = kind === 'undo' ? finishUndo(restore) : finishRedo(restore);
    store.restores.finish(restore.id, 'done', events.at(-1)?.sequence);
    return events;
  });

  function finishUndo({ id, scope }: Restore): SessionEvent[] {
    const { turns, checkpointIds, files, operations, removeFolders, rewind } = plan;
    const events: SessionEvent[] = [];
    for (const operation of operations) store.operations.mark(operation, id);
    store.checkpoints.markFolders(sessionId, removeFolders, id);
    if (changesFiles) {
      const paths = files.map(({ path }) => path);
      events.push(append({ type: 'checkpoint.undone', operation: id, turns, checkpointIds, files: paths }));
    }
    if (rewind) {
      rewindSession(store, {
        sessionId,
        operation: id,
        toSequence: rewind.toSequence,
        todos: rewind.todosThen,
      });
      events.push(
        append({ type: 'session.rewound', toSequence: rewind.toSequence, operation: id, scope, turns }),
      );
    }
    return events;
  }

  function finishRedo({ id, redoes = '' }: Restore): SessionEvent[] {
    const { turns, checkpointIds, files, rewind } = plan;
    const events: SessionEvent[] = [];
    store.restores.markRedone(redoes, id);
    store.operations.unmark(redoes);
    store.checkpoints.unmarkFolders(redoes);
    if (rewind) {
      unwindSession(store, { sessionId, operation: redoes, todos: rewind.todosNow });
      events.push(append({ type: 'session.unwound', operation: redoes }));
    }
    if (changesFiles) {
      const paths = files.map(({ path }) => path);
      events.push(
        append({ type: 'checkpoint.redone', operation: redoes, turns, checkpointIds, files: paths }),
      );
    }
    return events;
  }

  function append(body: Parameters<typeof store.events.append>[1]): SessionEvent {
    return store.events.append(sessionId, body, clock.now());
  }
}
