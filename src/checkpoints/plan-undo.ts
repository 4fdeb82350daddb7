import type { CheckpointId } from '#protocol/ids';
import type { StoredOperation } from '#store/file-operations';
import { groupsOf } from './chain';
import type { Draft } from './draft';
import { type PlannedEdit, turnLines } from './edits';
import { missingOf } from './folder-fates';
import { turnsOfFolders } from './folder-turns';
import { lineStats } from './lines';
import type { RestorePlan } from './plan';
import { existing, folderPlan, foldersFor, targetsOf } from './plan-folders';
import type { FileStep } from './preflight';
import { numbersOf } from './selection';
import type { World } from './world';

/** Turns a draft into a plan, leaving out the given paths with all that renames tie to them. */
export async function planUndo(
  world: World,
  draft: Draft,
  skipped: ReadonlySet<string>,
): Promise<RestorePlan> {
  const groups = groupsOf(draft.operations);
  const groupOf = (path: string) => groups.get(path) ?? path;
  const left = new Set([...skipped].map(groupOf));
  const isLeft = (path: string) => left.has(groupOf(path));
  const files = draft.judged.flatMap((judged) =>
    'step' in judged && judged.step && !isLeft(judged.path) ? [judged.step] : [],
  );
  const operations = draft.operations.filter(({ path }) => !isLeft(path) && !draft.partly.has(path));
  const staying = draft.operations
    .filter(({ path }) => isLeft(path))
    .flatMap(({ path, from }) => (from ? [path, from] : [path]));
  const edits = await editsOf(world, draft, files);
  const gone = draft.goneFolders;
  const leaving = new Set(files.filter(({ to }) => to.kind === 'absent').map(({ path }) => path));
  const missing = [...(await missingOf(world, gone.keys(), leaving)), ...(await foldersFor(world, files))];
  const removed = await existing(world, draft.folders, [...staying, ...draft.unasked, ...targetsOf(files)]);
  const make = new Map(missing.map((path) => [path, gone.get(path)]));
  const ofFolders = await turnsOfFolders(world, draft, new Set([...missing, ...removed.keys()]));
  const ofFiles = [...operations, ...edits].map(({ checkpointId }) => checkpointId);
  const touched = [...new Set([...ofFiles, ...ofFolders])];
  return {
    turns: numbersOf(touched.flatMap((id) => draft.turns.find((turn) => turn.id === id) ?? [])),
    checkpointIds: [...wholeTurns(draft, isLeft), ...ofFolders],
    files,
    operations: operations.map(({ id }) => id),
    touched,
    ...(edits.length > 0 ? { edits } : {}),
    ...(ofFolders.length > 0 ? { folderTurns: ofFolders } : {}),
    ...(await folderPlan(world, files, { make, remove: removed })),
  };
}

/** Turns of which everything that stands is taken back. */
function wholeTurns(
  { turns, operations, standing }: Draft,
  isLeft: (path: string) => boolean,
): CheckpointId[] {
  return turns.flatMap((turn) => {
    const ofTurn = ({ checkpointId }: StoredOperation) => checkpointId === turn.id;
    const own = operations.filter(ofTurn);
    const isWhole = own.length > 0 && own.length === standing.filter(ofTurn).length;
    return isWhole && own.every(({ path }) => !isLeft(path)) ? [turn.id] : [];
  });
}

/** Files that go back to what was kept of them: a change of their own, since their operations stand. */
async function editsOf(world: World, { partly }: Draft, files: readonly FileStep[]): Promise<PlannedEdit[]> {
  const edits: PlannedEdit[] = [];
  for (const { path, from, to } of files) {
    const file = partly.get(path);
    if (!file) continue;
    const { checkpointId } = file;
    const [old, now] = await Promise.all([world.blobs.contentOf(from), world.blobs.contentOf(to)]);
    const lines = lineStats(old, now);
    const counted = await turnLines(world, { checkpointId, path }, now);
    edits.push({ checkpointId, path, before: from, after: to, lines, ...counted });
  }
  return edits;
}
