import { commonEnds } from '#base/text';

/** The part in which two texts differ: `old` from `start` to `end` becomes `replacement`. Offsets in UTF-16 units. */
interface Difference {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** The smallest middle that differs, but never between the halves of a line end or of a character. */
export function differenceOf(old: string, text: string): Difference {
  let { head, tail } = commonEnds(old, text);
  while (cutsPair(old, head) || cutsPair(text, head)) head--;
  while (cutsPair(old, old.length - tail) || cutsPair(text, text.length - tail)) tail--;
  return { start: head, end: old.length - tail, replacement: text.slice(head, text.length - tail) };
}

function cutsPair(text: string, at: number): boolean {
  return /^(\r\n|[\ud800-\udbff][\udc00-\udfff])$/.test(text.slice(Math.max(0, at - 1), at + 1));
}
