import type { World } from '#checkpoints/world';
import type { Repository } from '#host/git';
import type { Held, Unknown } from './sources';

interface Promised {
  readonly file: Unknown;
  readonly object: string;
}

/**
 * Files whose objects git can't give back as long as they are on the disk: a damaged or pruned store, line ends that were converted by
 * rules that are gone by now. It is asked while there is still something to keep.
 */
export async function lackedByGit(
  { git }: World,
  given: ReadonlyMap<Unknown, Held | undefined>,
): Promise<ReadonlySet<Unknown>> {
  const promised = new Map<Repository, Promised[]>();
  for (const [file, known] of given) {
    if (known?.source.kind !== 'git') continue;
    const { repository, object } = known.source;
    const list = promised.get(repository) ?? [];
    list.push({ file, object });
    promised.set(repository, list);
  }
  const lacked = new Set<Unknown>();
  for (const [repository, files] of promised) {
    const sizes = await git?.sizes(
      repository,
      files.map(({ object }) => object),
    );
    for (const { file, object } of files)
      if ((sizes?.get(object) ?? file.entry.bytes) !== file.entry.bytes) lacked.add(file);
  }
  return lacked;
}
