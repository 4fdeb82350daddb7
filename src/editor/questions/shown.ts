import { revealInvisible, truncate } from '#base/text';
import { plainText } from '#editor/plain-text';

/** Others' words where the editor draws text as it is, such as its trees: one line, nothing hidden. */
export function shownText(text: string, limit = 200): string {
  return truncate(revealInvisible(text.replaceAll(/\s+/g, ' ').trim()), limit);
}

/** Others' words for a notification or below an input box, where links would be drawn. */
export function shownLine(text: string, limit = 200): string {
  return plainText(shownText(text, limit));
}

/** Others' words for a row of a list, which would draw `$(name)` as an icon. */
export function shownRow(text: string, limit = 200): string {
  return shownText(text, limit).replaceAll('$(', '\\$(');
}

/** Others' words as rows of a list, broken at spaces where there are some, at most `most` rows; the last one says that there is more. */
export function shownRows(text: string, width: number, most: number): readonly string[] {
  const rows = text
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .flatMap((line) => wrapped(revealInvisible(line.trim()), width))
    .filter((row) => row !== '');
  const shown = rows.length > most ? [...rows.slice(0, most - 1), '…'] : rows;
  return shown.map((row) => row.replaceAll('$(', '\\$('));
}

function wrapped(line: string, width: number): string[] {
  const rows: string[] = [];
  let rest = line;
  while (rest.length > width) {
    const space = rest.lastIndexOf(' ', width);
    const end = space > width / 2 ? space : width;
    rows.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return [...rows, rest];
}

/** "the MCP server x" at the beginning of a sentence. */
export function atStart(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
