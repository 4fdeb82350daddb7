import type { TranscriptTurn } from '#protocol/turn';

/** The turns that are in the page: indexes, `end` exclusive. A long session is shown in part, so that the page stays small. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Rows and paragraphs drawn at first, added at an edge, and kept at most. */
const FIRST = 200;
const STEP = 150;
const MOST = 600;

/** The end of a session. */
export function lastPage(turns: readonly TranscriptTurn[]): Range {
  return { start: back(turns, turns.length, FIRST), end: turns.length };
}

/** The page around a turn that the reader left; the last one when it is gone. */
export function pageAround(turns: readonly TranscriptTurn[], turn: number): Range {
  const index = turns.findIndex((candidate) => candidate.turn === turn);
  if (index < 0) return lastPage(turns);
  return { start: back(turns, index, STEP), end: Math.max(index + 1, forth(turns, index, FIRST)) };
}

/** More above; what is too much goes away below. */
export function earlier(turns: readonly TranscriptTurn[], range: Range): Range {
  const start = back(turns, range.start, STEP);
  return { start, end: Math.min(range.end, Math.max(start + 1, forth(turns, start, MOST))) };
}

/** More below; what is too much goes away above. */
export function later(turns: readonly TranscriptTurn[], range: Range): Range {
  const end = forth(turns, range.end, STEP);
  return { start: Math.max(range.start, Math.min(end - 1, back(turns, end, MOST))), end };
}

/** New turns join a page that reached the end. Who follows them loses the oldest, who reads loses nothing. */
export function grown(
  turns: readonly TranscriptTurn[],
  range: Range,
  before: number,
  follows: boolean,
): Range {
  const end = range.end >= before ? turns.length : Math.min(range.end, turns.length);
  const start = Math.min(range.start, Math.max(0, end - 1));
  if (!follows || weight(turns, start, end) <= MOST) return { start, end };
  return { start: Math.max(start, back(turns, end, FIRST)), end };
}

/** How many turns were put before those known; negative: gone from there. Undefined: these are other turns altogether. */
export function shifted(
  known: readonly TranscriptTurn[],
  turns: readonly TranscriptTurn[],
): number | undefined {
  const first = known[0];
  const begins = turns[0];
  if (!first || !begins) return first === begins ? 0 : undefined;
  const added = turns.findIndex(({ turnId }) => turnId === first.turnId);
  if (added >= 0) return added;
  const gone = known.findIndex(({ turnId }) => turnId === begins.turnId);
  return gone >= 0 ? -gone : undefined;
}

function back(turns: readonly TranscriptTurn[], from: number, amount: number): number {
  let start = from;
  for (let left = amount; start > 0 && left > 0; start -= 1) left -= weightOf(turns[start - 1]);
  return start;
}

function forth(turns: readonly TranscriptTurn[], from: number, amount: number): number {
  let end = from;
  for (let left = amount; end < turns.length && left > 0; end += 1) left -= weightOf(turns[end]);
  return end;
}

function weight(turns: readonly TranscriptTurn[], start: number, end: number): number {
  return turns.slice(start, end).reduce((sum, turn) => sum + weightOf(turn), 0);
}

function weightOf(turn: TranscriptTurn | undefined): number {
  return 1 + (turn?.items.length ?? 0);
}
