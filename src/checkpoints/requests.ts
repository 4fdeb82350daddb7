import type {
  Conflict,
  ConflictChoices,
  OnConflict,
  RedoScope,
  RestoreOutcome,
  RestoreScope,
} from '#protocol/checkpoint';
import type { SessionEvent } from '#protocol/event';
import type { SessionId } from '#protocol/ids';

/** Takes turns back. */
export interface UndoRequest {
  readonly sessionId: SessionId;
  /** Back to before this turn: it and all later ones together. */
  readonly turn: number;
  readonly scope: RestoreScope;
  /** `stop` (the default) changes nothing when there is any conflict. */
  readonly onConflict?: OnConflict;
  /** What to do about single files; `onConflict` holds for the others. */
  readonly choices?: ConflictChoices;
  /** This turn alone; only for files. */
  readonly only?: boolean;
  /** Up to this turn, not those after it; only for files. */
  readonly last?: number;
  /** These files alone, with what renames tie to them; only for files. */
  readonly paths?: readonly string[];
  /** Only what waits for review: without what was kept of turns after this one; only for files. */
  readonly reviewedSince?: number;
}

/** Takes an undo back. */
export interface RedoRequest {
  readonly sessionId: SessionId;
  /** The undo to take back; the latest when absent. */
  readonly operation?: string;
  /** The files alone; a conversation that the undo took back as well stays away, and can be redone later. */
  readonly scope?: RedoScope;
}

/** What a restore came to, and the events it recorded: they are in the store, whoever listens must still be told. */
export interface RestoreReport {
  readonly outcome: RestoreOutcome;
  readonly events: readonly SessionEvent[];
}

/** There is nothing to do, and why. */
export function nothing(why: string): RestoreReport {
  return { outcome: { status: 'nothing', why }, events: [] };
}

/** Something stands in the way, so nothing was done. */
export function refused(turns: readonly number[], conflicts: readonly Conflict[]): RestoreReport {
  return { outcome: { status: 'conflict', turns, conflicts }, events: [] };
}

/** A file that is to be made again, to go, or to get its earlier content. */
export interface PreviewStep {
  readonly path: string;
  readonly becomes: 'made' | 'deleted' | 'changed';
}

/** What an undo would do. */
export interface RestorePreview {
  readonly turns: readonly number[];
  readonly files: readonly string[];
  /** The same with what becomes of each. */
  readonly steps: readonly PreviewStep[];
  readonly conflicts: readonly Conflict[];
  /** Paths that commands changed in those turns: not undone. */
  readonly notUndoable: readonly string[];
  /** Commands that Belay was stopped in: what they changed isn't known, and isn't undone. */
  readonly cutOff: readonly string[];
}
