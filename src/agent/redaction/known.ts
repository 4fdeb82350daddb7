import { redaction } from '#protocol/redacted';
import { alternation, mayHoldShape, type Span, shapesIn, valuesIn } from './matcher';
import { inJson } from './values';

/** Values that are known to be secrets, in all their spellings. */
export interface Known {
  /** What each spelling is. */
  readonly spellings: ReadonlyMap<string, string>;
  /** Any of them; undefined when there are none. */
  readonly matcher: RegExp | undefined;
  /** Any of them as it stands in JSON. */
  readonly inJson: RegExp | undefined;
}

/** A spelling inside a string of a value stands in the value's JSON as its own JSON does. */
export function jsonMatcher(spellings: Iterable<string>): RegExp | undefined {
  return alternation([...spellings].map(inJson));
}

/** May err to the safe side alone: by what stands in keys, or across two strings. */
export function mayHold(json: string, { inJson: matcher }: Known): boolean {
  return (matcher !== undefined && json.search(matcher) >= 0) || mayHoldShape(json);
}

/** All secrets of a text in order, merged where they overlap. What a value is called goes before what it looks like. */
export function spansOf(text: string, { spellings, matcher }: Known, asked = false): readonly Span[] {
  const values = matcher === undefined ? [] : valuesIn(text, spellings, matcher);
  const shapes = shapesIn(text, asked);
  if (values.length === 0 || shapes.length === 0) return merged([...values, ...shapes]);
  return merged([...values, ...shapes].sort((a, b) => a.start - b.start));
}

/** The text from some place on, with what the spans are instead of what they hold. */
export function replaced(text: string, spans: readonly Span[], from = 0): string {
  let out = '';
  let at = from;
  for (const { start, end, what } of spans) {
    if (end <= at) continue;
    out += text.slice(at, Math.max(at, start)) + redaction(what);
    at = end;
  }
  return at === 0 ? text : out + text.slice(at);
}

function merged(spans: readonly Span[]): readonly Span[] {
  const kept: Span[] = [];
  for (const span of spans) {
    const last = kept.at(-1);
    if (last === undefined || span.start >= last.end) kept.push(span);
    else if (span.end > last.end) kept[kept.length - 1] = { ...last, end: span.end };
  }
  return kept;
}
