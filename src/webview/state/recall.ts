/** Where arrow up has gone in what was sent before; `index` counts from the newest, 0 first. */
export interface Recall {
  readonly index: number;
}

/** Newest first, neighbours that repeat left out; a parked draft comes before all that was sent. */
export function recallable(prompts: readonly string[], parked: string | undefined): readonly string[] {
  const newest = [...prompts]
    .reverse()
    .filter((prompt, index, all) => prompt !== '' && prompt !== all[index - 1]);
  return parked === undefined || parked === '' ? newest : [parked, ...newest];
}

/** One further back. Undefined: there is nothing older, stay. */
export function older(recall: Recall | undefined, entries: readonly string[]): Recall | undefined {
  const index = recall ? recall.index + 1 : 0;
  return index < entries.length ? { index } : recall;
}

/** One nearer to now. Undefined: back at the draft. */
export function newer(recall: Recall): Recall | undefined {
  return recall.index === 0 ? undefined : { index: recall.index - 1 };
}
