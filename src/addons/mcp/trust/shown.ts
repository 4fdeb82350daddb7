import { headAndTail, revealInvisible } from '#base/text';

/** No person reads more; the editor's comparison ends somewhere there too. In UTF-16 units. */
const LONGEST = 2 * 1024 * 1024;

/**
 * A value for people: JSON with one value a line, texts of several lines as lists of lines, and every character that can't be seen or
 * turns the writing's direction as an escape (`\u{202e}`, `\u{e0041}`). A backslash that really stands there is doubled, as JSON has it,
 * so nothing can be read as an escape that isn't one. Of what is far too long the middle is left out, and it says so.
 */
export function shown(value: unknown): string {
  return headAndTail(revealInvisible(JSON.stringify(byLines(value), null, 2) ?? ''), LONGEST).text;
}

function byLines(value: unknown): unknown {
  if (typeof value === 'string') return value.includes('\n') ? { lines: value.split('\n') } : value;
  if (Array.isArray(value)) return value.map(byLines);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, byLines(inner)]));
}
