/** What stands between a line's number and its text in read_file's answer: a tab would be ambiguous before indented text. */
const NUMBER_MARK = '→';

const PREFIX = /^[ \t]*\d+(?:→|\t)/;

/** A line as read_file shows it. */
export function numberedLine(number: number, text: string): string {
  return `${String(number).padStart(6)}${NUMBER_MARK}${text}`;
}

/**
 * Takes the line numbers off when every line of `oldText` carries one, and off `newText` when every line of it does too.
 * Undefined when there is nothing to take off. Both texts have `\n` only.
 */
export function stripLinePrefixes(
  oldText: string,
  newText: string,
): { readonly oldText: string; readonly newText: string; readonly note: string } | undefined {
  if (!everyLineNumbered(oldText)) return undefined;
  const both = everyLineNumbered(newText);
  return {
    oldText: strip(oldText),
    newText: both ? strip(newText) : newText,
    note: `line numbers of read_file were taken off oldText${both ? ' and newText' : ''}`,
  };
}

function everyLineNumbered(text: string): boolean {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.length > 0 && lines.every((line) => PREFIX.test(line));
}

function strip(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(PREFIX, ''))
    .join('\n');
}
