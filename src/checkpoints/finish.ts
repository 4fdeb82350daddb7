import { t } from '#base/l10n';
import type { SessionEvent } from '#protocol/event';
import type { SessionId } from '#protocol/ids';
import type { StoredRestore } from '#store/restores';
import { rewindSession, unwindSession } from '#store/rewind';
import { applyAll } from './apply';
import { sameContent } from './chain';
import { lookAt, type Seen, withoutTwins } from './look';
import type { RestorePlan } from './plan';
import type { FileStep } from './preflight';
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

/** What became of a restore that a crash cut off. */
export interface Recovered {
  readonly operation: string;
  readonly kind: 'undo' | 'redo';
  readonly state: 'done' | 'rolled-back';
  /** For people, where something could not be brought to either end. */
  readonly notes: readonly string[];
}

/**
 * Ends what a crash left half done: forward where every file is at one of its two ends, else back, and a file that
 * somebody wrote since is left as it is. Only for sessions whose writer is known to be dead.
 */
export async function finishRestores(world: World, sessionId: SessionId): Promise<Recovered[]> {
  const recovered: Recovered[] = [];
  for (const restore of world.store.restores.unfinished<RestorePlan>(sessionId))
    recovered.push(await finishOne(world, restore));
  return recovered;
}

async function finishOne(world: World, restore: Restore): Promise<Recovered> {
  const { id: operation, kind, plan } = restore;
  const ends = await endsOf(world, plan.files);
  const strangers = ends.filter(({ end }) => end === 'neither').map(({ step }) => step.path);
  if (strangers.length === 0) {
    const pending = ends.filter(({ end }) => end === 'from').map(({ step }) => step);
    const applied = await applyAll(world, { ...plan, files: pending });
    if (applied.ok) {
      finish(world, restore);
      return { operation, kind, state: 'done', notes: applied.value };
    }
    world.log.warn(
      `restore ${operation}: could not go on (${applied.error.path}: ${applied.error.why}), going back`,
    );
  }
  const applied = (await endsOf(world, plan.files))
    .filter(({ end }) => end === 'to')
    .map(({ step }) => reversed(step));
  const back = await applyAll(world, {
    files: applied,
    makeFolders: plan.removeFolders,
    removeFolders: plan.makeFolders,
  });
  const notes = strangers.map((path) => t('{0} was changed meanwhile and left as it is', path));
  if (!back.ok) notes.push(t('{0} could not be brought back: {1}', back.error.path, back.error.why));
  world.store.restores.finish(operation, 'rolled-back');
  return { operation, kind, state: 'rolled-back', notes };
}

function reversed({ path, from, to }: FileStep): FileStep {
  return { path, from: to, to: from };
}

/** At which end of its step each file stands. */
async function endsOf(
  world: World,
  steps: readonly FileStep[],
): Promise<{ readonly step: FileStep; readonly end: 'from' | 'to' | 'neither' }[]> {
  const looks = new Map<string, Seen>();
  for (const { path } of steps) looks.set(path, await lookAt(world.files, world.folder, path));
  const seen = withoutTwins(looks, (path) =>
    steps.some((step) => step.path === path && step.to.kind === 'absent'),
  );
  return steps.map((step) => {
    const look = seen.get(step.path);
    // A folder at the path of a file to come is what makes way for it.
    if (look?.kind === 'folder') return { step, end: step.from.kind === 'absent' ? 'from' : 'neither' };
    if (look?.kind !== 'state') return { step, end: 'neither' };
    const { state } = look;
    return {
      step,
      end: sameContent(state, step.to) ? 'to' : sameContent(state, step.from) ? 'from' : 'neither',
    };
  });
}
