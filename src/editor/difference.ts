/** The part in which two texts differ: `old` from `start` to `end` becomes `replacement`. Offsets in UTF-16 units. */
export interface Difference {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** The smallest middle that differs, but never between the halves of a line end or of a character. */
export function differenceOf(old: string, text: string): Difference {
  const shorter = Math.min(old.length, text.length);
  let head = 0;
  while (head < shorter && old.charCodeAt(head) === text.charCodeAt(head)) head++;
  let tail = 0;
  while (
    tail < shorter - head &&
    old.charCodeAt(old.length - 1 - tail) === text.charCodeAt(text.length - 1 - tail)
  )
    tail++;
  while (cutsPair(old, head) || cutsPair(text, head)) head--;
  while (cutsPair(old, old.length - tail) || cutsPair(text, text.length - tail)) tail--;
  return { start: head, end: old.length - tail, replacement: text.slice(head, text.length - tail) };
}

function cutsPair(text: string, at: number): boolean {
  return /^(\r\n|[\ud800-\udbff][\udc00-\udfff])$/.test(text.slice(Math.max(0, at - 1), at + 1));
}
