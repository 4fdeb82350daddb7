const END = /[.!?…](?=\s)|[。！？]|\n\n/g;

/** A text of the model, as far as it has come. */
export interface GrowingText {
  readonly key: string;
  readonly text: string;
  readonly streaming: boolean;
}

/** How far a turn has been read out: up to `length` of the text with that key, in UTF-16 units. */
export interface Spoken {
  readonly key: string;
  readonly length: number;
}

/** What of a turn's texts is to be read out now. While one still grows, only its whole sentences: nobody wants to hear tokens. */
export function newlySpoken(
  texts: readonly GrowingText[],
  before: Spoken | undefined,
): { readonly words: string; readonly spoken: Spoken | undefined } {
  const known = texts.findIndex(({ key }) => key === before?.key);
  let spoken = before;
  const pieces: string[] = [];
  for (const { key, text, streaming } of texts.slice(Math.max(0, known))) {
    const from = key === before?.key ? before.length : 0;
    const length = streaming ? endOfSentences(text, from) : text.length;
    pieces.push(text.slice(from, length));
    spoken = { key, length };
  }
  return { words: pieces.filter((piece) => piece !== '').join('\n'), spoken };
}

function endOfSentences(text: string, from: number): number {
  let end = from;
  END.lastIndex = from;
  for (let match = END.exec(text); match; match = END.exec(text)) end = match.index + match[0].length;
  return end;
}
