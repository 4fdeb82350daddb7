import { withoutKeyLines } from './key-lines';
import { jsonMatcher, type Known, mayHold, replaced, spansOf } from './known';
import { alternation } from './matcher';
import { HeldText } from './stream';
import { type KnownValue, secretVariables, spellingsOf } from './values';

/** Takes secrets out of what leaves the conversation: values that are known, and what has the shape of one. */
export interface Redactor {
  /** Every string inside a plain value; the value itself when there was nothing to take out. */
  value<T>(value: T): T;
  /** Whether a value with this JSON may hold a secret. Where not, `value` would give it back as it is: one look instead of many. */
  mayHold(json: string): boolean;
  /**
   * The same for what a person decides on: nothing is taken out that could hide what would run. The lines of a private
   * key stay, for a shell would run others that look like them.
   */
  asked<T>(value: T): T;
  /** For text that comes in pieces. */
  stream(): HeldText;
}

/**
 * Redacts what the secret store holds and what Belay's own environment holds under a secret's name. `stored` is asked
 * each time, so that a key entered a moment ago counts; one matcher is kept until it says something else.
 */
export function createRedactor(
  stored: () => readonly string[],
  variables: Readonly<Record<string, string | undefined>>,
): Redactor {
  const known = knownValues(stored, secretVariables(variables));
  return {
    value(value) {
      const now = known();
      return redactInside(value, {
        text: (text) => redactText(text, now),
        lines: withoutKeyLines,
      }) as typeof value;
    },
    mayHold: (json) => mayHold(json, known()),
    asked(value) {
      const now = known();
      return redactInside(value, { text: (text) => redactText(text, now, true) }) as typeof value;
    },
    stream: () => new HeldText(known),
  };
}

function knownValues(stored: () => readonly string[], variables: readonly KnownValue[]): () => Known {
  let key: string | undefined;
  let known: Known;
  return () => {
    const values = stored();
    const now = values.join('\0');
    if (now === key) return known;
    key = now;
    const spellings = spellingsOf([...variables, ...values.map((value) => ({ what: 'stored key', value }))]);
    known = { spellings, matcher: alternation(spellings.keys()), inJson: jsonMatcher(spellings.keys()) };
    return known;
  };
}

function redactText(text: string, known: Known, asked = false): string {
  const spans = spansOf(text, known, asked);
  return spans.length === 0 ? text : replaced(text, spans);
}

interface Ways {
  text(text: string): string;
  /** For lists of lines. */
  lines?(lines: readonly unknown[]): readonly unknown[];
}

/** Copies only what changes: most events hold no secret. */
function redactInside(value: unknown, ways: Ways): unknown {
  if (typeof value === 'string') return ways.text(value);
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    const redacted = (ways.lines?.(items) ?? items).map((item) => redactInside(item, ways));
    return redacted.some((item, index) => item !== items[index]) ? redacted : value;
  }
  if (typeof value !== 'object' || value === null || !isPlain(value)) return value;
  const entries = Object.entries(value);
  const redacted = entries.map(([key, inner]) => [key, redactInside(inner, ways)] as const);
  return redacted.some(([, inner], index) => inner !== entries[index]?.[1])
    ? Object.fromEntries(redacted)
    : value;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
