import type { Review as ReviewPlace } from '#checkpoints/hunk-actions';
import type { HunkPlace } from '#checkpoints/hunks';
import type { ReviewedFile } from '#checkpoints/review';
import type { CheckpointSummary, RestoreOutcome } from '#protocol/checkpoint';
import type { KeptHunk } from '#protocol/event';
import type { FileOperation } from '#protocol/tool-result';
import type { Core } from './core';
import type { Restoring } from './restoring';
import type { SessionState } from './session-state';

/** A file whose changes were neither kept nor undone, for people. */
export interface ChangeToReview {
  readonly path: string;
  readonly from?: string;
  readonly operation: FileOperation;
  /** The first turn whose changes of it wait. */
  readonly turn: number;
  readonly turns: readonly number[];
  readonly added: number;
  readonly removed: number;
}

/** What the session lends to its review. */
export interface ReviewWorld {
  readonly core: Core;
  readonly session: SessionState;
  readonly restoring: Restoring;
  /** Changes of turns up to this number were kept. */
  since(): number;
  /** Why nothing can be written now. */
  refusal(): RestoreOutcome | undefined;
  isElsewhere(): boolean;
}

/** What a person has still to look at: kept or undone by file and by changed block. Keeping changes no file. */
export class Review {
  readonly #world: ReviewWorld;

  constructor(world: ReviewWorld) {
    this.#world = world;
  }

  /** By path. */
  async changes(): Promise<readonly ChangeToReview[]> {
    const { checkpoints } = this.#world.core;
    const counted = this.#files().map(async (file): Promise<ChangeToReview> => {
      const { path, from, operation, turns } = file;
      const lines = await checkpoints.reviewedLines(file);
      return { path, ...(from ? { from } : {}), operation, turn: turns[0] ?? 0, turns, ...lines };
    });
    return (await Promise.all(counted)).sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** Turns whose changes were neither kept nor undone, oldest first; also those in which only commands changed something. */
  turns(): readonly CheckpointSummary[] {
    const { restoring, since } = this.#world;
    const reviewed = since();
    return (
      restoring
        .checkpoints()
        .filter(({ turn, state }) => turn > reviewed && !['undone', 'open', 'pruned'].includes(state))
        // Folders alone wait for no review: there is nothing to compare.
        .filter(({ folders, commandChanges }) => !folders || commandChanges.length > 0)
    );
  }

  /** What a file's changes are compared with, empty for a new one; undefined when it has none, or the content is lost. */
  async baseline(path: string): Promise<Uint8Array | undefined> {
    const file = this.#files().find((each) => each.path === path);
    return file && this.#world.core.checkpoints.baseline(file);
  }

  /** Clears the mark of these files. Says which had one. */
  keep(paths: readonly string[]): readonly string[] {
    const { core, session, isElsewhere } = this.#world;
    const files = this.#files().filter(({ path }) => paths.includes(path));
    if (isElsewhere() || files.length === 0) return [];
    for (const { path, turns } of files)
      core.store.reviewMarks.put(session.id, { path, turn: turns.at(-1) ?? 0 });
    const kept = files.map(({ path }) => path);
    session.log.recordNow({ type: 'files.kept', paths: kept });
    core.changed();
    return kept;
  }

  /** Clears all marks. */
  keepAll(): void {
    const { core, session, isElsewhere } = this.#world;
    if (isElsewhere()) return;
    session.log.recordNow({ type: 'files.kept' });
    core.changed();
  }

  /** The block moves into what the file is compared with. A text says why not. */
  async keepHunk(place: HunkPlace): Promise<KeptHunk | string> {
    const { core, session } = this.#world;
    const refused = this.#world.refusal();
    if (refused?.status === 'nothing') return refused.why;
    const kept = await core.checkpoints.keepHunk(this.#place(), place);
    if (!kept.ok) return kept.error;
    session.log.recordNow({ type: 'files.kept', hunks: [kept.value] });
    core.changed();
    return kept.value;
  }

  /** A change of its own, which redo takes back. */
  async undoHunk(place: HunkPlace): Promise<RestoreOutcome> {
    const { core, restoring, refusal } = this.#world;
    const refused = refusal();
    if (refused) return refused;
    return restoring.tell(await core.checkpoints.undoHunk(this.#place(), place), 'took back in part');
  }

  #files(): readonly ReviewedFile[] {
    return this.#world.core.checkpoints.reviewed(this.#place());
  }

  #place(): ReviewPlace {
    return { sessionId: this.#world.session.id, since: this.#world.since() };
  }
}
