import { type Hunk, hunksBetween, isSameForm, piecesOf } from './pieces';

/** Three contents of one file: what both others came from, and the two. */
export interface Sides {
  readonly base: Uint8Array;
  readonly ours: Uint8Array;
  readonly theirs: Uint8Array;
}

/**
 * Does to a content what two hands did to their common base, where they changed other lines with an unchanged one between. Undefined
 * when they met, or when the content has no lines: nothing is ever guessed, and no marker is ever written.
 */
export function mergeContents({ base, ours, theirs }: Sides): Uint8Array | undefined {
  const [common, mine, other] = [piecesOf(base), piecesOf(ours), piecesOf(theirs)];
  if (!common || !mine || !other || !isSameForm(base, ours) || !isSameForm(base, theirs)) return undefined;
  const ourHunks = hunksBetween(common.lines, mine.lines);
  const theirHunks = hunksBetween(common.lines, other.lines);
  if (!ourHunks || !theirHunks) return undefined;
  const left = ourHunks.filter(
    (hunk) =>
      !theirHunks.some((their) => isSame({ hunk, lines: mine.lines }, { hunk: their, lines: other.lines })),
  );
  if (left.some((hunk) => theirHunks.some((their) => meets(hunk, their)))) return undefined;
  // Both only cut lines out of the base or put some in, so doing one after the other, from the end, is both.
  const changes: Change[] = [
    ...left.map((hunk) => ({ hunk, lines: mine.lines })),
    ...theirHunks.map((hunk) => ({ hunk, lines: other.lines })),
  ].sort((a, b) => b.hunk.old[0] - a.hunk.old[0]);
  const merged = [...common.lines];
  for (const { hunk, lines } of changes)
    merged.splice(hunk.old[0], hunk.old[1] - hunk.old[0], ...lines.slice(hunk.now[0], hunk.now[1]));
  return endsWhole(merged) ? common.join(merged) : undefined;
}

interface Change {
  readonly hunk: Hunk;
  readonly lines: readonly string[];
}

/** Both did the very same, so it is done: somebody reverted a block by hand. */
function isSame(one: Change, two: Change): boolean {
  const [from, to] = one.hunk.old;
  if (from !== two.hunk.old[0] || to !== two.hunk.old[1]) return false;
  const [mine, other] = [one, two].map(({ hunk, lines }) => lines.slice(...hunk.now).join(''));
  return mine === other;
}

/** Overlap or touch: without an unchanged line between them nobody can say which comes first. */
function meets(one: Hunk, two: Hunk): boolean {
  return one.old[0] <= two.old[1] && two.old[0] <= one.old[1];
}

/** A last line without its end must still be the last one. */
function endsWhole(lines: readonly string[]): boolean {
  return lines.slice(0, -1).every((line) => line.endsWith('\n') || line.endsWith('\r'));
}
