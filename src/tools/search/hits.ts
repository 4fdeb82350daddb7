import { z } from 'zod';
import type { RelativePath } from '#protocol/ids';
import { pathOf } from '#tools/ripgrep';

/** One line that matched or stands beside one that did. */
export interface HitLine {
  readonly number: number;
  readonly text: string;
  readonly isMatch: boolean;
}

/** What was found in one file. `count` is how many lines match, as far as they were counted. */
export interface FileHits {
  readonly path: RelativePath;
  readonly count: number;
  readonly lines: readonly HitLine[];
}

/** Takes ripgrep's output line by line; `take` hears of each file once it is complete. */
export type LineReader = (line: string) => 'stop' | undefined;

const text = z.union([z.object({ text: z.string() }), z.object({ bytes: z.string() })]);
const lineData = z.object({
  lines: text,
  line_number: z.number().nullable(),
  submatches: z.array(z.object({ start: z.number(), end: z.number() })),
});
const message = z.discriminatedUnion('type', [
  z.object({ type: z.literal('begin'), data: z.object({ path: text.nullable() }) }),
  z.object({ type: z.literal('match'), data: lineData }),
  z.object({ type: z.literal('context'), data: lineData }),
  z.object({ type: z.literal('end'), data: z.object({ binary_offset: z.number().nullable() }) }),
  z.object({ type: z.literal('summary') }),
]);

/** Reads `--count --null`: a path, NUL, a number. A path may hold line feeds, so lines are joined until the NUL comes. */
export function countReader(take: (file: FileHits) => 'stop' | undefined): LineReader {
  let pending = '';
  return (line) => {
    const record = pending + line;
    const end = record.indexOf('\0');
    if (end < 0) {
      pending = `${record}\n`;
      return undefined;
    }
    pending = '';
    return take({ path: pathOf(record.slice(0, end)), count: Number(record.slice(end + 1)), lines: [] });
  };
}

/**
 * Reads `--files`. Every path begins with "./", so a line that doesn't goes on with the name before it: names may hold line
 * feeds. A path is therefore told when the next one begins; `end` tells the last.
 */
export function listReader(take: (path: RelativePath) => 'stop' | undefined): {
  readonly onLine: LineReader;
  end(): void;
} {
  let pending: string | undefined;
  const tell = () => {
    const path = pending;
    pending = undefined;
    return path === undefined ? undefined : take(pathOf(path));
  };
  return {
    onLine(line) {
      if (!line.startsWith('./')) {
        pending = `${pending ?? ''}\n${line}`;
        return undefined;
      }
      const verdict = tell();
      pending = line;
      return verdict;
    },
    end: () => void tell(),
  };
}

/** Reads `--json`. Binary files are left out; a file is told when it ends. */
export function jsonReader(take: (file: FileHits) => 'stop' | undefined): LineReader {
  let path = '' as RelativePath;
  let lines: HitLine[] = [];
  return (line) => {
    const parsed = message.safeParse(parseJson(line));
    if (!parsed.success) return undefined;
    const { data } = parsed;
    switch (data.type) {
      case 'begin':
        path = pathOf(data.data.path ? bytesOf(data.data.path).toString() : '');
        lines = [];
        return undefined;
      case 'match':
      case 'context':
        lines.push(...hitLines(data.data, data.type === 'match'));
        return undefined;
      case 'end': {
        const count = lines.filter((hit) => hit.isMatch).length;
        return data.data.binary_offset === null ? take({ path, count, lines }) : undefined;
      }
      case 'summary':
        return undefined;
    }
  };
}

/** A match over several lines comes as one; each becomes a line of its own. */
function hitLines(data: z.infer<typeof lineData>, isMatch: boolean): HitLine[] {
  const bytes = bytesOf(data.lines);
  const first = data.line_number ?? 1;
  const rows = bytes
    .toString()
    .replace(/\r?\n$/, '')
    .split(/\r?\n/);
  const start = data.submatches[0]?.start;
  const column = start === undefined ? 0 : bytes.subarray(0, start).toString().length;
  return rows.map((row, index) => ({
    number: first + index,
    text: windowOf(row, index === 0 ? column : 0),
    isMatch,
  }));
}

const WINDOW = 400;

/** A long line is shown around its match: what was searched for is never cut away. */
function windowOf(row: string, column: number): string {
  if (row.length <= WINDOW) return row;
  const from = Math.max(0, Math.min(column - WINDOW / 4, row.length - WINDOW));
  const end = Math.min(row.length, from + WINDOW);
  const shown = row.slice(from, end).toWellFormed();
  return `${from > 0 ? `…(${from} characters) ` : ''}${shown}${end < row.length ? ` …(${row.length - end} characters)` : ''}`;
}

function bytesOf(value: z.infer<typeof text>): Buffer {
  return 'text' in value ? Buffer.from(value.text) : Buffer.from(value.bytes, 'base64');
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // The last line of output that was cut off.
    return undefined;
  }
}
