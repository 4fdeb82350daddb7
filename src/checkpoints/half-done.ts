import { t } from '#base/l10n';
import { fail } from '#base/result';
import type { FileState } from '#protocol/checkpoint';
import type { SessionId } from '#protocol/ids';
import type { StoredRestore } from '#store/restores';
import { applyAll } from './apply';
import { ABSENT, modeOf, sameContent, sameState } from './chain';
import { finish } from './finish';
import { opened } from './folder-actions';
import { openFolders, thereOf } from './half-done-folders';
import { keepPresent } from './keep-present';
import { sweepLeftovers } from './leftovers';
import { lookAt } from './look';
import type { RestorePlan } from './plan';
import type { FileStep } from './preflight';
import { type Seen, withoutLinksAbove, withoutTwins } from './seen';
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
  await openFolders(world, plan);
  // Before anything else: folders that are to go have to be empty.
  await sweepLeftovers(
    world,
    plan.files.filter(({ from }) => from.kind !== 'folder').map(({ path }) => path),
  );
  const ends = await endsOf(world, plan);
  const strangers = ends.filter(({ at }) => at === 'neither').map(({ step }) => step.path);
  if (strangers.length === 0) {
    const pending = ends.flatMap(forward);
    // A power cut may have come before what stood there was kept.
    const keeping = await keepPresent(world, pending);
    if ('kept' in keeping) await Promise.all(keeping.kept.map((hash) => world.blobs.sync(hash)));
    const removeFolders = await thereOf(world, plan.removeFolders);
    const applied =
      'kept' in keeping ? await applyAll(world, { ...plan, files: pending, removeFolders }) : fail(keeping);
    if (applied.ok) {
      finish(world, restore);
      return { operation, kind, state: 'done', notes: applied.value.notes };
    }
    world.log.warn(
      `restore ${operation}: could not go on (${applied.error.path}: ${applied.error.why}), going back`,
    );
  }
  const applied = (await endsOf(world, plan)).flatMap(backward);
  const back = await applyAll(world, {
    ...plan,
    files: applied,
    makeFolders: plan.removeFolders,
    removeFolders: await thereOf(world, plan.makeFolders),
  });
  const notes = strangers.map((path) => t('{0} was changed meanwhile and left as it is', path));
  if (!back.ok) notes.push(t('{0} could not be brought back: {1}', back.error.path, back.error.why));
  world.store.restores.finish(operation, 'rolled-back');
  return { operation, kind, state: 'rolled-back', notes };
}

/** At which end of its step a file stands. `half`: the content is there, the permission bits aren't. */
interface End {
  readonly step: FileStep;
  readonly at: 'from' | 'to' | 'half' | 'neither';
  readonly there: FileState;
}

/** Bits of a folder are set once more in any case: it was just opened. */
function forward({ step, at, there }: End): readonly FileStep[] {
  if (step.from.kind === 'folder') return there.kind === 'folder' ? [{ ...step, from: there }] : [];
  if (at === 'from') return [step];
  return at === 'half' ? [{ ...step, from: there }] : [];
}

function backward({ step: { path, from, to }, at, there }: End): readonly FileStep[] {
  if (from.kind === 'folder')
    return there.kind === 'folder' && at !== 'neither' ? [{ path, from: there, to: from }] : [];
  if (at === 'to') return [{ path, from: to, to: from }];
  return at === 'half' ? [{ path, from: there, to: from }] : [];
}

async function endsOf(world: World, plan: RestorePlan): Promise<readonly End[]> {
  const { files: steps, makeFolders } = plan;
  const looks = new Map<string, Seen>();
  for (const { path } of steps) looks.set(path, await lookAt(world.files, world.folder, path));
  const isOwn = ownLinks(looks, steps);
  const seen = withoutTwins(withoutLinksAbove(looks, isOwn), (path) =>
    steps.some((step) => step.path === path && step.to.kind === 'absent'),
  );
  return steps.map((step) => {
    const look = seen.get(step.path);
    if (look?.kind === 'folder') return { step, at: placeUnder(step, makeFolders), there: ABSENT };
    if (look?.kind !== 'state') return { step, at: 'neither', there: ABSENT };
    return { step, at: placeOf(look.state, step), there: look.state };
  });
}

/** Says which links are there that the restore takes away for a folder, or has put in the place of one. */
function ownLinks(looks: ReadonlyMap<string, Seen>, steps: readonly FileStep[]): (link: string) => boolean {
  const own = new Set(
    steps.flatMap(({ path, from, to }) => {
      const look = looks.get(path);
      if (look?.kind !== 'state' || look.state.kind !== 'link') return [];
      const there = look.state;
      const isEnd = [from, to].some((end) => sameContent(end, there));
      return isEnd && [from, to].some(({ kind }) => kind === 'absent') ? [path] : [];
    }),
  );
  return (link) => own.has(link);
}

/** A folder at the path of a file to come is what makes way for it; at that of a file that goes, it may have come in its place. */
function placeUnder({ path, from, to }: FileStep, makeFolders: readonly string[]): End['at'] {
  if (from.kind === 'absent') return 'from';
  return to.kind === 'absent' && makeFolders.includes(path) ? 'to' : 'neither';
}

/** One that was opened for the work in it is half done; one that is gone needs nothing any more. */
function placeOfFolder(there: FileState, { from, to }: Omit<FileStep, 'path'>): End['at'] {
  const mode = modeOf(there);
  if (mode === undefined || mode === modeOf(to)) return 'to';
  if (mode === modeOf(from)) return 'from';
  return [from, to].some((end) => mode === opened(modeOf(end) ?? 0)) ? 'half' : 'neither';
}

/** By content and bits where the step changes bits: then the content alone may be the same at both ends. */
function placeOf(there: FileState, { from, to }: FileStep): End['at'] {
  if (from.kind === 'folder') return placeOfFolder(there, { from, to });
  if (sameState(there, to)) return 'to';
  if (sameState(there, from)) return 'from';
  const changesBits = from.kind === 'file' && to.kind === 'file' && from.mode !== to.mode;
  if (sameContent(there, to)) return !changesBits ? 'to' : sameContent(from, to) ? 'from' : 'half';
  return sameContent(there, from) ? 'from' : 'neither';
}
