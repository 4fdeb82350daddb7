/** A text read with `\n` for every line end, and the way back to its own positions. The text itself is never changed. */
export interface Reading {
  readonly text: string;
  /** Positions in `text` of the line feeds that are two characters in the original. */
  readonly pairs: Uint32Array;
}

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

/** A part of the original, end exclusive. */
interface Place {
  readonly start: number;
  readonly end: number;
}

/**
 * Writes a new passage with the line ends of what it replaces: each its own where there are as many as before, else the most
 * frequent one there, else what `endNear` says.
 */
export function withLineEnds(
  passage: string,
  original: string,
  place: Place,
  endNear: (place: Place) => string,
): string {
  if (!passage.includes('\n')) return passage;
  const replaced = original.slice(place.start, place.end).match(/\r\n|\n|\r/g) ?? [];
  const usual = mostFrequent(replaced) ?? endNear(place);
  const wanted = passage.split('\n').length - 1;
  if (wanted !== replaced.length) return usual === '\n' ? passage : passage.replace(/\n/g, () => usual);
  let index = 0;
  return passage.replace(/\n/g, (_feed, at: number) => {
    const own = replaced[index++] ?? usual;
    const joins = own === '\n' && passage.charAt(at - 1) === '\n' && replaced[index - 2] === '\r';
    return joins ? '\r\n' : own;
  });
}

/**
 * Which line end stands nearest behind a place, else before it. Places come in their order: what was found for one is kept
 * for the next, so that thousands of them in one long line cost one look.
 */
export function lineEndsNear(original: string, fallback: string): (place: Place) => string {
  const anyEnd = /\r\n|\n|\r/g;
  let next = { at: -1, end: '' };
  let last: string | undefined;
  return ({ start, end }) => {
    if (next.at < end) {
      anyEnd.lastIndex = end;
      const found = anyEnd.exec(original);
      next = found ? { at: found.index, end: found[0] } : { at: Number.POSITIVE_INFINITY, end: '' };
    }
    if (next.end !== '') return next.end;
    last ??= lastEndBefore(original, start) ?? fallback;
    return last;
  };
}

/**
 * What is written between two texts so that the line ends on either side stay line ends of their own: a carriage return and
 * a line feed that come to stand together would be one.
 */
export function keptApart(put: string, before: string, after: string): string {
  if (put === '') return before === '\r' && after === '\n' ? '\n' : '';
  const behind = before === '\r' && put.startsWith('\n') ? `\r${put}` : put;
  return behind.endsWith('\r') && after === '\n' ? `${behind}\n` : behind;
}

function lastEndBefore(original: string, start: number): string | undefined {
  const at = Math.max(original.lastIndexOf('\n', start - 1), original.lastIndexOf('\r', start - 1));
  if (start === 0 || at < 0) return undefined;
  return original.charAt(at) === '\n' && original.charAt(at - 1) === '\r' ? '\r\n' : original.charAt(at);
}

function mostFrequent(ends: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const end of ends) counts.set(end, (counts.get(end) ?? 0) + 1);
  return [...counts].reduce<[string, number] | undefined>(
    (best, next) => (best && best[1] >= next[1] ? best : next),
    undefined,
  )?.[0];
}
