import type { SessionEvent } from '#protocol/event';
import type { StoredRestore } from '#store/restores';
import { rewindSession, unwindSession } from '#store/rewind';
import { dropEdits, recordEdits } from './edits';
import type { RestorePlan } from './plan';
import { summaryOf } from './summaries';
import type { World } from './world';

type Restore = StoredRestore<RestorePlan>;

/** Records that a restore is done: marks, conversation and events in one transaction, so that they never disagree. */
export function finish({ store, clock }: World, restore: Restore): SessionEvent[] {
  const { sessionId, plan, kind } = restore;
  const changesFiles = plan.files.length > 0 || plan.checkpointIds.length > 0;
  return store.transaction(() => {
    const events = kind === 'undo' ? finishUndo(restore) : finishRedo(restore);
    const operation = plan.edits ? { operation: store.operations.last() } : {};
    store.restores.finish(restore.id, 'done', { sequence: events.at(-1)?.sequence, ...operation });
    return events;
  });

  function finishUndo({ id, scope }: Restore): SessionEvent[] {
    const { turns, checkpointIds, files, operations, removeFolders, rewind } = plan;
    const events: SessionEvent[] = [];
    for (const operation of operations) store.operations.mark(operation, id);
    recordEdits(store, plan.edits ?? []);
    const made = removeFolders.map((path) => ({ path, fate: 'made' as const }));
    const gone = plan.makeFolders.map((path) => ({ path, fate: 'gone' as const }));
    store.checkpoints.markFolders(sessionId, [...made, ...gone], id);
    if (changesFiles) {
      const paths = files.map(({ path }) => path);
      events.push(append({ type: 'checkpoint.undone', operation: id, turns, checkpointIds, files: paths }));
      events.push(...changedTurns());
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
    dropEdits(store, plan.edits ?? []);
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
      events.push(...changedTurns());
    }
    return events;
  }

  /** Turns that were taken back in part say what is left of them. */
  function changedTurns(): SessionEvent[] {
    const partly = (plan.touched ?? []).filter((id) => !plan.checkpointIds.includes(id));
    return partly.flatMap((id) => {
      const checkpoint = summaryOf(store, id);
      return checkpoint
        ? [append({ type: 'checkpoint.changed', turnId: checkpoint.turnId, checkpoint })]
        : [];
    });
  }

  function append(body: Parameters<typeof store.events.append>[1]): SessionEvent {
    return store.events.append(sessionId, body, clock.now());
  }
}
