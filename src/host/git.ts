import type { Disposable } from '#base/disposable';

/** A repository that a folder of the workspace lies in, as far as reading its contents goes. */
export interface Repository {
  /** Absolute; its files' paths in the index are relative to it. */
  readonly worktree: string;
  /** Absolute; a linked worktree and a submodule have one of their own. */
  readonly gitFolder: string;
  /** Absolute; where its objects lie: its own folder, then those it borrows from. */
  readonly objectFolders: readonly string[];
  /** Absolute; while the files are unchanged and the folders the same ones, so is all this, and git still opens it. */
  readonly watched: readonly string[];
  readonly objectFormat: 'sha1' | 'sha256';
  /** Files outside the worktree that may change contents on their way between git and the disk. */
  readonly attributeFiles: readonly string[];
  /** Files outside the worktree that name what is ignored. */
  readonly ignoreFiles: readonly string[];
}

/** Reads repositories, and never writes to one. Disposing ends what it keeps running for the next question; it may be asked again. */
export interface GitReader extends Disposable {
  /** Undefined where there is none or it can't be trusted to give back contents: then files are kept beforehand. */
  open(worktree: string): Promise<Repository | undefined>;
  /**
   * How many bytes it has now of each object, 0 of one that is missing, and of all when it doesn't open; what it didn't get to in time
   * is left out.
   */
  sizes(repository: Repository, objects: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Objects by id; those that are missing, damaged or not of the expected size are left out. */
  contents(
    repository: Repository,
    wanted: readonly { readonly object: string; readonly bytes: number }[],
  ): Promise<ReadonlyMap<string, Uint8Array>>;
  /** It isn't there any more, or not as it was: ends what is kept running for it, which may hold on to what is gone. */
  forget(repository: Repository): void;
}
