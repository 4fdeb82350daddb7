import type { Conflict } from '#protocol/checkpoint';
import type { Content } from './blobs';
import { groupsOf, sameState } from './chain';
import { choosable, tiedTo } from './conflicts';
import type { Draft } from './draft';
import type { Judged } from './preflight';
import type { UndoRequest } from './requests';

/** What the person's word on conflicts makes of a draft. */
export interface Resolved {
  /** What still stands in the way. */
  readonly conflicts: readonly Conflict[];
  /** Files that are left as they are. */
  readonly skipped: ReadonlySet<string>;
  readonly judged: readonly Judged[];
  /** Contents that merging made: they are nowhere yet. */
  readonly made: readonly Content[];
}

/** Decides every conflict: by the choice for its file, by that for a name tied to it, else by the word for all. */
export function resolve(draft: Draft, { choices = {}, onConflict = 'stop' }: UndoRequest): Resolved {
  const groups = groupsOf(draft.operations);
  const skipped = new Set<string>();
  const made: Content[] = [];
  const open: Judged[] = [];
  const isAllTheSame = Object.keys(choices).length === 0;
  const judged = draft.judged.map((one): Judged => {
    if (one.kind !== 'conflict' && isAllTheSame) return one;
    const tied = tiedTo(one.path, groups);
    const names = [one.path, ...tied].flatMap((path) =>
      Object.hasOwn(choices, path) ? [choices[path]] : [],
    );
    const choice = names.includes('skip') ? 'skip' : names[0];
    if (choice === 'skip') skipped.add(one.path);
    if (one.kind !== 'conflict' || choice === 'skip') return one;
    const decided = choice ?? onConflict;
    if (decided === 'skip') skipped.add(one.path);
    else if (decided === 'merge' && one.merge && tied.length === 0) {
      const { step, content } = one.merge;
      // All that was Belay's may be gone from it by now.
      if (sameState(step.from, step.to)) return { kind: 'idle', path: one.path };
      made.push(content);
      return { kind: 'step', path: one.path, step };
    } else if (decided !== 'overwrite' || !one.step) open.push(one);
    return one;
  });
  return { conflicts: choosable(open, groups), skipped, judged, made };
}
