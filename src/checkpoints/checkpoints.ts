import type { Disposable } from '#base/disposable';
import { t } from '#base/l10n';
import { SerialQueue } from '#base/queue';
import { Keeper } from '#checkpoints/covering/keeper';
import type { CheckpointSummary, RedoScope } from '#protocol/checkpoint';
import type { CheckpointId, SessionId, Sha256 } from '#protocol/ids';
import type { BlobStore } from './blobs';
import { finishRestores, type Recovered } from './half-done';
import { keepHunk, type Review, undoHunk } from './hunk-actions';
import { baselineOf, type HunkPlace } from './hunks';
import { type Journal, openJournal, type TurnStart } from './journal';
import type { LineStats } from './lines';
import {
  nothing,
  type RedoRequest,
  type RestorePreview,
  type RestoreReport,
  type UndoRequest,
} from './requests';
import { canRedo, previewUndo, redo, sidesOf, undo } from './restore';
import { type KnownLines, type ReviewedFile, reviewedFiles, reviewedLines } from './review';
import { sealCheckpoint } from './seal';
import { contentOf, listSummaries } from './summaries';
import type { World } from './world';

/** What each turn changed, and the way back. One per folder and window. */
export interface Checkpoints extends Disposable {
  /** Where contents are kept: of all folders. */
  readonly blobs: BlobStore;
  /** Begins a turn's checkpoint. Call it for every turn, before its first event: also a turn without changes is a place to go back to. Close it, however the turn ends. */
  open(start: TurnStart): Journal;
  /** The turns of a session that changed something, in order; the running one included. */
  list(sessionId: SessionId): CheckpointSummary[];
  /** One side of one file; undefined when there was no file on that side or its content is lost. */
  content(
    checkpointId: CheckpointId,
    path: string,
    side: 'before' | 'after',
  ): Promise<Uint8Array | undefined>;
  /** A kept content; undefined when it is lost. */
  kept(sha256: Sha256): Promise<Uint8Array | undefined>;
  preview(request: UndoRequest): Promise<RestorePreview>;
  /** What an undo would bring a file back to, and what Belay had left there. */
  sides(request: UndoRequest, path: string): ReturnType<typeof sidesOf>;
  undo(request: UndoRequest): Promise<RestoreReport>;
  /** What waits for review. */
  reviewed(review: Review): readonly ReviewedFile[];
  /** Lines of one of these files, against what it is compared with. */
  reviewedLines(file: ReviewedFile): Promise<LineStats>;
  /** What such a file is compared with; undefined when its content is lost. */
  baseline(file: ReviewedFile): Promise<Uint8Array | undefined>;
  undoHunk(review: Review, place: HunkPlace): Promise<RestoreReport>;
  keepHunk(review: Review, place: HunkPlace): ReturnType<typeof keepHunk>;
  redo(request: RedoRequest): Promise<RestoreReport>;
  canRedo(sessionId: SessionId, scope?: RedoScope): boolean;
  /** The latest turn with file changes that stand: what *Undo* without a number means. */
  lastUndoable(sessionId: SessionId): number | undefined;
  /** After a crash, for a session whose lease was just taken from the dead: half-done undos, then open journals. */
  recover(sessionId: SessionId): Promise<Recovery>;
}

/** What a crash left, brought to an end. */
export interface Recovery {
  /** Checkpoints of turns that never ended, sealed as interrupted; those that changed nothing are left out. */
  readonly sealed: readonly CheckpointSummary[];
  readonly restores: readonly Recovered[];
}

const NOTHING: Recovery = { sealed: [], restores: [] };

/** The checkpoints of one folder in one window. */
export function createCheckpoints(world: World): Checkpoints {
  const keeper = new Keeper(world);
  const running = new Map<SessionId, number>();
  const knownLines: KnownLines = new Map();
  // Two restores at once could each take what the other just wrote for a change by hand.
  const queue = new SerialQueue();
  const refusal = (sessionId: SessionId): RestoreReport | undefined =>
    running.has(sessionId) ? nothing(t('A turn is running in this session. Stop it first.')) : undefined;

  return {
    blobs: world.blobs,
    open(start) {
      let isOpen = true;
      const journal = openJournal({ world, keeper }, start, () => {
        if (!isOpen) return;
        isOpen = false;
        const left = (running.get(start.sessionId) ?? 1) - 1;
        if (left > 0) running.set(start.sessionId, left);
        else running.delete(start.sessionId);
      });
      // A turn that could not begin doesn't run.
      running.set(start.sessionId, (running.get(start.sessionId) ?? 0) + 1);
      return journal;
    },
    list: (sessionId) => listSummaries(world.store, sessionId),
    content: (checkpointId, path, side) => contentOf(world, checkpointId, path, side),
    kept: (sha256) => world.blobs.get(sha256),
    preview: (request) => previewUndo(world, request),
    sides: (request, path) => sidesOf(world, request, path),
    undo: (request) => queue.run(async () => refusal(request.sessionId) ?? (await undo(world, request))),
    reviewed: ({ sessionId, since }) => reviewedFiles(world, sessionId, since),
    reviewedLines: (file) => reviewedLines(world, file, knownLines),
    baseline: (file) => baselineOf(world, file),
    undoHunk: (review, place) =>
      queue.run(async () => refusal(review.sessionId) ?? (await undoHunk(world, review, place))),
    keepHunk: (review, place) => queue.run(() => keepHunk(world, review, place)),
    redo: (request) => queue.run(async () => refusal(request.sessionId) ?? (await redo(world, request))),
    canRedo: (sessionId, scope) => canRedo(world, sessionId, scope),
    lastUndoable(sessionId) {
      const standing = listSummaries(world.store, sessionId).filter(
        ({ files, folders = [], state }) =>
          state !== 'pruned' && [...files, ...folders].some(({ undone }) => !undone),
      );
      return standing.at(-1)?.turn;
    },
    // The running turn's journal is open since it runs, not since somebody died.
    recover: (sessionId) =>
      queue.run(async () => (running.has(sessionId) ? NOTHING : recover(world, sessionId))),
    dispose() {
      keeper.dispose();
      running.clear();
    },
  };
}

async function recover(world: World, sessionId: SessionId): Promise<Recovery> {
  const restores = await finishRestores(world, sessionId);
  const open = world.store.checkpoints.list(sessionId).filter(({ state }) => state === 'open');
  const sealed: CheckpointSummary[] = [];
  for (const checkpoint of open) {
    const summary = await sealCheckpoint(world, checkpoint, 'interrupted');
    if (summary) sealed.push(summary);
  }
  return { sealed, restores };
}
