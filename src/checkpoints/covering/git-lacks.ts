import type { World } from '#checkpoints/world';
import type { StampClock } from '#disk/stamps';
import type { Repository } from '#host/git';
import type { Backing } from './backing';
import type { Held, Unknown } from './sources';

interface Promised {
  readonly file: Unknown;
  readonly object: string;
  readonly held: Held;
}

/**
 * Leaves out the objects that git can't give back as long as their files are on the disk: of a store that is damaged, pruned or gone, or
 * where line ends were converted by rules that are gone by now. It is asked while there is still something to keep.
 */
export async function withoutLacked(
  { git }: World,
  given: ReadonlyMap<Unknown, Held | undefined>,
  { backing, clock }: { readonly backing: Backing; readonly clock: StampClock | undefined },
): Promise<ReadonlyMap<Unknown, Held | undefined>> {
  const had = new Map(given);
  for (const [repository, files] of promisedBy(given)) {
    backing.rely(repository, clock);
    const sizes = await git?.sizes(
      repository,
      files.map(({ object }) => object),
    );
    for (const { file, object, held } of files) {
      const size = sizes?.get(object);
      // It hasn't said: most likely it has it, and the next look asks again.
      if (size === undefined) had.set(file, { ...held, isLasting: false });
      else if (size !== file.entry.bytes) had.set(file, undefined);
    }
  }
  return had;
}

function promisedBy(given: ReadonlyMap<Unknown, Held | undefined>) {
  const promised = new Map<Repository, Promised[]>();
  for (const [file, held] of given) {
    if (held?.source.kind !== 'git') continue;
    const { repository, object } = held.source;
    const list = promised.get(repository) ?? [];
    list.push({ file, object, held });
    promised.set(repository, list);
  }
  return promised;
}
