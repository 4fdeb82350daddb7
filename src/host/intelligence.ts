import type { Disposable } from '#base/disposable';
import type { AbsolutePath } from '#protocol/ids';

/** What the language servers of the editor know. None of its questions opens a tab or a dialog. */
export interface Intelligence {
  /** Begins to watch one file, right before it changes. */
  watchProblems(path: AbsolutePath, signal: AbortSignal): Promise<ProblemWatch>;
  /** What keeps imports right when a file moves, its own among them; undefined where no server offers it. */
  movingFile(move: FileMove, signal: AbortSignal): Promise<readonly FileChanges[] | undefined>;
}

/** What a language server found in a file. */
export interface Problem {
  readonly severity: 'error' | 'warning';
  /** 1-based. */
  readonly line: number;
  readonly message: string;
  /** Who says so and by which number: "ts 2304". Empty when nobody says. */
  readonly source: string;
}

/**
 * What is new since the watch began. `quiet`: nothing was reported in the time there was. `unknown`: nobody looks at this file.
 * `unserved`: this host has no language servers at all.
 */
export type NewProblems =
  | { readonly kind: 'known'; readonly problems: readonly Problem[] }
  | { readonly kind: 'quiet' | 'unknown' | 'unserved' };

/** One file's problems around one change: begun before it, asked after it, disposed whatever came of it. */
export interface ProblemWatch extends Disposable {
  /** Problems that the file has now and hadn't before. `text` is what the file holds now; it takes at most `limitMs`. */
  since(text: string, limitMs: number): Promise<NewProblems>;
}

/** A file that is about to move. `named`: where its name seems to stand; these places are asked in order. */
export interface FileMove {
  readonly from: AbsolutePath;
  readonly to: AbsolutePath;
  readonly named: readonly NamingPlace[];
}

/** A place whose text may name a file: `"./util"` in an import. */
export interface NamingPlace {
  readonly path: AbsolutePath;
  /** 1-based. */
  readonly line: number;
  /** The name as it stands there, without quotes. */
  readonly text: string;
}

/** Replaces what stands between two places of a text. Lines and UTF-16 columns from 0. */
export interface TextChange {
  readonly start: { readonly line: number; readonly column: number };
  readonly end: { readonly line: number; readonly column: number };
  readonly text: string;
}

/** Changes to one file, and the text that they were made for. */
export interface FileChanges {
  readonly path: AbsolutePath;
  readonly before: string;
  readonly changes: readonly TextChange[];
}
