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
 * A file that a command made may be what it took from a place that an undo doesn't give back: something out of a build folder, a
 * large file moved, one that a person had just saved. Taking it away would leave the content nowhere, so it stays. A moved file is known
 * by its inode and its birth, as a link is; a copy, or where births aren't kept, by its size alone.
 */
export function withoutMovedFrom<C extends Changed>(
  { covered, left }: { readonly covered: readonly C[]; readonly left: readonly Left[] },
  births: Births,
): { readonly covered: readonly C[]; readonly left: readonly Left[] } {
  const gone = left.filter(({ change }) => isGone(change));
  const files = gone.filter(({ change }) => change.before?.kind === 'file');
  const bySize = new Map(files.map((one) => [one.change.before?.bytes, one.why]));
  const byInode = new Map(gone.map((one) => [one.change.before?.inode, one.why]));
  const whyLeft = ({ change }: C): NotUndoable | undefined => {
    const { before, after } = change;
    if (before || !after) return undefined;
    const likely = after.kind === 'file' ? bySize.get(after.bytes) : undefined;
    if (likely || !births.wasMoved(change)) return likely;
    return byInode.get(after.inode) ?? (births.isUnseen(change) ? 'moved' : undefined);
  };
  const judged = covered.map((one) => ({ one, why: whyLeft(one) }));
  return {
    covered: judged.flatMap(({ one, why }) => (why ? [] : [one])),
    left: [...left, ...judged.flatMap(({ one, why }) => (why ? [{ change: one.change, why }] : []))],
  };
}

/** What was there is no longer under that name. */
function isGone({ before, after }: ScanChange): boolean {
  const canMove = before?.kind === 'symlink' || (before?.kind === 'file' && before.bytes > 0);
  return canMove && (after?.kind !== before.kind || after.inode !== before.inode);
}
