import type { RelativePath } from '#protocol/ids';
import { pathOf } from '#tools/ripgrep';
import type { FileHits, HitLine, LineReader } from './hits';

/** Characters that are shown of one match. */
const SHOWN = 400;

/** For lines too long to be read whole: only what matches is written, with its place. */
export const MATCHES_ALONE: readonly string[] = [
  '--only-matching',
  '--with-filename',
  '--null',
  '--no-heading',
  '--line-number',
  '--column',
  `--max-columns=${SHOWN}`,
  '--max-columns-preview',
];

/** Reads what those arguments write, up to `limit` matches. A file whose name holds a line feed is left out. */
export function matchesReader(limit: number): { readonly onLine: LineReader; files(): readonly FileHits[] } {
  const found = new Map<RelativePath, HitLine[]>();
  let left = limit;
  return {
    onLine(line) {
      const hit = /^([^\0]+)\0(\d+):(\d+):(.*?)\r?$/s.exec(line);
      if (!hit) return undefined;
      const [, name = '', number = '', column = '', text = ''] = hit;
      const path = pathOf(name);
      const lines = found.get(path) ?? [];
      const before = Number(column) > 1 ? `…(${Number(column) - 1} bytes) ` : '';
      found.set(path, [...lines, { number: Number(number), text: `${before}${text}`, isMatch: true }]);
      left--;
      return left > 0 ? undefined : 'stop';
    },
    files: () => [...found].map(([path, lines]) => ({ path, count: lines.length, lines })),
  };
}
