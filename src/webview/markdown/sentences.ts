const END = /[.!?…](?=\s)|[。！？]|\n\n/g;

/** How much of a text that still grows is whole sentences: a screen reader hears those, not tokens. */
export function spokenLength(text: string, from: number): number {
  let end = from;
  END.lastIndex = from;
  for (let match = END.exec(text); match; match = END.exec(text)) end = match.index + match[0].length;
  return end;
}
