/** Writing without spaces between words: searched by pairs of characters. */
const RUN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々〆]+/u;
const RUNS = new RegExp(RUN, 'gu');
/** What the index keeps; everything else parts words. */
const KEPT = /[\p{L}\p{N}\p{M}\p{Co}]+|\p{So}/gu;

/** Most characters of one text that are searched, most words of a query and most characters of each. */
const LONGEST_TEXT = 200_000;
const MOST_WORDS = 24;
const LONGEST_WORD = 64;

/** A text as the index takes it: runs without spaces as pairs, each character also as the beginning of some word. */
export function indexable(text: string): string {
  return plain(text.slice(0, LONGEST_TEXT))
    .replace(RUNS, (run) => ` ${pairs(run)} `)
    .replace(/\p{So}/gu, ' $& ');
}

/** The words of a query, each a piece that stands together. Whatever is typed is text: no sign in it is an operator. */
export function queryWords(query: string): readonly string[] {
  const words = plain(query.slice(0, 10_000)).match(KEPT) ?? [];
  return [...new Set(words.flatMap(parted))].slice(0, MOST_WORDS);
}

/** A query in the index's language: all of the words, each from its beginning. Undefined: there is nothing to look for. */
export function matchOf(query: string): string | undefined {
  const words = queryWords(query).map((word) => {
    const characters = [...word];
    if (!RUN.test(word) || characters.length === 1) return `"${word}"*`;
    return `"${characters
      .slice(1)
      .map((character, index) => `${characters[index]}${character}`)
      .join(' ')}"`;
  });
  return words.length === 0 ? undefined : words.join(' ');
}

/** One case and no accents, character by character, so that places stay places as far as they can. */
export function folded(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

function plain(text: string): string {
  return text.toWellFormed().replaceAll('\0', ' ').normalize('NFC');
}

/** A word in which writings meet is several. */
function parted(word: string): readonly string[] {
  const runs = word.match(RUNS) ?? [];
  const others = word.split(RUNS).filter((part) => part !== '');
  return [...others, ...runs].map((part) => [...part].slice(0, LONGEST_WORD).join(''));
}

function pairs(run: string): string {
  const characters = [...run];
  return characters.map((character, index) => `${character}${characters[index + 1] ?? ''}`).join(' ');
}
