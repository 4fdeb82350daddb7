import type { CheckpointId, Sha256, TurnId } from './ids';
import type { FileOperation } from './tool-result';

/**
 * A file's content at one moment; `absent` when there was no file. Of a folder only the permission bits are told, and its path ends in `/`.
 * A symbolic link is what is written in it: where it leads is never asked.
 */
export type FileState =
  | { readonly kind: 'absent' }
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'folder'; readonly mode: number }
  | { readonly kind: 'file'; readonly sha256: Sha256; readonly bytes: number; readonly mode: number };

/** What one turn did to one path, first state to last. */
export interface FileChange {
  readonly path: string;
  readonly operation: FileOperation;
  /** With a rename: where it came from. */
  readonly from?: string;
  readonly before: FileState;
  readonly after: FileState;
  readonly added: number;
  readonly removed: number;
  /** The last command that changed it; absent when tools alone did. */
  readonly command?: string;
  /** Taken back; absent when it stands. */
  readonly undone?: boolean;
}

/**
 * Why an undo leaves out what changed while a command ran. `meanwhile`: somebody else may have done it. `ignored`, `build`,
 * `too-large`, `budget`: not kept beforehand, by a limit. `too-many`: the command changed more files than are recorded. `special`:
 * neither file nor link, or a name or a link's target that is no text. `own`: Belay's own settings. `lost`: what was there can't be had.
 * `moved`: it was there before, where no look goes.
 */
export const NOT_UNDOABLE = [
  'meanwhile',
  'ignored',
  'build',
  'too-large',
  'budget',
  'too-many',
  'special',
  'own',
  'lost',
  'moved',
] as const;
export type NotUndoable = (typeof NOT_UNDOABLE)[number];

/** What changed on disk while a command ran and is no part of the undo. */
export interface CommandChange {
  readonly path: string;
  readonly operation: 'create' | 'modify' | 'delete';
  readonly command: string;
  /** Absent where an earlier Belay noted it. */
  readonly why?: NotUndoable;
}

/** A folder that a turn made or removed, with what lay in it. */
export interface FolderChange {
  readonly path: string;
  readonly operation: 'create' | 'delete';
  /** Taken back; absent when it stands. */
  readonly undone?: boolean;
}

/** `pruned`: what it changed is known by name only, its earlier contents were removed to save space. */
export type CheckpointState = 'open' | 'sealed' | 'interrupted' | 'undone' | 'pruned';

/** What one turn changed, for people. */
export interface CheckpointSummary {
  readonly id: CheckpointId;
  readonly turnId: TurnId;
  /** 1-based number of the turn in its session. */
  readonly turn: number;
  readonly prompt: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly state: CheckpointState;
  readonly files: readonly FileChange[];
  /** Of a turn that did nothing to files: the folders that it made or removed; absent when there are none. */
  readonly folders?: readonly FolderChange[];
  readonly commandChanges: readonly CommandChange[];
  /** How many more command changes there were than are listed. */
  readonly omittedCommandChanges?: number;
  /** Commands that Belay was stopped in: what they changed isn't known. */
  readonly cutOffCommands?: readonly string[];
}

/** What an undo takes back: the files, the conversation, or both. */
export const RESTORE_SCOPES = ['files', 'session', 'all'] as const;
export type RestoreScope = (typeof RESTORE_SCOPES)[number];
/** What a redo can be narrowed to. */
export type RedoScope = 'files';

/** What to do with files that are no longer as Belay left them: nothing at all, leave those out, or write over them. */
export const ON_CONFLICT = ['stop', 'skip', 'overwrite'] as const;
export type OnConflict = (typeof ON_CONFLICT)[number];

/** What a person may decide about one such file. `merge` takes back Belay's lines and keeps the others. */
export const CONFLICT_CHOICES = ['skip', 'overwrite', 'merge'] as const;
export type ConflictChoice = (typeof CONFLICT_CHOICES)[number];

/** Decisions by path. A file that is tied to another by a rename decides for both. */
export type ConflictChoices = Readonly<Record<string, ConflictChoice>>;

/** Why a file can't be restored as it is now. */
export interface Conflict {
  readonly path: string;
  readonly why: string;
  /** It can only be skipped: what is there can't be kept, or can't be written over. */
  readonly fixed?: true;
  /** Belay's lines can be taken back without touching those that were changed since. */
  readonly mergeable?: true;
  /** Other names that go with it, since the file was renamed. */
  readonly tied?: readonly string[];
}

/** What an undo or a redo came to. */
export type RestoreOutcome =
  | {
      readonly status: 'done';
      readonly turns: readonly number[];
      readonly files: readonly string[];
      /** Where no file was changed: how many folders were made or removed; absent when none were. */
      readonly folders?: number;
      readonly notes: readonly string[];
    }
  | {
      readonly status: 'conflict';
      readonly turns: readonly number[];
      readonly conflicts: readonly Conflict[];
    }
  | { readonly status: 'nothing'; readonly why: string };
