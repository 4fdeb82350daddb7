import { headAndTail, truncate } from '#base/text';
import { DISPLAY_LIMIT, type DiffHunk, type Display, type DisplayField } from '#protocol/tool-result';

const TITLE_LIMIT = 500;
const FIELDS = 20;
const VALUE_LIMIT = 500;
const LINE_LIMIT = 1000;

/** A display that can't flood a panel or an event, whatever it was. */
export function boundDisplay(display: Display): Display {
  const title = truncate(display.title, TITLE_LIMIT);
  const fields = display.fields ? { fields: display.fields.slice(0, FIELDS).map(boundField) } : {};
  if (display.kind === 'diff') return { ...display, title, ...fields, hunks: boundHunks(display.hunks) };
  const body =
    display.body.length > DISPLAY_LIMIT ? headAndTail(display.body, DISPLAY_LIMIT - 100).text : display.body;
  if (display.kind !== 'command') return { ...display, title, ...fields, body };
  return { ...display, title, ...fields, body, command: truncate(display.command, DISPLAY_LIMIT) };
}

/** Keeps whole hunks, then part of one, until the display is full; long lines lose their end. */
export function boundHunks(hunks: readonly DiffHunk[]): readonly DiffHunk[] {
  const kept: DiffHunk[] = [];
  let left = DISPLAY_LIMIT;
  for (const hunk of hunks) {
    const lines: string[] = [];
    for (const line of hunk.lines) {
      const short = truncate(line, LINE_LIMIT);
      left -= short.length + 1;
      if (left < 0) break;
      lines.push(short);
    }
    if (lines.length > 0) kept.push({ ...hunk, lines });
    if (left < 0) break;
  }
  return kept;
}

function boundField(field: DisplayField): DisplayField {
  return { key: truncate(field.key, 100), value: truncate(field.value, VALUE_LIMIT) };
}
