/** A text read with `\n` for every line end, and the way back to its own positions. The text itself is never changed. */
export interface Reading {
  readonly text: string;
  /** Positions in `text` of the line feeds that are two characters in the original. */
  readonly pairs: Uint32Array;
}

const LOOK_AHEAD = 10_000;

export function readingOf(original: string): Reading {
  if (!original.includes('\r')) return { text: original, pairs: new Uint32Array() };
  const pairs: number[] = [];
  for (let at = original.indexOf('\r\n'); at >= 0; at = original.indexOf('\r\n', at + 2))
    pairs.push(at - pairs.length);
  return { text: toLineFeeds(original), pairs: Uint32Array.from(pairs) };
}

export function toLineFeeds(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

/** Where a position of the reading stands in the original: every pair before it counts one more. */
export function toOriginal(reading: Reading, position: number): number {
  let low = 0;
  let high = reading.pairs.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((reading.pairs[middle] ?? 0) < position) low = middle + 1;
    else high = middle;
  }
  return position + low;
}

/**
 * Writes a new passage with the line ends of what it replaces, `start` to `end` of the original: each its own where there
 * are as many as before, else the most frequent one there, else that of the line it stands in.
 */
export function withLineEnds(
  passage: string,
  original: string,
  place: { readonly start: number; readonly end: number },
  fallback: string,
): string {
  if (!passage.includes('\n')) return passage;
  const replaced = original.slice(place.start, place.end).match(/\r\n|\n|\r/g) ?? [];
  const usual = mostFrequent(replaced) ?? endNear(original, place) ?? fallback;
  const wanted = passage.split('\n').length - 1;
  if (wanted !== replaced.length) return usual === '\n' ? passage : passage.replace(/\n/g, () => usual);
  let index = 0;
  return passage.replace(/\n/g, () => replaced[index++] ?? usual);
}

function endNear(
  original: string,
  place: { readonly start: number; readonly end: number },
): string | undefined {
  const after = /\r\n|\n|\r/.exec(original.slice(place.end, place.end + LOOK_AHEAD));
  if (after) return after[0];
  const before = original.slice(Math.max(0, place.start - LOOK_AHEAD), place.start).match(/\r\n|\n|\r/g);
  return before?.at(-1) ?? /\r\n|\n|\r/.exec(original)?.[0];
}

function mostFrequent(ends: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const end of ends) counts.set(end, (counts.get(end) ?? 0) + 1);
  return [...counts].reduce<[string, number] | undefined>(
    (best, next) => (best && best[1] >= next[1] ? best : next),
    undefined,
  )?.[0];
}
