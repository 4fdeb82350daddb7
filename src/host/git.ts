import type { Disposable } from '#base/disposable';

/** A repository that a folder of the workspace lies in, as far as reading its contents goes. */
export interface Repository {
  /** Absolute; its files' paths in the index are relative to it. */
  readonly worktree: string;
  /** Absolute; a linked worktree and a submodule have one of their own. */
  readonly gitFolder: string;
  /** Absolute; while they are unchanged, so is all this. */
  readonly configFiles: readonly string[];
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
  /** How many bytes it has of each object, 0 of one that is missing; what it didn't get to in time is left out. */
  sizes(repository: Repository, objects: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Objects by id; those that are missing, damaged or not of the expected size are left out. */
  contents(
    repository: Repository,
    wanted: readonly { readonly object: string; readonly bytes: number }[],
  ): Promise<ReadonlyMap<string, Uint8Array>>;
}
