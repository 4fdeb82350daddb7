import { truncate } from '#base/text';

const MOST_LINES = 20_000;
const LONGEST = 400;
const SHOWN = 3;
/** Below this share of common letter pairs two lines have nothing to do with each other. */
const ALIKE = 0.5;

/** Where in the text the wanted passage may have been meant, as a sentence with line numbers; empty when nothing is near. */
export function nearestLines(text: string, wanted: string): string {
  const lines = text.split('\n', MOST_LINES);
  const probe = longest(wanted.split('\n').map((line) => line.trim()));
  if (probe === '') return '';
  const same = lines.flatMap((line, index) => (line.trim() === probe ? [index + 1] : []));
  if (same.length > 0)
    return ` A line of it stands at ${numbers(same)}, so white space or the lines around it differ.`;
  const nearest = nearestLine(lines, probe);
  if (nearest === undefined) return '';
  return ` Nearest is line ${nearest + 1}: ${truncate((lines[nearest] ?? '').trim(), 200)}`;
}

/** "line 3", "lines 3, 9 and more". */
export function numbers(lines: readonly number[]): string {
  const shown = lines.slice(0, SHOWN).join(', ');
  return `${lines.length > 1 ? 'lines' : 'line'} ${shown}${lines.length > SHOWN ? ' and more' : ''}`;
}

function longest(lines: readonly string[]): string {
  return lines.reduce((best, line) => (line.length > best.length ? line : best), '').slice(0, LONGEST);
}

function nearestLine(lines: readonly string[], probe: string): number | undefined {
  const wanted = pairsOf(probe);
  let best: { readonly index: number; readonly score: number } | undefined;
  for (const [index, line] of lines.entries()) {
    const score = likeness(wanted, pairsOf(line.trim().slice(0, LONGEST)));
    if (score >= ALIKE && (best === undefined || score > best.score)) best = { index, score };
  }
  return best?.index;
}

/** Sørensen–Dice over letter pairs: 1 for the same pairs, 0 for none in common. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  let common = 0;
  for (const pair of b) if (a.has(pair)) common++;
  return (2 * common) / (a.size + b.size);
}

function pairsOf(text: string): Set<string> {
  const pairs = new Set<string>();
  for (let at = 0; at + 1 < text.length; at++) pairs.add(text.slice(at, at + 2));
  return pairs;
}
