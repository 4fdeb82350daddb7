import type { Files } from '#host';

/** Files of a process that may die: from then on no change of it ever comes back, as nothing goes on after a kill. */
export interface MortalFiles extends Files {
  /** Resolves when the process is dead and nothing of it is under way any more. */
  readonly died: Promise<void>;
  /** It dies at that change of a file, counted from now on; 0 is the next. */
  dieAt(change: number, isLanded: boolean): void;
  /** Counts something else as a change: whether it is the one. */
  isFatal(): boolean;
  /** Dies here. */
  die(): Promise<never>;
}

export function mortalFiles(files: Files): MortalFiles {
  let left = Number.POSITIVE_INFINITY;
  let lands = false;
  let isDead = false;
  const underWay = new Set<Promise<unknown>>();
  const { promise: died, resolve: tell } = Promise.withResolvers<void>();
  const never = () => new Promise<never>(() => undefined);

  async function tracked<T>(work: Promise<T>): Promise<T> {
    underWay.add(work);
    try {
      return await work;
    } finally {
      underWay.delete(work);
    }
  }

  /** The kernel ends what it has begun. */
  async function end(): Promise<never> {
    isDead = true;
    while (underWay.size > 0) await Promise.allSettled(underWay);
    tell();
    return never();
  }

  return {
    ...files,
    stat: (path) => files.stat(path),
    realPath: (path) => files.realPath(path),
    list: (path) => files.list(path),
    read: (path, options) => files.read(path, options),
    died,
    dieAt(change, isLanded) {
      left = change;
      lands = isLanded;
    },
    isFatal: () => left-- === 0,
    die: end,
    async land(change) {
      if (isDead) return never();
      const isFile = change.kind !== 'make-folder' && change.kind !== 'remove-empty-folder';
      const isLast = isFile && left-- === 0;
      if (isLast && !lands) return end();
      const landed = await tracked(files.land(change));
      return isLast ? end() : isDead ? never() : landed;
    },
  };
}
