import { t } from '#base/l10n';
import type { Conflict, RestoreScope } from '#protocol/checkpoint';
import type { SessionId } from '#protocol/ids';
import type { StoredRestore } from '#store/restores';
import { applyAll } from './apply';
import { finish } from './finish';
import { absolutePath, CONTENT_LIMIT } from './look';
import type { RestorePlan } from './plan';
import type { FileStep } from './preflight';
import type { RestoreReport } from './requests';
import type { World } from './world';

export interface Carried {
  readonly sessionId: SessionId;
  readonly scope: RestoreScope;
  readonly kind: 'undo' | 'redo';
  readonly redoes: string | undefined;
}

/** Keeps what is about to be overwritten, commits the plan, applies it, and records the end: in this order. */
export async function carryOut(
  world: World,
  plan: RestorePlan,
  carried: Carried,
  notes: readonly string[],
): Promise<RestoreReport> {
  const { store } = world;
  const { sessionId, scope, kind, redoes } = carried;
  const lost = await keepPresent(world, plan.files);
  if (lost) return { outcome: { status: 'conflict', turns: plan.turns, conflicts: [lost] }, events: [] };
  const restore: StoredRestore<RestorePlan> = {
    id: world.random.id(),
    sessionId,
    kind,
    redoes,
    scope,
    state: 'applying',
    plan,
    at: world.clock.now(),
    lastOperation: store.operations.last(),
    lastSequence: store.events.last(sessionId),
  };
  store.durable(() => store.restores.add(restore));
  world.onStep?.('planned');
  const applied = await applyAll(world, plan);
  if (!applied.ok) {
    store.restores.finish(restore.id, 'rolled-back');
    return { outcome: { status: 'conflict', turns: plan.turns, conflicts: [applied.error] }, events: [] };
  }
  const events = finish(world, restore);
  world.onStep?.('finished');
  const files = plan.files.map(({ path }) => path);
  return {
    outcome: { status: 'done', turns: plan.turns, files, notes: [...applied.value, ...notes] },
    events,
  };
}

/** The way back needs what stands there now, be it Belay's own or a person's that is overwritten at their word. */
async function keepPresent(world: World, files: readonly FileStep[]): Promise<Conflict | undefined> {
  for (const { path, from } of files) {
    if (from.kind === 'absent') continue;
    const read = await world.files.read(absolutePath(world.folder, path), { maxBytes: CONTENT_LIMIT });
    if (!read.ok) return { path, why: read.error.message };
    if (read.value.sha256 !== from.sha256)
      return { path, why: t('it changed while the undo was being prepared: try again') };
    await world.blobs.keep({ bytes: read.value.bytes, sha256: read.value.sha256 });
  }
  return undefined;
}
