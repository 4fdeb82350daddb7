import type { CheckpointId } from '#protocol/ids';
import type { Todo } from '#protocol/todo';
import type { PlannedEdit } from './edits';
import type { FileStep } from './preflight';

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
  /** Permission bits by folder: of those that are made, and of those that are removed as they were; absent in plans of an earlier Belay. */
  readonly bits?: Bits;
  /** The same of folders that are opened for the work in them and closed again. */
  readonly opened?: Bits;
  /** Checkpoints of folders alone that are undone afterwards, be it that somebody took back what they did. */
  readonly folderTurns?: readonly CheckpointId[];
  /** Changes that become operations of their own. */
  readonly edits?: readonly PlannedEdit[];
  /** Checkpoints of which something goes or comes. */
  readonly touched?: readonly CheckpointId[];
}

/** Permission bits by a folder's path, without the `/`. */
export type Bits = Readonly<Record<string, number>>;

/** Where a conversation goes back to. */
export interface RewindPlan {
  readonly toSequence: number;
  /** The todo list of then, and of now for the way back. */
  readonly todosThen: readonly Todo[];
  readonly todosNow: readonly Todo[];
}
