import type { FileState } from '#protocol/checkpoint';
import type { CheckpointId, SessionId } from '#protocol/ids';
import type { FileOperation } from '#protocol/tool-result';
import type { StoredCheckpoint } from '#store/checkpoints';
import type { StoredOperation } from '#store/file-operations';
import type { ReviewMark } from '#store/review-marks';
import { ABSENT, sameContent } from './chain';
import { type LineStats, lineStats } from './lines';
import { type NetEffect, netEffects, operationOf } from './net-changes';
import { standingOperations } from './standing';
import type { World } from './world';

/** A file whose changes were neither kept nor undone. */
export interface ReviewedFile {
  readonly path: string;
  /** Where its file came from, when that is another place. */
  readonly from?: string;
  readonly operation: FileOperation;
  /** What the changes are compared with. */
  readonly baseline: FileState;
  /** Some lines of these turns were kept already, so the baseline is no turn's beginning. */
  readonly isPartlyKept: boolean;
  /** What Belay left; undefined when nobody knows. */
  readonly after: FileState | undefined;
  /** Turns that changed it, in order. */
  readonly turns: readonly number[];
  /** The last turn's checkpoint: a change by hunks becomes part of it. */
  readonly checkpointId: CheckpointId;
  readonly operations: readonly StoredOperation[];
}

/** What waits for review in a session: what turns after `since` did that stands and wasn't kept file by file. */
export function reviewedFiles(world: World, sessionId: SessionId, since: number): ReviewedFile[] {
  const turns = turnsToReview(world, sessionId, since);
  const marks = world.store.reviewMarks.of(sessionId);
  const operations = unkept(standingOperations(world, turns), turns, marks);
  const turnOf = new Map(turns.map(({ id, turn }) => [id, turn]));
  return netEffects(operations).flatMap((net) => {
    const mark = marks.get(net.effect.path);
    const file = fileOf(net, turnOf, mark && mark.turn > since ? mark : undefined);
    // Permission bits alone wait for no review: there is nothing to compare.
    if (!file || file.baseline.kind === 'folder') return [];
    return file.after && sameContent(file.baseline, file.after) && !file.from ? [] : [file];
  });
}

/** Turns whose changes may wait for review, oldest first. */
function turnsToReview({ store }: World, sessionId: SessionId, since: number): StoredCheckpoint[] {
  return store.checkpoints
    .list(sessionId)
    .filter(({ turn, state }) => turn > since && state !== 'open' && state !== 'empty');
}

/** Leaves out what was kept with its whole file. */
export function unkept(
  operations: readonly StoredOperation[],
  turns: readonly StoredCheckpoint[],
  marks: ReadonlyMap<string, ReviewMark>,
): StoredOperation[] {
  const turnOf = new Map(turns.map(({ id, turn }) => [id, turn]));
  return operations.filter(({ path, checkpointId }) => {
    const mark = marks.get(path);
    return !mark || mark.content !== undefined || (turnOf.get(checkpointId) ?? 0) > mark.turn;
  });
}

function fileOf(
  { effect, origin, operations }: NetEffect,
  turnOf: ReadonlyMap<CheckpointId, number>,
  mark: ReviewMark | undefined,
): ReviewedFile | undefined {
  const last = operations.at(-1);
  if (!last) return undefined;
  const turns = [...new Set(operations.map(({ checkpointId }) => turnOf.get(checkpointId) ?? 0))].sort(
    (a, b) => a - b,
  );
  const before = origin?.before ?? effect.before;
  const after = effect.after;
  // A mark of turns that were all taken back says nothing about what came after them.
  const kept = mark?.content && (turns[0] ?? 0) <= mark.turn ? mark.content : undefined;
  const mode = after?.kind === 'file' ? after.mode : before.kind === 'file' ? before.mode : 0o644;
  const baseline: FileState = kept ? { kind: 'file', ...kept, mode } : before;
  return {
    path: effect.path,
    ...(origin ? { from: origin.path } : {}),
    operation: origin ? 'rename' : operationOf(baseline, after ?? ABSENT),
    baseline,
    isPartlyKept: kept !== undefined,
    after,
    turns,
    checkpointId: last.checkpointId,
    operations,
  };
}

/** Line counts by the two contents, so that each pair is compared once. */
export type KnownLines = Map<string, LineStats>;

/** Pairs that are remembered. */
const KNOWN = 5000;

/** Lines between the baseline and what Belay left. */
export async function reviewedLines(
  world: World,
  { baseline, after, operations, isPartlyKept }: ReviewedFile,
  known: KnownLines,
): Promise<LineStats> {
  const only = operations.length === 1 && !isPartlyKept ? operations[0] : undefined;
  if (only && (only.added > 0 || only.removed > 0)) return { added: only.added, removed: only.removed };
  const key = `${hashOf(baseline)} ${hashOf(after)}`;
  const found = known.get(key);
  if (found) return found;
  if (known.size >= KNOWN) known.clear();
  const [old, now] = await Promise.all([world.blobs.contentOf(baseline), world.blobs.contentOf(after)]);
  const lines = lineStats(old, now);
  known.set(key, lines);
  return lines;
}

function hashOf(state: FileState | undefined): string {
  if (state?.kind === 'link') return JSON.stringify(state.target);
  return state?.kind === 'file' ? state.sha256 : '-';
}
