import { commonEnds } from '#base/text';

/** Curly quotes as straight ones, position by position. */
export function straighten(text: string): string {
  return text.replace(/[‘’]/g, "'").replace(/[“”]/g, '"');
}

/**
 * Writes `newText` in the quotes of the passage it replaces. What both have in common at either end keeps the passage's
 * own characters; in between a kind of quote is curled or straightened when the passage has it in one style only.
 */
export function inTheStyleOf(passage: string, newText: string): string {
  const { head, tail } = commonEnds(straighten(passage), straighten(newText));
  const before = passage.slice(0, head);
  const middle = newText.slice(head, newText.length - tail);
  return before + restyle(middle, before, passage) + passage.slice(passage.length - tail);
}

function restyle(text: string, before: string, passage: string): string {
  let styled = text;
  for (const { straight, open, close } of [
    { straight: "'", open: '‘', close: '’' },
    { straight: '"', open: '“', close: '”' },
  ]) {
    const curly = passage.includes(open) || passage.includes(close);
    if (curly === passage.includes(straight)) continue;
    styled = curly
      ? styled.replaceAll(straight, (_quote, at: number) =>
          opens(before + styled, before.length + at) ? open : close,
        )
      : styled.replaceAll(open, straight).replaceAll(close, straight);
  }
  return styled;
}

/** A quote opens at the beginning, after white space, and after brackets, dashes and other opening quotes. */
function opens(text: string, at: number): boolean {
  return at === 0 || /[\s([{<—–\-=‘“]/.test(text.charAt(at - 1));
}
