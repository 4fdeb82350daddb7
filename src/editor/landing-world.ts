import type { FileProblem, Files, Log } from '#host';
import type { EditorDocuments } from './documents';

/** Milliseconds that one call into the window may take before the disk is used instead. */
export const WINDOW_LIMIT = 4000;
/** Milliseconds that a save may take with all its formatters. */
export const SAVE_LIMIT = 30_000;
/** The editor doesn't hand larger documents to extensions (50 MB), and edits to them report success wrongly. */
export const LARGEST_DOCUMENT = 50 * 1024 * 1024;

/** Told when saving did more than was asked. */
export const SAVED_FURTHER =
  'saving changed the file further (format on save or another save action): read it again before the next edit';

/** What a change lands in. */
export interface World {
  readonly disk: Files;
  readonly documents: EditorDocuments;
  readonly log: Log;
}

export function dirty(path: string): FileProblem {
  return {
    kind: 'dirty',
    message: `${path} has unsaved changes by the user; nothing was written. Ask them to save or revert it`,
  };
}

export function unsaved(path: string): FileProblem {
  return {
    kind: 'failed',
    message: `${path} could not be saved by the editor; nothing was written. Is the file or its disk read-only?`,
  };
}

export function changedMeanwhile(path: string): FileProblem {
  return {
    kind: 'changed',
    message: `${path} has changed since it was read; nothing was written. Read it again`,
  };
}
