import type { ScanEntry } from '#disk/scan-entry';
import type { Repository } from '#host/git';
import type { NotUndoable } from '#protocol/checkpoint';
import type { Sha256 } from '#protocol/ids';

/** Where the content of a file can be had from, as it was when it was looked at; or why it can't. */
export type Source =
  | { readonly kind: 'blob'; readonly sha256: Sha256 }
  /** A symbolic link: what is written in it. */
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'git'; readonly repository: Repository; readonly object: string }
  | { readonly kind: 'none'; readonly why: NotUndoable };

/** What is known of a file's content. */
export interface Held {
  readonly source: Source;
  /** While its stat is the same, so is its content: false when it was written in the clock's very tick, or by a limit that may change. */
  readonly isLasting: boolean;
}

/** The same with the file as a look saw it. */
export interface Known extends Held {
  readonly entry: ScanEntry;
}

/** One file that nothing is known of yet. */
export interface Unknown {
  readonly folder: string;
  /** Relative to the root. */
  readonly path: string;
  readonly entry: ScanEntry;
}

/** Why a file that a command made isn't recorded; undefined when it is. */
export type Refusal = (path: string, entry: ScanEntry) => NotUndoable | undefined;

/** Largest file that is kept beforehand. */
export const LARGEST_KEPT = 5 * 1024 * 1024;

/** How much is kept of what no repository holds. */
export interface KeepLimits {
  /** Largest ignored file; 0 keeps none. */
  readonly ignoredBytes: number;
  /** All files of the folder together. */
  readonly allBytes: number;
}

/** Whether the file was touched in between, as far as stats tell. */
export function isSameEntry(a: Omit<ScanEntry, 'kind'>, b: Omit<ScanEntry, 'kind'>): boolean {
  return (
    a.mtimeMs === b.mtimeMs &&
    a.ctimeMs === b.ctimeMs &&
    a.bytes === b.bytes &&
    a.inode === b.inode &&
    a.mode === b.mode &&
    a.links === b.links
  );
}
