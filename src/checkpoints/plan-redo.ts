import type { RedoScope } from '#protocol/checkpoint';
import type { StoredRestore } from '#store/restores';
import type { RestorePlan } from './plan';
import { existing, folderPlan, foldersFor, targetsOf } from './plan-folders';
import { type Judged, preflight, type Wanted } from './preflight';
import type { World } from './world';

/**
 * An undo, narrowed to what is wanted back of it and still away; undefined where that is nothing. Files and conversation can come back
 * one by one: what is left of an undo of both is one of the conversation.
 */
export function partToRedo(
  undo: StoredRestore<RestorePlan>,
  wanted: RedoScope | undefined,
): StoredRestore<RestorePlan> | undefined {
  const { scope, plan } = undo;
  if (scope === 'session') return wanted ? undefined : { ...undo, plan: conversationOf(plan) };
  if (!wanted) return undo;
  const { rewind: _, ...files } = plan;
  return { ...undo, scope: 'files', plan: files };
}

function conversationOf({ turns, rewind }: RestorePlan): RestorePlan {
  const none = { checkpointIds: [], files: [], operations: [], makeFolders: [], removeFolders: [] };
  return { turns, ...none, ...(rewind ? { rewind } : {}) };
}

/** The way back from an undo: every file must be as the undo left it. */
export async function draftRedo(world: World, undo: StoredRestore<RestorePlan>): Promise<readonly Judged[]> {
  const wanted: Wanted[] = undo.plan.files.map(({ path, from, to }) => ({
    path,
    expected: to,
    target: from,
    since: undo.lastOperation,
    gaps: [],
  }));
  return preflight(world, undo.sessionId, wanted, undo.plan.makeFolders);
}

/** Turns a redo that nothing stands against into a plan. */
export async function planRedo(
  world: World,
  undo: StoredRestore<RestorePlan>,
  judged: readonly Judged[],
): Promise<RestorePlan> {
  const files = judged.flatMap((one) => (one.kind === 'step' ? [one.step] : []));
  const { turns, checkpointIds, removeFolders, makeFolders, rewind, edits, touched } = undo.plan;
  const missing = [...removeFolders, ...(await foldersFor(world, files))];
  const make = new Map(missing.map((path) => [path, undo.plan.bits?.[path]]));
  const remove = await existing(world, makeFolders, targetsOf(files));
  return {
    turns,
    checkpointIds,
    files,
    operations: [],
    ...(await folderPlan(world, files, { make, remove })),
    ...(rewind ? { rewind } : {}),
    ...(edits ? { edits } : {}),
    ...(touched ? { touched } : {}),
  };
}
