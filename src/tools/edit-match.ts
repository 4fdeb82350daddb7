import { fail, ok, type Result } from '#base/result';
import { commonEnds, count } from '#base/text';
import { nearestLines, numbers } from './edit-hint';
import {
  keptApart,
  lineEndsNear,
  type Reading,
  readingOf,
  toLineFeeds,
  toOriginal,
  withLineEnds,
} from './line-ends';
import { stripLinePrefixes } from './line-prefix';
import { inTheStyleOf, straighten } from './quotes';
import { WRITE_LIMIT } from './text-file';

export interface Edit {
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll?: boolean | undefined;
}

/** What a list of edits made of a text. */
export interface Edited {
  readonly text: string;
  readonly replacements: number;
  /** 1-based lines of the new text where each replacement begins, in the order of the edits; bounded. */
  readonly lines: readonly number[];
  /** How the passage was found, when it wasn't found as given. */
  readonly notes: readonly string[];
}

const MOST_LINES_NAMED = 10;
/** Enough to know that a passage is not unique; more would only cost time. */
const MOST_COUNTED = 1000;

/**
 * Applies edits one after another, each to what the one before left, all or none. Bytes outside the passages
 * that really differ stay as they are, mixed line ends included. The error is a sentence that says what to do instead.
 */
export function applyEdits(text: string, edits: readonly Edit[]): Result<Edited, string> {
  let edited: Edited = { text, replacements: 0, lines: [], notes: [] };
  for (const [index, edit] of edits.entries()) {
    const which = edits.length > 1 ? `edit ${index + 1} of ${edits.length}: ` : '';
    const next = applyEdit(edited.text, edit);
    if (!next.ok) return fail(`${which}${next.error}`);
    edited = {
      text: next.value.text,
      replacements: edited.replacements + next.value.replacements,
      lines: [...edited.lines, ...next.value.lines].slice(0, MOST_LINES_NAMED),
      notes: [...edited.notes, ...next.value.notes.map((note) => `${which}${note}`)],
    };
  }
  return edited.text === text ? fail('the edits take each other back, so nothing would change') : ok(edited);
}

/** A passage of the reading, end exclusive. */
interface Span {
  readonly start: number;
  readonly end: number;
}

interface Passages {
  /** Both with `\n` for every line end. */
  readonly oldText: string;
  readonly newText: string;
}

interface Match extends Passages {
  readonly spans: readonly Span[];
  readonly note?: string;
  readonly quotes?: boolean;
}

function applyEdit(text: string, edit: Edit): Result<Edited, string> {
  if (edit.oldText === '')
    return fail('oldText is empty; give the passage to replace, or use write_file for a new file');
  const reading = readingOf(text);
  const wanted = { oldText: toLineFeeds(edit.oldText), newText: toLineFeeds(edit.newText) };
  if (wanted.oldText === wanted.newText) return fail(sameWords(edit));
  const match = findMatch(reading.text, wanted, edit.replaceAll === true);
  if (match === undefined)
    return fail(`oldText was not found; read it again.${nearestLines(reading.text, wanted.oldText)}`);
  if (edit.replaceAll !== true && match.spans.length > 1) return fail(notUnique(reading.text, match.spans));
  const growth = match.spans.length * (match.newText.length - match.oldText.length);
  if (text.length + growth > WRITE_LIMIT) return fail('the result would be over 1 MB; change less at a time');
  const fallback = edit.newText.includes('\r\n') ? '\r\n' : '\n';
  const replaced = replaceSpans(text, reading, match, fallback);
  if (replaced.text === text) return fail('the file already reads like newText, so nothing would change');
  return ok({
    ...replaced,
    replacements: match.spans.length,
    notes: match.note === undefined ? [] : [match.note],
  });
}

function sameWords({ oldText, newText }: Edit): string {
  return oldText === newText
    ? 'oldText and newText are the same, so nothing would change'
    : 'oldText and newText differ in line ends alone, which an edit keeps; change those with a command';
}

/** The exact text first; only then the two normalisations, in this order. */
function findMatch(text: string, wanted: Passages, all: boolean): Match | undefined {
  const exact = occurrences(text, wanted.oldText, all);
  if (exact.length > 0) return { ...wanted, spans: exact };
  const stripped = stripLinePrefixes(wanted.oldText, wanted.newText);
  if (stripped !== undefined && stripped.oldText !== '') {
    const spans = occurrences(text, stripped.oldText, all);
    if (spans.length > 0) return { ...stripped, spans };
  }
  const spans = occurrences(straighten(text), straighten(wanted.oldText), all);
  if (spans.length === 0) return undefined;
  const note = "curly and straight quotes were taken as equal; the file's own style was kept";
  return { ...wanted, spans, note, quotes: true };
}

/** To replace all: from left to right without overlaps. Else overlapping ones count too: "aa" is twice in "aaa". */
function occurrences(text: string, wanted: string, all: boolean): Span[] {
  const found: Span[] = [];
  const step = all ? wanted.length : 1;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + step)) {
    found.push({ start: at, end: at + wanted.length });
    if (!all && found.length === MOST_COUNTED) break;
  }
  return found;
}

function replaceSpans(
  text: string,
  reading: Reading,
  match: Match,
  fallback: string,
): { text: string; lines: number[] } {
  const parts: string[] = [];
  const lines: number[] = [];
  let from = 0;
  let line = 1;
  const endNear = lineEndsNear(text, fallback);
  for (const span of match.spans) {
    const old = reading.text.slice(span.start, span.end);
    const next = match.quotes ? inTheStyleOf(old, match.newText) : match.newText;
    // Only what differs is written: line ends that both texts share stay as they are.
    const { head, tail } = commonEnds(old, next);
    const start = toOriginal(reading, span.start + head);
    const end = toOriginal(reading, span.end - tail);
    const untouched = text.slice(from, start);
    const before = untouched.slice(-1) || (parts.at(-1) ?? '').slice(-1);
    const written = withLineEnds(next.slice(head, next.length - tail), text, { start, end }, endNear);
    const put = keptApart(written, before, text.charAt(end));
    line += countLineEnds(untouched);
    if (lines.length < MOST_LINES_NAMED) lines.push(line);
    line += countLineEnds(put);
    parts.push(untouched, put);
    from = end;
  }
  parts.push(text.slice(from));
  return { text: parts.join(''), lines };
}

function notUnique(text: string, spans: readonly Span[]): string {
  const lines: number[] = [];
  let line = 1;
  let from = 0;
  for (const span of spans.slice(0, MOST_LINES_NAMED)) {
    line += countLineEnds(text.slice(from, span.start));
    from = span.start;
    lines.push(line);
  }
  const times = `${spans.length === MOST_COUNTED ? 'at least ' : ''}${count(spans.length, 'time')}`;
  return `oldText occurs ${times} (${numbers([...new Set(lines)])}); add lines around it to make it unique, or set replaceAll`;
}

function countLineEnds(text: string): number {
  return text.match(/\r\n|\n|\r/g)?.length ?? 0;
}
