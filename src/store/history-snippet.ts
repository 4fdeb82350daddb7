import type { SnippetPart } from '#protocol/history';
import { folded, queryWords } from './history-words';

/** Characters before the first hit, and of the whole. */
const BEFORE = 40;
const LENGTH = 160;
/** A word, a picture sign, or one character of what is written without spaces. */
const TOKEN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々〆]+|[\p{L}\p{N}\p{M}\p{Co}]+|\p{So}/gu;

interface Span {
  readonly from: number;
  readonly to: number;
}

/** The part of `text` in which the words of `query` first stand, on one line. */
export function snippet(text: string, query: string): readonly SnippetPart[] {
  const line = text.toWellFormed().slice(0, 200_000).normalize('NFC').replace(/\s+/g, ' ').trim();
  const hits = hitsIn(line, queryWords(query));
  const start = edge(line, Math.max(0, (hits[0]?.from ?? 0) - BEFORE));
  const end = edge(line, Math.min(line.length, start + LENGTH));
  const parts: SnippetPart[] = [];
  let at = start;
  const add = (to: number, hit: boolean) => {
    if (to > at) parts.push({ text: line.slice(at, to), hit });
    at = Math.max(at, to);
  };
  if (start > 0) parts.push({ text: '…', hit: false });
  for (const { from, to } of hits) {
    if (from >= end) break;
    if (from < at) continue;
    add(from, false);
    add(Math.min(to, end), true);
  }
  add(end, false);
  if (end < line.length) parts.push({ text: '…', hit: false });
  return parts;
}

function hitsIn(line: string, words: readonly string[]): readonly Span[] {
  const wanted = words.map(folded).filter((word) => word !== '');
  const spans: Span[] = [];
  for (const match of line.matchAll(TOKEN)) {
    const [token] = match;
    const here = folded(token);
    for (const word of wanted) {
      const inside = here.startsWith(word) ? 0 : joined(token) ? token.indexOf(word) : -1;
      if (inside < 0) continue;
      const length = joined(token) ? word.length : token.length;
      spans.push({ from: match.index + inside, to: match.index + inside + length });
      break;
    }
  }
  return spans;
}

function joined(token: string): boolean {
  return /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(token);
}

/** A cut never goes through a character. */
function edge(text: string, at: number): number {
  const low = text.charCodeAt(at);
  return low >= 0xdc00 && low <= 0xdfff ? at + 1 : at;
}
