import { messageOf } from '#base/result';
import type { Conflict, RestoreScope } from '#protocol/checkpoint';
import type { SessionId } from '#protocol/ids';
import { DatabaseGone } from '#store/database';
import type { StoredRestore } from '#store/restores';
import { applyAll } from './apply';
import type { Content } from './blobs';
import { finish } from './finish';
import { notKept } from './intent';
import { keepPresent } from './keep-present';
import type { RestorePlan } from './plan';
import { type RestoreReport, refused } from './requests';
import type { World } from './world';

/** Which restore it is, and what its plan can't hold itself. */
export interface Carried {
  readonly sessionId: SessionId;
  readonly scope: RestoreScope;
  readonly kind: 'undo' | 'redo';
  readonly redoes: string | undefined;
  /** For people. */
  readonly notes?: readonly string[];
  /** Contents that the plan writes and that are in no file and no blob yet. */
  readonly made?: readonly Content[];
}

/** Keeps what is about to be overwritten, commits the plan, applies it, and records the end: in this order. */
export async function carryOut(
  world: World,
  plan: RestorePlan,
  { notes = [], made = [], ...carried }: Carried,
): Promise<RestoreReport> {
  const restore: StoredRestore<RestorePlan> = {
    ...carried,
    id: world.random.id(),
    state: 'applying',
    plan,
    at: world.clock.now(),
    lastOperation: world.store.operations.last(),
    lastSequence: world.store.events.last(carried.sessionId),
  };
  const obstacle = await commit(world, restore, made);
  if (obstacle) return refused(plan.turns, [obstacle]);
  world.onStep?.('planned');
  const applied = await applyAll(world, plan);
  if (!applied.ok) {
    world.store.restores.finish(restore.id, 'rolled-back');
    return refused(plan.turns, [applied.error]);
  }
  const events = finish(world, restore);
  world.onStep?.('finished');
  const files = plan.files.map(({ path }) => path);
  const { notes: found, folders } = applied.value;
  const outcome = { status: 'done', turns: plan.turns, files, notes: [...found, ...notes] } as const;
  return { outcome: files.length === 0 && folders > 0 ? { ...outcome, folders } : outcome, events };
}

/** An undo is possible as long as this window lives, and never again: better than none is one that a power cut could leave half done. */
function unlessGone(error: unknown): void {
  if (!(error instanceof DatabaseGone)) throw error;
}

/** Plan and present contents reach the disk side by side; nothing is touched before all of it is there. */
async function commit(
  world: World,
  restore: StoredRestore<RestorePlan>,
  made: readonly Content[],
): Promise<Conflict | undefined> {
  const { store, blobs, log } = world;
  try {
    const keeping = await keepPresent(world, restore.plan.files);
    if ('why' in keeping) return keeping;
    for (const content of made) await blobs.write(content);
    const kept = [...keeping.kept, ...made.map(({ sha256 }) => sha256)];
    store.restores.add(restore);
    await Promise.all([...kept.map((hash) => blobs.sync(hash)), store.synced().catch(unlessGone)]);
    return undefined;
  } catch (error) {
    log.error(`restore ${restore.id} was not begun: ${messageOf(error)}`);
    if (store.restores.get(restore.id)) store.restores.finish(restore.id, 'rolled-back');
    return { path: restore.plan.files[0]?.path ?? '.', why: notKept(error).message };
  }
}
