import type { Clock, Documents, Files, Log, Random } from '#host';
import type { GitReader } from '#host/git';
import type { AbsolutePath } from '#protocol/ids';
import type { Store } from '#store/store';
import type { BlobStore } from './blobs';
import type { HeldContents } from './held';

/** What checkpoints work with. `folder` is the real path of the workspace folder: nothing outside it is ever restored. */
export interface World {
  readonly store: Store;
  readonly blobs: BlobStore;
  /** While a restore is under way: what it has read. */
  readonly held?: HeldContents;
  readonly files: Files;
  readonly documents: Documents;
  readonly folder: AbsolutePath;
  /** Belay's own storage: never looked at, should it lie in the folder. */
  readonly storage?: string;
  /** Reads what repositories of the folder hold; without it everything is kept beforehand. */
  readonly git?: GitReader;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Called between the steps of a write and of a restore, so that tests can die there. */
  onStep?(step: Step): void;
}

/** A moment between two effects on the disk. */
export type Step = 'kept' | 'intended' | 'landed' | 'recorded' | 'planned' | 'applied' | 'finished';
