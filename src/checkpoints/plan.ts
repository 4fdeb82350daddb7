import { dirname } from 'node:path';
import { t } from '#base/l10n';
import { truncate } from '#base/text';
import type { Conflict, FileState } from '#protocol/checkpoint';
import type { CheckpointId, SessionId } from '#protocol/ids';
import type { Todo } from '#protocol/todo';
import type { StoredCheckpoint } from '#store/checkpoints';
import type { StoredOperation } from '#store/file-operations';
import type { StoredRestore } from '#store/restores';
import { composeEffects, groupsOf } from './chain';
import { type PlannedEdit, turnLines } from './edits';
import { folderFates, missingOf } from './folder-fates';
import { missingFolders } from './folders';
import { lineStats } from './lines';
import { absolutePath } from './look';
import { type FileStep, type Judged, preflight, type Wanted } from './preflight';
import { type ReviewedFile, reviewedFiles, unkept } from './review';
import { standingOperations } from './standing';
import type { World } from './world';

/** What a restore will do, whole: kept as its journal before anything is touched. */
export interface RestorePlan {
  readonly turns: readonly number[];
  /** Checkpoints that stand changed as a whole afterwards: undone, or standing again. */
  readonly checkpointIds: readonly CheckpointId[];
  readonly files: readonly FileStep[];
  /** Operations that this undoes; a redo finds them by their mark. */
  readonly operations: readonly number[];
  /** Outermost first. */
  readonly makeFolders: readonly string[];
  /** Outermost first; each goes only when it is empty by then. */
  readonly removeFolders: readonly string[];
  readonly rewind?: RewindPlan;
  /** Changes that become operations of their own. */
  readonly edits?: readonly PlannedEdit[];
  /** Checkpoints of which something goes or comes. */
  readonly touched?: readonly CheckpointId[];
}

/** Where a conversation goes back to. */
export interface RewindPlan {
  readonly toSequence: number;
  /** The todo list of then, and of now for the way back. */
  readonly todosThen: readonly Todo[];
  readonly todosNow: readonly Todo[];
}

/** A plan and what stands against it. */
export interface Draft {
  readonly turns: readonly StoredCheckpoint[];
  readonly operations: readonly StoredOperation[];
  readonly judged: readonly Judged[];
  /** Folders that the turns made. */
  readonly folders: readonly string[];
  /** Folders that commands of the turns took away. */
  readonly goneFolders: readonly string[];
  /** Paths that commands changed in those turns: they stay as they are. */
  readonly notUndoable: readonly string[];
  /** Files of which some lines were kept: they go back to that content, and their operations stand. */
  readonly partly: ReadonlyMap<string, ReviewedFile>;
  /** Paths of the turns that nobody asked to take back. */
  readonly unasked: readonly string[];
}

/**
 * Composes the turns, or those of their files that are asked for, into one set of wanted states and looks at all of it. Changes
 * nothing.
 */
export async function draftUndo(
  world: World,
  sessionId: SessionId,
  { turns, paths, reviewedSince: since }: Asked,
): Promise<Draft> {
  const { store } = world;
  const all = standingOperations(world, turns);
  const standing = since === undefined ? all : unkept(all, turns, store.reviewMarks.of(sessionId));
  const partly = since === undefined ? NOTHING_KEPT : partlyKept(world, sessionId, since);
  const asked = paths && withTied(standing, paths);
  const operations = asked ? standing.filter(({ path }) => asked.has(path)) : standing;
  const folders = folderFates(world, turns);
  const wanted: Wanted[] = [...composeEffects(operations).values()].map((effect) => ({
    path: effect.path,
    expected: effect.after,
    target: partly.get(effect.path)?.baseline ?? effect.before,
    since: effect.last,
    gaps: effect.gaps,
  }));
  const judged = await preflight(world, sessionId, wanted, folders.made);
  const touched = new Set(wanted.map(({ path }) => path));
  const commands = turns.flatMap(({ id }) => store.commandChanges.list(id)).map(({ path }) => path);
  return {
    turns,
    operations,
    judged,
    folders: folders.made,
    goneFolders: paths ? [] : folders.gone,
    partly,
    notUndoable: paths ? [] : unique(commands).filter((path) => !touched.has(path)),
    unasked: all.map(({ path }) => path).filter((path) => !touched.has(path)),
  };
}

/** Which turns, and what of them. */
interface Asked {
  readonly turns: readonly StoredCheckpoint[];
  readonly paths: readonly string[] | undefined;
  readonly reviewedSince: number | undefined;
}

const NOTHING_KEPT: ReadonlyMap<string, ReviewedFile> = new Map();

/** A file that was renamed goes back as one: its lines aren't looked at one by one. */
function partlyKept(world: World, sessionId: SessionId, since: number): ReadonlyMap<string, ReviewedFile> {
  const files = reviewedFiles(world, sessionId, since).filter((file) => file.isPartlyKept && !file.from);
  return new Map(files.map((file) => [file.path, file]));
}

/** Paths with all names that renames tie to them. */
function withTied(operations: readonly StoredOperation[], paths: readonly string[]): ReadonlySet<string> {
  const groups = groupsOf(operations);
  const asked = new Set(paths.map((path) => groups.get(path)));
  return new Set([...groups].filter(([, group]) => asked.has(group)).map(([path]) => path));
}

/** Turns a draft into a plan, leaving out the given paths with all that renames tie to them. */
export async function planUndo(
  world: World,
  draft: Draft,
  skipped: ReadonlySet<string>,
): Promise<RestorePlan> {
  const groups = groupsOf(draft.operations);
  const left = new Set([...skipped].map((path) => groups.get(path)));
  const isLeft = (path: string) => left.has(groups.get(path));
  const files = draft.judged.flatMap((judged) =>
    'step' in judged && judged.step && !isLeft(judged.path) ? [judged.step] : [],
  );
  const operations = draft.operations.filter(({ path }) => !isLeft(path) && !draft.partly.has(path));
  const edits = await editsOf(world, draft, files);
  const staying = draft.operations
    .filter(({ path }) => isLeft(path))
    .flatMap(({ path, from }) => (from ? [path, from] : [path]));
  const checkpointIds = draft.turns
    .map(({ id }) => id)
    .filter((id) => {
      const own = draft.operations.filter(({ checkpointId }) => checkpointId === id);
      const isWhole =
        own.length ===
        standingOperations(
          world,
          draft.turns.filter((turn) => turn.id === id),
        ).length;
      return own.length > 0 && isWhole && own.every(({ path }) => !isLeft(path));
    });
  return {
    turns: unique(
      [...operations, ...edits].map(
        ({ checkpointId }) => draft.turns.find(({ id }) => id === checkpointId)?.turn ?? 0,
      ),
    ),
    checkpointIds,
    files,
    operations: operations.map(({ id }) => id),
    touched: unique([...operations, ...edits].map(({ checkpointId }) => checkpointId)),
    ...(edits.length > 0 ? { edits } : {}),
    makeFolders: unique([
      ...(await missingOf(world, draft.goneFolders)),
      ...(await foldersFor(world, files)),
    ]).sort(),
    removeFolders: await existing(world, draft.folders, [...staying, ...draft.unasked, ...targetsOf(files)]),
  };
}

/** Files that go back to what was kept of them: a change of their own, since their operations stand. */
async function editsOf(world: World, { partly }: Draft, files: readonly FileStep[]): Promise<PlannedEdit[]> {
  const edits: PlannedEdit[] = [];
  for (const { path, from, to } of files) {
    const file = partly.get(path);
    if (!file) continue;
    const { checkpointId } = file;
    const [old, now] = await Promise.all([bytesOf(world, from), bytesOf(world, to)]);
    const lines = lineStats(old, now);
    const counted = await turnLines(world, { checkpointId, path }, now);
    edits.push({ checkpointId, path, before: from, after: to, lines, ...counted });
  }
  return edits;
}

async function bytesOf(world: World, state: FileState): Promise<Uint8Array | undefined> {
  return state.kind === 'file' ? world.blobs.get(state.sha256) : undefined;
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
  const missing = await foldersFor(world, files);
  return {
    turns,
    checkpointIds,
    files,
    operations: [],
    makeFolders: unique([...removeFolders, ...missing]).sort(),
    removeFolders: await existing(world, makeFolders, targetsOf(files)),
    ...(rewind ? { rewind } : {}),
    ...(edits ? { edits } : {}),
    ...(touched ? { touched } : {}),
  };
}

export function conflictsIn(judged: readonly Judged[]): Conflict[] {
  return judged.flatMap((one) => (one.kind === 'conflict' ? [{ path: one.path, why: one.why }] : []));
}

/** The same with what may be decided about each. */
export function choosable(
  judged: readonly Judged[],
  groups: ReadonlyMap<string, string> = new Map(),
): Conflict[] {
  return judged.flatMap((one): Conflict[] => {
    if (one.kind !== 'conflict') return [];
    const tied = tiedTo(one.path, groups);
    return [
      {
        path: one.path,
        why: one.why,
        ...(one.step ? {} : { fixed: true }),
        ...(one.merge && tied.length === 0 ? { mergeable: true } : {}),
        ...(tied.length > 0 ? { tied } : {}),
      },
    ];
  });
}

/** The other names of a file that was renamed. */
export function tiedTo(path: string, groups: ReadonlyMap<string, string>): string[] {
  const group = groups.get(path);
  if (group === undefined) return [];
  return [...groups].filter(([other, its]) => its === group && other !== path).map(([other]) => other);
}

/** For people: what stays although the turns are taken back. */
export function commandNotes(paths: readonly string[]): string[] {
  if (paths.length === 0) return [];
  return [t('Changed while a command ran, and left as it is: {0}', truncate(paths.join(', '), 500))];
}

async function foldersFor(world: World, files: readonly FileStep[]): Promise<string[]> {
  const missing = new Set<string>();
  for (const path of targetsOf(files)) {
    const found = await missingFolders(world.files, world.folder, path);
    // A file in the way is either about to go or a conflict that the step itself meets.
    for (const folder of found.ok ? found.value : ancestorsOf(path)) missing.add(folder);
  }
  return [...missing].sort();
}

function ancestorsOf(path: string): string[] {
  const ancestors: string[] = [];
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) ancestors.push(folder);
  return ancestors;
}

function targetsOf(files: readonly FileStep[]): string[] {
  return files.filter(({ to }) => to.kind === 'file').map(({ path }) => path);
}

/** Folders that are there and needn't stay for one of the given files. */
async function existing(
  world: World,
  folders: readonly string[],
  files: readonly string[],
): Promise<string[]> {
  const found: string[] = [];
  for (const folder of [...folders].sort()) {
    if (files.some((path) => path.startsWith(`${folder}/`))) continue;
    if ((await world.files.stat(absolutePath(world.folder, folder)))?.kind === 'folder') found.push(folder);
  }
  return found;
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
