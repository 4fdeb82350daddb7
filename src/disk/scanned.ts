import type { ScanEntry } from './scan-entry';

/** What stood in a folder when it was read. */
export interface FolderNames {
  readonly device: number;
  readonly inode: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  /** Its permission bits; undefined where folders have none. */
  readonly mode: number | undefined;
  /** Files, links and specials. The same list as in the look before, as long as it holds the same names. */
  readonly files: readonly string[];
  /** Folders that weren't skipped. */
  readonly folders: readonly string[];
  /** Folders that were. */
  readonly skipped: readonly string[];
  /** It holds something named `.git`, looked at or skipped. */
  readonly isRepository: boolean;
  /** While its device, inode and times are these, so are the names: a folder is stamped when something in it gets or loses a name. */
  readonly isSettled: boolean;
  /** False when the limit was met in it, or it can't be read. */
  readonly isWhole: boolean;
}

/** One folder as it was. */
export interface ScannedFolder {
  readonly names: FolderNames;
  /** What each of the names' files was like, in their order: see `scan-rows`. Nothing but 0 is one that was gone again. */
  readonly rows: Float64Array;
}

export interface Scan {
  readonly root: string;
  /** By path relative to the root, `/`-separated; '' is the root. */
  readonly folders: ReadonlyMap<string, ScannedFolder>;
  /** What was asked for by path; undefined where nothing was. */
  readonly also: ReadonlyMap<string, ScanEntry | undefined>;
  /** False when the limit was met: what is missing from `folders` may all the same exist. */
  readonly complete: boolean;
  /** Folders that can't be read: those that are in `folders` have nothing there but the names that could be listed. */
  readonly unread: readonly string[];
  /** The latest ctime of all files. */
  readonly newest: number;
}
