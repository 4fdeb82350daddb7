import type { TextChange } from '#host/language/edits';

/**
 * What a text is after changes that a server made for it; undefined when they overlap or lie outside of it. A column past the end of
 * its line is that end, as the protocol of language servers says, and a change may end on a line past the last one: servers that
 * replace a whole text often do, and editors take it for the end. What is put in right before a replaced part comes first.
 */
export function changedText(text: string, changes: readonly TextChange[]): string | undefined {
  const lines = linesOf(text);
  const offset = ({ line, column }: TextChange['start']) => {
    const at = lines[line];
    return at === undefined || column < 0 ? Number.NaN : Math.min(at.start + column, at.end);
  };
  const spans = changes
    .map(({ start, end, text: by }) => ({
      from: offset(start),
      to: end.line >= lines.length ? text.length : offset(end),
      by,
    }))
    .sort((a, b) => a.from - b.from || a.to - b.to);
  let result = '';
  let done = 0;
  for (const { from, to, by } of spans) {
    if (!(from >= done && to >= from)) return undefined;
    result += text.slice(done, from) + by;
    done = to;
  }
  return result + text.slice(done);
}

/** Lines as the editor counts them, without their ends: a lone carriage return ends one too. */
function linesOf(text: string): readonly { readonly start: number; readonly end: number }[] {
  let start = 0;
  const lines = [...text.matchAll(/\r\n|\n|\r/g)].map(({ index, 0: end }) => {
    const line = { start, end: index };
    start = index + end.length;
    return line;
  });
  return [...lines, { start, end: text.length }];
}
