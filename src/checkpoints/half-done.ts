import { t } from '#base/l10n';
import { fail } from '#base/result';
import type { SessionId } from '#protocol/ids';
import type { StoredRestore } from '#store/restores';
import { applyAll } from './apply';
import { sameContent } from './chain';
import { finish } from './finish';
import { keepPresent } from './keep-present';
import { lookAt, type Seen, withoutTwins } from './look';
import type { RestorePlan } from './plan';
import type { FileStep } from './preflight';
import type { World } from './world';

type Restore = StoredRestore<RestorePlan>;

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
    // A power cut may have come before what stood there was kept.
    const keeping = await keepPresent(world, pending);
    if ('kept' in keeping) await Promise.all(keeping.kept.map((hash) => world.blobs.sync(hash)));
    const applied = 'kept' in keeping ? await applyAll(world, { ...plan, files: pending }) : fail(keeping);
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
