import type { SessionId } from '#protocol/ids';
import type { StoredCheckpoint } from '#store/checkpoints';
import type { StoredOperation } from '#store/file-operations';
import { composeEffects, groupsOf } from './chain';
import { folderFates, isOfFolder } from './folder-fates';
import { type Judged, preflight, type Wanted } from './preflight';
import { type ReviewedFile, reviewedFiles, unkept } from './review';
import { standingOperations } from './standing';
import type { World } from './world';

/** A plan and what stands against it. */
export interface Draft {
  readonly turns: readonly StoredCheckpoint[];
  readonly operations: readonly StoredOperation[];
  /** All that stands of these turns, asked for or not. */
  readonly standing: readonly StoredOperation[];
  readonly judged: readonly Judged[];
  /** Folders that the turns made. */
  readonly folders: readonly string[];
  /** Folders that commands of the turns took away, with the permission bits they had; undefined where nobody knows. */
  readonly goneFolders: ReadonlyMap<string, number | undefined>;
  /** Paths that commands changed in those turns: they stay as they are. */
  readonly notUndoable: readonly string[];
  /** Commands of those turns that Belay was stopped in: what they changed isn't known, and stays. */
  readonly cutOff: readonly string[];
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
  const folders = folderFates(world, turns, { operations, isWhole: paths === undefined });
  const ofFiles = operations.filter((operation) => !isOfFolder(operation));
  const files: Wanted[] = [...composeEffects(ofFiles).values()].map((effect) => ({
    path: effect.path,
    expected: effect.after,
    target: partly.get(effect.path)?.baseline ?? effect.before,
    since: effect.last,
    gaps: effect.gaps,
  }));
  const wanted = [...files, ...folders.bits];
  const judged = await preflight(world, sessionId, wanted, folders.made);
  const touched = new Set([...wanted, ...operations].map(({ path }) => path));
  const commands = turns.flatMap(({ id }) => store.commandChanges.list(id)).map(({ path }) => path);
  return {
    turns,
    operations,
    standing: all,
    judged,
    folders: folders.made,
    goneFolders: folders.gone,
    partly,
    notUndoable: paths ? [] : [...new Set(commands)].filter((path) => !touched.has(path)),
    cutOff: paths ? [] : cutOffIn(world, turns),
    unasked: all.map(({ path }) => path).filter((path) => !touched.has(path)),
  };
}

function cutOffIn({ store }: World, turns: readonly StoredCheckpoint[]): string[] {
  return [...new Set(turns.flatMap(({ id }) => store.commandRuns.cutOff(id)))];
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
