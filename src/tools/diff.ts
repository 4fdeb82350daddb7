import { structuredPatch } from 'diff';
import { commonEnds, commonLines } from '#base/text';
import type { DiffHunk, Display, FileOperation } from '#protocol/tool-result';
import { boundHunks } from './display';
import { toLineFeeds } from './line-ends';
import { splitLines } from './text-file';

export interface LineDiff {
  readonly added: number;
  readonly removed: number;
  readonly hunks: readonly DiffHunk[];
}

const CONTEXT = 3;
/** A total rewrite of a long file takes the library 20 s unless it is stopped. */
const BOUNDS = { timeout: 200, maxEditLength: 1000 };

/** Compares by lines, line ends aside. Common head and tail are cut off first, and time is bounded: past it all lines count as changed. */
export function diffLines(before: string, after: string): LineDiff {
  const part = differingPart(toLineFeeds(before), toLineFeeds(after));
  const old = splitLines(part.old);
  const now = splitLines(part.now);
  const { head, tail } = commonEnds(old, now);
  if (head === old.length && head === now.length) return { added: 0, removed: 0, hunks: [] };
  const skipped = Math.max(0, head - CONTEXT);
  const kept = Math.max(0, tail - CONTEXT);
  const hunks = hunksOf(
    old.slice(skipped, old.length - kept),
    now.slice(skipped, now.length - kept),
    part.linesBefore + skipped,
  );
  const count = (mark: string) =>
    hunks.reduce((sum, hunk) => sum + hunk.lines.filter((line) => line[0] === mark).length, 0);
  return { added: count('+'), removed: count('-'), hunks };
}

/** What differs of two texts, with the lines around it that a hunk shows: a small change to a long file is cheap. */
function differingPart(
  before: string,
  after: string,
): { readonly old: string; readonly now: string; readonly linesBefore: number } {
  const { head, tail } = commonLines(before, after);
  let from = head;
  for (let line = 0; line < CONTEXT && from > 0; line++)
    from = from < 2 ? 0 : before.lastIndexOf('\n', from - 2) + 1;
  let to = before.length - tail;
  for (let line = 0; line < CONTEXT && to < before.length; line++) to = endOfLine(before, to);
  return {
    old: before.slice(from, to),
    now: after.slice(from, to + after.length - before.length),
    linesBefore: before.slice(0, from).split('\n').length - 1,
  };
}

/** Where the line that begins at a position ends, its line feed included. */
function endOfLine(text: string, start: number): number {
  const at = text.indexOf('\n', start);
  return at < 0 ? text.length : at + 1;
}

export interface DiffRequest {
  readonly path: string;
  readonly operation: FileOperation;
  readonly from?: string;
  /** Undefined where there was no text: a new file, bytes that aren't text. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** A change as people see it; bounded. */
export function diffDisplay(request: DiffRequest): Display {
  const { path, operation, from, before = '', after = '' } = request;
  const { added, removed, hunks } = diffLines(before, after);
  return {
    kind: 'diff',
    title: from === undefined ? path : `${from} → ${path}`,
    path,
    operation,
    ...(from === undefined ? {} : { from }),
    added,
    removed,
    hunks: boundHunks(hunks),
  };
}

function hunksOf(old: readonly string[], now: readonly string[], skipped: number): readonly DiffHunk[] {
  const patch = structuredPatch('', '', join(old), join(now), '', '', { context: CONTEXT, ...BOUNDS });
  if (patch === undefined) {
    const lines = [...old.map((line) => `-${line}`), ...now.map((line) => `+${line}`)];
    return [{ oldStart: skipped + 1, newStart: skipped + 1, lines }];
  }
  return patch.hunks.map((hunk) => ({
    oldStart: hunk.oldStart + skipped,
    newStart: hunk.newStart + skipped,
    lines: hunk.lines,
  }));
}

function join(lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}
