import type { Conflict } from '#protocol/checkpoint';
import type { Judged } from './preflight';

/** What stands in the way. */
export function conflictsIn(judged: readonly Judged[]): Conflict[] {
  return judged.flatMap((one) => (one.kind === 'conflict' ? [{ path: one.path, why: one.why }] : []));
}

/** The same with what may be decided about each. */
export function choosable(
  judged: readonly Judged[],
  groups: ReadonlyMap<string, string> = new Map(),
): Conflict[] {
  return judged.flatMap((one): Conflict[] => {
    if (one.kind !== 'conflict') return [];
    const tied = tiedTo(one.path, groups);
    return [
      {
        path: one.path,
        why: one.why,
        ...(one.step ? {} : { fixed: true }),
        ...(one.merge && tied.length === 0 ? { mergeable: true } : {}),
        ...(tied.length > 0 ? { tied } : {}),
      },
    ];
  });
}

/** The other names of a file that was renamed. */
export function tiedTo(path: string, groups: ReadonlyMap<string, string>): string[] {
  const group = groups.get(path);
  if (group === undefined) return [];
  return [...groups].filter(([other, its]) => its === group && other !== path).map(([other]) => other);
}
