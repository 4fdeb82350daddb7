import type { TextChange } from '#host/intelligence';

/** What a text is after changes that a server made for it; undefined when they overlap or lie outside of it. */
export function changedText(text: string, changes: readonly TextChange[]): string | undefined {
  const starts = lineStarts(text);
  const offset = ({ line, column }: TextChange['start']) => {
    const start = starts[line];
    return start === undefined ? Number.NaN : Math.min(start + column, starts[line + 1] ?? text.length);
  };
  const spans = changes
    .map(({ start, end, text: by }) => ({ from: offset(start), to: offset(end), by }))
    .sort((a, b) => a.from - b.from);
  let result = '';
  let done = 0;
  for (const { from, to, by } of spans) {
    if (!(from >= done && to >= from)) return undefined;
    result += text.slice(done, from) + by;
    done = to;
  }
  return result + text.slice(done);
}

/** Lines as the editor counts them: a lone carriage return ends one too. */
function lineStarts(text: string): readonly number[] {
  return [0, ...[...text.matchAll(/\r\n|\n|\r/g)].map(({ index, 0: end }) => index + end.length)];
}
