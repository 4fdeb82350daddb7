import type { AbsolutePath } from '#protocol/ids';

/** A place in a text: line and UTF-16 column, both from 0. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** From a place up to, not including, another. */
export interface TextRange {
  readonly start: TextPosition;
  readonly end: TextPosition;
}

/** A file that is asked about, and the text that the question's places were found in: that of an unsaved editor, else of the disk. */
export interface FileText {
  readonly path: AbsolutePath;
  readonly text: string;
}

/** One place of a file. */
export interface FilePlace extends FileText {
  readonly position: TextPosition;
}

/**
 * What came of a question to a language server.
 * `no-editor`: this host has none. `unserved`: none of the editor's serves that language. `starting`: it has just been started and
 * knows nothing yet. `late`: no answer in time, or the editor hasn't read the file's present text yet. `refused`: the server's own words.
 */
export type Answer<T> =
  | { readonly kind: 'known'; readonly value: T }
  | { readonly kind: 'no-editor' | 'late' }
  | { readonly kind: 'unserved' | 'starting'; readonly language: string }
  | { readonly kind: 'refused'; readonly why: string };
