import { type Doubt, doubtBetween, lookAtObjects, type ObjectFolder } from '#disk/git/object-folders';
import type { StampClock } from '#disk/stamps';
import type { GitReader, Repository } from '#host/git';
import type { Source } from './sources';

/**
 * The repositories that known contents would come from: whether they are still there with all their objects. That costs a stat per folder of
 * objects as long as nothing in them moved.
 */
export class Backing {
  readonly #git: GitReader | undefined;
  readonly #open: (worktree: string) => Promise<Repository | undefined>;
  /** As it was before git was last asked for what was in doubt. */
  readonly #seen = new Map<Repository, readonly ObjectFolder[]>();
  /** What hasn't been asked for yet, and objects of which may be gone. */
  readonly #doubts = new Map<Repository, Doubt>();

  /** `open`: the repository of a worktree as it is now, the same object as long as nothing of it is different. */
  constructor(git: GitReader | undefined, open: (worktree: string) => Promise<Repository | undefined>) {
    this.#git = git;
    this.#open = open;
  }

  /** Says of a source whether it has to be asked for anew; undefined when everything holds. */
  async review(clock: StampClock | undefined): Promise<((source: Source) => boolean) | undefined> {
    for (const [repository, last] of this.#seen) {
      const isStill = (await this.#open(repository.worktree)) === repository;
      const now = isStill ? lookAtObjects(repository.objectFolders, { clock, last }) : undefined;
      if (now) this.#seen.set(repository, now);
      else this.#seen.delete(repository);
      this.#doubt(repository, now ? doubtBetween(last, now) : 'all');
    }
    if (this.#doubts.size === 0) return undefined;
    return (source) => {
      const doubt = source.kind === 'git' ? this.#doubts.get(source.repository) : undefined;
      return doubt === 'all' || (source.kind === 'git' && doubt?.has(source.object.slice(0, 2)) === true);
    };
  }

  /** Before git is asked whether it has objects of that repository: what is gone later is noticed. */
  rely(repository: Repository, clock: StampClock | undefined): void {
    if (!this.#seen.has(repository))
      this.#seen.set(repository, lookAtObjects(repository.objectFolders, { clock }));
  }

  /** All that was in doubt has been asked for. */
  settle(): void {
    this.#doubts.clear();
  }

  #doubt(repository: Repository, doubt: Doubt): void {
    if (doubt !== 'all' && doubt.size === 0) return;
    const known = this.#doubts.get(repository);
    const isAll = doubt === 'all' || known === 'all';
    this.#doubts.set(repository, isAll ? 'all' : new Set([...doubt, ...(known ?? [])]));
    // One that runs may hold a pack open that is gone.
    if (isAll) this.#git?.forget(repository);
  }
}
