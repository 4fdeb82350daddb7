import { numberedLine } from '#tools/line-prefix';
import { splitLines } from '#tools/text-file';

export const PAGE_LINES = 2000;
/** Bytes of file text that one page shows at most. */
export const PAGE_BYTES = 100_000;
const LINE_LIMIT = 2000;

export interface Page {
  readonly lines: readonly string[];
  /** First and last line shown, 1-based; `to` is below `from` when there is none. */
  readonly from: number;
  readonly to: number;
  /** Lines of the whole text, as far as it is known. */
  readonly total: number;
  /** Lines whose end was cut off. */
  readonly cut: readonly number[];
}

interface Request {
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
}

/**
 * Cuts one page out of a text: whole lines, numbered, at most so many lines and bytes, at least one line. The text may be that of a
 * part: it begins with line `first`, and with `more` its last line may go on.
 */
export function pageOf(
  text: string,
  request: Request,
  { first, more }: { readonly first: number; readonly more: boolean } = { first: 1, more: false },
): Page {
  const all = splitLines(text);
  const total = first - 1 + all.length;
  const from = request.offset ?? 1;
  const last = Math.min(total, from - 1 + (request.limit ?? PAGE_LINES));
  const lines: string[] = [];
  const cut: number[] = [];
  let bytes = 0;
  for (let number = from; number <= last; number++) {
    const line = all[number - first] ?? '';
    const isPiece = more && number === total && !text.endsWith('\n');
    const shown = line.length > LINE_LIMIT ? cutLine(line, isPiece) : line;
    bytes += Buffer.byteLength(shown) + 1;
    if (bytes > PAGE_BYTES && lines.length > 0) break;
    if (shown !== line) cut.push(number);
    lines.push(numberedLine(number, shown));
  }
  return { lines, from, to: from + lines.length - 1, total, cut };
}

/** Runs of lines that were shown to their end. */
export function wholeRuns(page: Page): { readonly from: number; readonly to: number }[] {
  const runs: { from: number; to: number }[] = [];
  let from = page.from;
  for (const number of [...page.cut, page.to + 1]) {
    if (number > from) runs.push({ from, to: number - 1 });
    from = number + 1;
  }
  return runs;
}

function cutLine(line: string, isPiece: boolean): string {
  const end = line.isWellFormed() && !line.slice(0, LINE_LIMIT).isWellFormed() ? LINE_LIMIT - 1 : LINE_LIMIT;
  const left = `${isPiece ? 'at least ' : ''}${line.length - end}`;
  return `${line.slice(0, end)}… (${left} more characters in this line)`;
}
