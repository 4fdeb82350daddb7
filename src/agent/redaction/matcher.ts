import { escapeRegExp } from '#base/text';
import { SHAPES, type Shape } from './shapes';

/** Where in a text a secret stands, and what it is. `end` is behind it. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly what: string;
}

/** All the places where some shape may begin, in one pass: the longest start first. */
const STARTS = new Map<string, readonly Shape[]>();
for (const shape of SHAPES) {
  for (const start of shape.starts) STARTS.set(start, [...(STARTS.get(start) ?? []), shape]);
}
const START = alternation(STARTS.keys());

/** A private key, the longest, is held back no longer than this. */
const LONGEST_OPEN = 20_200;

/** Nothing known by its shape is shorter: `://:p@h`. */
const SHORTEST_SHAPE = 7;

/** Matches any of these texts, the longest first; undefined when there are none. */
export function alternation(texts: Iterable<string>): RegExp | undefined {
  const longestFirst = [...texts].sort((a, b) => b.length - a.length);
  return longestFirst.length === 0 ? undefined : new RegExp(longestFirst.map(escapeRegExp).join('|'), 'g');
}

/** Secrets by their shape, in order. In text that a person decides on (`asked`) nothing is taken that could hide what runs. */
export function shapesIn(text: string, asked: boolean): readonly Span[] {
  if (text.length < SHORTEST_SHAPE || START === undefined) return [];
  const spans: Span[] = [];
  START.lastIndex = 0;
  for (let found = START.exec(text); found !== null; found = START.exec(text)) {
    const span = shapeAt(text, found.index, STARTS.get(found[0]) ?? [], asked);
    if (span) spans.push(span);
    START.lastIndex = span?.end ?? found.index + 1;
  }
  return spans;
}

/** Whether a shape may begin anywhere in it. What a shape begins with stands in JSON as it is. */
export function mayHoldShape(json: string): boolean {
  return START !== undefined && json.search(START) >= 0;
}

/** Where known spellings stand, overlapping ones included, in order. */
export function valuesIn(
  text: string,
  spellings: ReadonlyMap<string, string>,
  matcher: RegExp,
): readonly Span[] {
  const spans: Span[] = [];
  matcher.lastIndex = 0;
  for (let found = matcher.exec(text); found !== null; found = matcher.exec(text)) {
    const [match] = found;
    const end = found.index + match.length;
    const last = spans.at(-1);
    if (last === undefined || end > last.end)
      spans.push({ start: found.index, end, what: spellings.get(match) ?? 'secret' });
    // Another value may begin inside this one and end behind it.
    matcher.lastIndex = found.index + 1;
  }
  return spans;
}

/** Where at the end of a text a secret of some shape may be coming in; the text's length when nowhere. */
export function openShape(text: string): number {
  if (START === undefined) return text.length;
  START.lastIndex = Math.max(0, text.length - LONGEST_OPEN);
  for (let found = START.exec(text); found !== null; found = START.exec(text)) {
    const { index } = found;
    const rest = text.slice(index + found[0].length);
    const shapes = (STARTS.get(found[0]) ?? []).filter((shape) => mayStandAt(text, index, shape));
    if (shapes.some(({ open, openFor = 4096 }) => rest.length <= openFor && open.test(rest))) return index;
    START.lastIndex = shapeAt(text, index, shapes, false)?.end ?? index + 1;
  }
  return text.length;
}

function shapeAt(text: string, at: number, shapes: readonly Shape[], asked: boolean): Span | undefined {
  for (const shape of shapes) {
    const pattern = asked ? (shape.asked ?? shape.pattern) : shape.pattern;
    if (pattern === false || !mayStandAt(text, at, shape)) continue;
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match) return { start: at + (match[1]?.length ?? 0), end: at + match[0].length, what: shape.what };
  }
  return undefined;
}

/** A key doesn't begin in the middle of a word, but behind an escape: `\nghp_…` in JSON, `%3Dghp_…` in a URL, a colour of a terminal. */
function mayStandAt(text: string, at: number, { notAfter }: Shape): boolean {
  if (notAfter === undefined || at === 0 || !notAfter.test(text.charAt(at - 1))) return true;
  return ESCAPE.test(text.slice(Math.max(0, at - LONGEST_ESCAPE), at));
}

const LONGEST_ESCAPE = 32;
const ESCAPE =
  /(?:\\[nrt]|%[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}|(?:\u001b|\\(?:x1[Bb]|u001[Bb]|0?33|e))\[[0-9;:]{0,20}[A-Za-z])$/;
