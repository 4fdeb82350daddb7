import { foldName } from '#base/text';
import type { FileState } from '#protocol/checkpoint';
import type { Content } from './blobs';
import { ABSENT } from './chain';

/** What stands at a path now. `blocked`: something that Belay must not write over or through, with why. */
export type Seen =
  | { readonly kind: 'state'; readonly state: FileState; readonly held?: Content; readonly identity?: string }
  | { readonly kind: 'folder' }
  /** `link`: the relative path of a link above it, which leads elsewhere. */
  | { readonly kind: 'blocked'; readonly why: string; readonly link?: string };

export const NOTHING_THERE: Seen = { kind: 'state', state: ABSENT };

/**
 * Where a link stands above a path that a restore takes away, or has just put there, nothing is at the path itself: whatever is found
 * through it is another place's. `isLeaving`: says it of that link, by its relative path.
 */
export function withoutLinksAbove(
  seen: ReadonlyMap<string, Seen>,
  isLeaving: (link: string) => boolean,
): Map<string, Seen> {
  return new Map(
    [...seen].map(([path, look]) => {
      const isUnder = look.kind === 'blocked' && look.link !== undefined && isLeaving(look.link);
      return [path, isUnder ? NOTHING_THERE : look];
    }),
  );
}

/** On a disk that ignores case, `A.txt` is found although only `a.txt` is there: then it is the other one that was seen. */
export function withoutTwins(
  seen: ReadonlyMap<string, Seen>,
  expectedAbsent: (path: string) => boolean,
): Map<string, Seen> {
  const cleaned = new Map(seen);
  for (const [path, look] of seen) {
    if (look.kind !== 'state' || look.identity === undefined || !expectedAbsent(path)) continue;
    for (const [other, twin] of seen) {
      const isTwin =
        other !== path &&
        foldName(other) === foldName(path) &&
        twin.kind === 'state' &&
        twin.identity === look.identity;
      if (isTwin && !expectedAbsent(other)) cleaned.set(path, NOTHING_THERE);
    }
  }
  return cleaned;
}
