import type { Conflict, ConflictChoice, ConflictChoices } from '#protocol/checkpoint';

/** What the person has chosen so far, by path. */
export type Decided = ConflictChoices;

/** What may be chosen for a file, the harmless first. */
export function waysOf({ fixed, mergeable }: Conflict): readonly ConflictChoice[] {
  return ['skip', ...(mergeable ? (['merge'] as const) : []), ...(fixed ? [] : (['overwrite'] as const))];
}

/** A choice counts for all names of a file that was renamed. */
export function withChoice(
  decided: Decided,
  conflicts: readonly Conflict[],
  path: string,
  choice: ConflictChoice,
): Decided {
  const tied = conflicts.find((conflict) => conflict.path === path)?.tied ?? [];
  return { ...decided, ...Object.fromEntries([path, ...tied].map((name) => [name, choice])) };
}

export function isDecided(conflicts: readonly Conflict[], decided: Decided): boolean {
  return conflicts.every(({ path }) => decided[path] !== undefined);
}

/** Every file's choice; `rest` is for those without one, as far as it may be. */
export function chosen(
  conflicts: readonly Conflict[],
  decided: Decided,
  rest: ConflictChoice,
): ConflictChoices {
  const choices = conflicts.map((conflict): [string, ConflictChoice] => {
    const own = decided[conflict.path];
    return [conflict.path, own ?? (waysOf(conflict).includes(rest) ? rest : 'skip')];
  });
  return { ...decided, ...Object.fromEntries(choices) };
}

/** Files whose present content goes. */
export function overwritten(choices: ConflictChoices): readonly string[] {
  return Object.entries(choices).flatMap(([path, choice]) => (choice === 'overwrite' ? [path] : []));
}
