import type { ScanChange } from '#disk/scan-changes';
import type { NotUndoable } from '#protocol/checkpoint';

interface Changed {
  readonly change: ScanChange;
}

interface Left extends Changed {
  readonly why: NotUndoable;
}

/**
 * A file that a command made may be what it took from a place that an undo doesn't give back: a link put where a file was, a large file
 * moved. Taking it away would leave the content nowhere, so it stays, for the same reason. Told by the size alone: a copy has another
 * inode, and a new file may have got the old one's.
 */
export function withoutMovedFrom<C extends Changed>({
  covered,
  left,
}: {
  readonly covered: readonly C[];
  readonly left: readonly Left[];
}): { readonly covered: readonly C[]; readonly left: readonly Left[] } {
  const gone = new Map<number, Left>();
  for (const one of left) if (isGone(one.change)) gone.set(one.change.before?.bytes ?? 0, one);
  const sourceOf = ({ change: { before, after } }: C) => (before ? undefined : gone.get(after?.bytes ?? 0));
  const kept = covered.flatMap((one) => {
    const source = sourceOf(one);
    return source ? [{ change: one.change, why: source.why }] : [];
  });
  return { covered: covered.filter((one) => !sourceOf(one)), left: [...left, ...kept] };
}

/** What was there is no longer under that name. */
function isGone({ before, after }: ScanChange): boolean {
  if (before?.kind !== 'file' || before.bytes === 0) return false;
  return after?.kind !== 'file' || after.inode !== before.inode;
}
