/** Cuts the middle out of a long text and says how much is gone. `limit` in UTF-16 units. */
export function headAndTail(
  text: string,
  limit: number,
): { readonly text: string; readonly omitted: number } {
  if (text.length <= limit) return { text, omitted: 0 };
  const head = wholeCharacters(text, 0, Math.ceil(limit / 2));
  const tail = wholeCharacters(text, text.length - Math.floor(limit / 2), text.length);
  const omitted = text.length - head.length - tail.length;
  return { text: `${head}\n… ${omitted} characters left out …\n${tail}`, omitted };
}

/** Cuts the end off a long text with an ellipsis. `limit` in UTF-16 units, the ellipsis included. */
export function truncate(text: string, limit: number): string {
  return text.length <= limit ? text : `${wholeCharacters(text, 0, Math.max(0, limit - 1))}…`;
}

/** How many elements (of a text: UTF-16 units) two sequences share at their beginning, and then at their end. */
export function commonEnds<T>(
  one: ArrayLike<T>,
  two: ArrayLike<T>,
): { readonly head: number; readonly tail: number } {
  const shorter = Math.min(one.length, two.length);
  let head = 0;
  while (head < shorter && one[head] === two[head]) head++;
  let tail = 0;
  while (tail < shorter - head && one[one.length - 1 - tail] === two[two.length - 1 - tail]) tail++;
  return { head, tail };
}

/**
 * How many whole lines, in UTF-16 units, two texts share at their beginning and then at their end: what remains of both is all
 * that a comparison needs to split into lines. At either end a line may be left that both share after all.
 */
export function commonLines(one: string, two: string): { readonly head: number; readonly tail: number } {
  const shorter = Math.min(one.length, two.length);
  const same = longest(shorter, (from, to) => one.slice(from, to) === two.slice(from, to));
  const head = same === 0 ? 0 : one.lastIndexOf('\n', same - 1) + 1;
  const behind = longest(
    shorter - head,
    (from, to) =>
      one.slice(one.length - to, one.length - from) === two.slice(two.length - to, two.length - from),
  );
  const lineEnd = one.indexOf('\n', one.length - behind);
  return { head, tail: behind === 0 || lineEnd < 0 ? 0 : one.length - lineEnd - 1 };
}

/** The largest length up to `limit` for which all is the same, found by halves: comparing slices costs far less than characters. */
function longest(limit: number, isSame: (from: number, to: number) => boolean): number {
  let [known, most] = [0, limit];
  while (known < most) {
    const middle = Math.ceil((known + most) / 2);
    if (isSame(known, middle)) known = middle;
    else most = middle - 1;
  }
  return known;
}

/** "1 file", "3 files". */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`;
}

/** Two names that a disk ignoring case and the form of accents takes for one fold to the same text. */
export function foldName(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

/** Text as a part of a regular expression that matches exactly it. */
export function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** Shows control, bidirectional and invisible characters as visible escapes; never removes one. */
export function revealInvisible(text: string): string {
  return text.replace(INVISIBLE, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
}

/** Others' words stay inside their line: they can't pass for another, or for the tool's own. Nothing in them is invisible. */
export function oneLine(text: string, limit: number): string {
  return truncate(
    revealInvisible(
      text
        .slice(0, 2 * limit)
        .replace(/\s+/g, ' ')
        .trim(),
    ),
    limit,
  );
}

/** True when `revealInvisible` would change the text. */
export function hasInvisible(text: string): boolean {
  return text.search(INVISIBLE) >= 0;
}

// Controls but tab and line feed, soft hyphen, joiners, odd spaces and blanks, zero-width, bidi marks, variation selectors, tags.
const INVISIBLE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;

/** A slice that never leaves half of a surrogate pair at either end. */
function wholeCharacters(text: string, start: number, end: number): string {
  const from = isLowSurrogate(text.charCodeAt(start)) ? start + 1 : start;
  const to = isLowSurrogate(text.charCodeAt(end)) ? end - 1 : end;
  return text.slice(from, to);
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
