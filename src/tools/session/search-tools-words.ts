/** Most different words of a query that count. */
const MOST_WORDS = 16;
/** Characters of a text that are looked at, in UTF-16 units. */
const LONGEST = 2000;

const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
/** A run of one kind: of letters and digits with blanks between words, or of signs without. */
const RUNS = new RegExp(`${CJK.source}+|[^${CJK.source.slice(1, -1)}]+`, 'gu');
const WORDS = /[\p{L}\p{M}\p{N}]+/gu;

/** Words of a question that say nothing of what is looked for. */
const EMPTY = new Set(
  'a an and any are as at be by can do for from get how i in is it me my of on or that the this to use with'.split(
    ' ',
  ),
);

/** The words of a text by which it is found: blanks before, between and after. Split at `_`, `-`, blanks and capitals, without accents. */
export function indexed(text: string): string {
  return ` ${[...new Set(wordsOf(text))].join(' ')} `;
}

/** What is looked for. Words without a meaning of their own count only where there are no others. */
export function queryWords(query: string): readonly string[] {
  const words = [...new Set(wordsOf(query))];
  const telling = words.filter((word) => !EMPTY.has(word));
  return (telling.length > 0 ? telling : words).slice(0, MOST_WORDS);
}

/** Each word as it is written and, where capitals divide it, in its parts; of scripts without blanks each two signs. */
function wordsOf(text: string): string[] {
  const cut = text.slice(0, LONGEST);
  // Most tools speak ASCII, for which the classes of Unicode cost ten times as much.
  if (ASCII.test(cut)) return (cut.match(ASCII_WORDS) ?? []).flatMap(asciiParts);
  const plain = cut
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC');
  return (plain.match(WORDS) ?? []).flatMap((word) =>
    (word.match(RUNS) ?? []).flatMap((run) => (CJK.test(run) ? pairs(run) : parts(run))),
  );
}

const ASCII = /^[\x00-\x7f]*$/;
const ASCII_WORDS = /[A-Za-z0-9]+/g;

function asciiParts(word: string): string | string[] {
  return /[A-Z]/.test(word) ? parts(word) : word;
}

function parts(word: string): string[] {
  const divided = word
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(' ');
  return divided.length > 1 ? [divided.join(''), ...divided] : divided;
}

function pairs(run: string): string[] {
  const signs = [...run];
  return signs.length < 2 ? signs : signs.slice(1).map((sign, index) => `${signs[index]}${sign}`);
}
