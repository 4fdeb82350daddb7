import type { EventBody, SessionEvent } from '#protocol/event';
import type { SessionId } from '#protocol/ids';
import type { StoredRestore } from '#store/restores';
import { rewindSession, unwindSession } from '#store/rewind';
import { dropEdits, recordEdits } from './edits';
import type { RestorePlan } from './plan';
import { summaryOf } from './summaries';
import type { World } from './world';

type Restore = StoredRestore<RestorePlan>;

/** Records that a restore is done: marks, conversation and events in one transaction, so that they never disagree. */
export function finish(world: World, restore: Restore): SessionEvent[] {
  const { store } = world;
  return store.transaction(() => {
    const events = restore.kind === 'undo' ? finishUndo(world, restore) : finishRedo(world, restore);
    const operation = restore.plan.edits ? { operation: store.operations.last() } : {};
    store.restores.finish(restore.id, 'done', { sequence: events.at(-1)?.sequence, ...operation });
    return events;
  });
}

function finishUndo(world: World, { id, scope, sessionId, plan }: Restore): SessionEvent[] {
  const { store } = world;
  const { turns, operations, removeFolders, makeFolders, rewind } = plan;
  for (const operation of operations) store.operations.mark(operation, id);
  recordEdits(store, plan.edits ?? []);
  const made = removeFolders.map((path) => ({ path, fate: 'made' as const }));
  const gone = makeFolders.map((path) => ({ path, fate: 'gone' as const }));
  store.folders.mark(sessionId, [...made, ...gone], id);
  for (const turn of plan.folderTurns ?? []) store.folders.markAllOf(turn, id);
  const { append, turnsChanged } = recorder(world, sessionId, plan);
  const events = turnsChanged('checkpoint.undone', id);
  if (!rewind) return events;
  const { toSequence, todosThen } = rewind;
  rewindSession(store, { sessionId, operation: id, toSequence, todos: todosThen });
  return [...events, append({ type: 'session.rewound', toSequence, operation: id, scope, turns })];
}

function finishRedo(world: World, { id, redoes = '', scope, sessionId, plan }: Restore): SessionEvent[] {
  const { store } = world;
  const { rewind } = plan;
  const { append, turnsChanged } = recorder(world, sessionId, plan);
  if (scope === 'files' && store.restores.get(redoes)?.scope === 'all')
    store.restores.leaveConversation(redoes);
  else store.restores.markRedone(redoes, id);
  store.operations.unmark(redoes);
  dropEdits(store, plan.edits ?? []);
  store.folders.unmark(redoes);
  if (!rewind) return turnsChanged('checkpoint.redone', redoes);
  unwindSession(store, { sessionId, operation: redoes, todos: rewind.todosNow });
  const unwound = append({ type: 'session.unwound', operation: redoes });
  return [unwound, ...turnsChanged('checkpoint.redone', redoes)];
}

/** Says in the session what became of its turns. */
function recorder({ store, clock }: World, sessionId: SessionId, plan: RestorePlan) {
  const { turns, checkpointIds, files, touched = [] } = plan;
  const append = (body: EventBody) => store.events.append(sessionId, body, clock.now());
  const turnsChanged = (
    type: 'checkpoint.undone' | 'checkpoint.redone',
    operation: string,
  ): SessionEvent[] => {
    if (files.length === 0 && checkpointIds.length === 0) return [];
    const paths = files.map(({ path }) => path);
    const whole = append({ type, operation, turns, checkpointIds, files: paths });
    // Turns that were taken back in part say what is left of them.
    const partly = touched.filter((id) => !checkpointIds.includes(id));
    const left = partly.flatMap((id) => {
      const checkpoint = summaryOf(store, id);
      return checkpoint
        ? [append({ type: 'checkpoint.changed', turnId: checkpoint.turnId, checkpoint })]
        : [];
    });
    return [whole, ...left];
  };
  return { append, turnsChanged };
}
