import type { ScanChange } from '#disk/scan-changes';
import type { NotUndoable } from '#protocol/checkpoint';
import type { Births } from './births';

interface Changed {
  readonly change: ScanChange;
}

interface Left extends Changed {
  readonly why: NotUndoable;
}

/**
 * A file that a command made may be what it took from a place that an undo doesn't give back: a link put where a file was, a large file
 * moved, something out of a build folder. Taking it away would leave the content nowhere, so it stays. Within what was looked at it is
 * told by the size alone: a copy has another inode, and a new file may have got the old one's.
 */
export function withoutMovedFrom<C extends Changed>(
  { covered, left }: { readonly covered: readonly C[]; readonly left: readonly Left[] },
  births: Births,
): { readonly covered: readonly C[]; readonly left: readonly Left[] } {
  const gone = new Map<number, Left>();
  for (const one of left) if (isGone(one.change)) gone.set(one.change.before?.bytes ?? 0, one);
  const whyLeft = ({ change }: C): NotUndoable | undefined => {
    if (change.before) return undefined;
    return (
      gone.get(change.after?.bytes ?? 0)?.why ?? (births.cameFromElsewhere(change) ? 'moved' : undefined)
    );
  };
  const judged = covered.map((one) => ({ one, why: whyLeft(one) }));
  return {
    covered: judged.flatMap(({ one, why }) => (why ? [] : [one])),
    left: [...left, ...judged.flatMap(({ one, why }) => (why ? [{ change: one.change, why }] : []))],
  };
}

/** What was there is no longer under that name. */
function isGone({ before, after }: ScanChange): boolean {
  if (before?.kind !== 'file' || before.bytes === 0) return false;
  return after?.kind !== 'file' || after.inode !== before.inode;
}
