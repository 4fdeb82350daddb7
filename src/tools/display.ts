import { headAndTail, truncate } from '#base/text';
import { DISPLAY_LIMIT, type DiffHunk, type Display, type DisplayField } from '#protocol/tool-result';

const TITLE_LIMIT = 500;
const FIELDS = 20;
const VALUE_LIMIT = 500;
const LINE_LIMIT = 1000;
/** Lines of a diff: each is four elements in the panel. */
const MOST_LINES = 500;

/** A display that can't flood a panel or an event, whatever it was. */
export function boundDisplay(display: Display): Display {
  const title = wholeWords(display.title, TITLE_LIMIT);
  const fields = display.fields ? { fields: display.fields.slice(0, FIELDS).map(boundField) } : {};
  if (display.kind === 'diff') return { ...display, title, ...fields, hunks: boundHunks(display.hunks) };
  const body =
    display.body.length > DISPLAY_LIMIT ? headAndTail(display.body, DISPLAY_LIMIT - 100).text : display.body;
  if (display.kind !== 'command') return { ...display, title, ...fields, body };
  return { ...display, title, ...fields, body, command: wholeWords(display.command, DISPLAY_LIMIT) };
}

/** The first lines of a text, whole, up to some characters: where a line is cut, what was a secret can't be known for one. */
export function firstLines(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const end = text.lastIndexOf('\n', limit);
  return end < 0 ? wholeWords(text, limit) : text.slice(0, end);
}

/** Keeps whole hunks, then part of one, until the display is full; long lines lose their end. The counts beside them tell what is missing. */
export function boundHunks(hunks: readonly DiffHunk[]): readonly DiffHunk[] {
  const kept: DiffHunk[] = [];
  let left = DISPLAY_LIMIT;
  let room = MOST_LINES;
  for (const hunk of hunks) {
    const lines: string[] = [];
    for (const line of hunk.lines) {
      const short = wholeWords(line, LINE_LIMIT);
      left -= short.length + 1;
      room -= 1;
      if (left < 0 || room < 0) break;
      lines.push(short);
    }
    if (lines.length > 0) kept.push({ ...hunk, lines });
    if (left < 0 || room < 0) break;
  }
  return kept;
}

const LONGEST_WORD = 600;
const IN_WORD = /[\w.~+/=:@%-]/;

/** Cuts before the word in which the limit falls, unless it is a very long one: of half a secret nobody knows what it was. */
function wholeWords(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const cut = limit - 1;
  let start = cut;
  while (start > 0 && cut - start < LONGEST_WORD && IN_WORD.test(text.charAt(start - 1))) start--;
  return truncate(text, start > 0 && cut - start < LONGEST_WORD ? start + 1 : limit);
}

function boundField(field: DisplayField): DisplayField {
  return { key: truncate(field.key, 100), value: wholeWords(field.value, VALUE_LIMIT) };
}
