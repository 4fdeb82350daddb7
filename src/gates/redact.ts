import { escapeRegExp } from '#base/text';
import { REDACTED } from '#protocol/redacted';

/** Shorter values are too likely to be ordinary words. In UTF-16 units. */
const SHORTEST = 8;

/** Takes secrets' values out of text that leaves the conversation. */
export interface Redactor {
  text(text: string): string;
  /** Every string inside a plain value; the value itself when there was nothing to take out. */
  value<T>(value: T): T;
}

/** Names of variables that hold secrets; `_PATH` and the like only say where one is. */
const SECRET_NAME =
  /TOKEN|SECRET|PASSW(?:OR)?D|PASSPHRASE|CREDENTIAL|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|_(?:KEY|PWD|AUTH)$/i;
const ONLY_A_PLACE = /_(?:PATH|FILE|DIR|HOME|SOCK|URL|URI|NAME|ID|USER|HOST)$/i;

/**
 * Redacts what the secret store holds now and what Belay's own environment holds under a secret's name.
 * `values` is asked each time, so that a key entered a moment ago counts; one matcher is kept until it changes.
 */
export function createRedactor(
  values: () => readonly string[],
  variables: Readonly<Record<string, string | undefined>>,
): Redactor {
  const fromEnvironment = Object.entries(variables).flatMap(([name, value]) =>
    value !== undefined && SECRET_NAME.test(name) && !ONLY_A_PLACE.test(name) ? [value] : [],
  );
  let known = '';
  let matcher: RegExp | undefined;
  const current = () => {
    const secrets = [...values(), ...fromEnvironment];
    const key = secrets.join('\0');
    if (key !== known) {
      known = key;
      matcher = matcherOf(secrets);
    }
    return matcher;
  };
  return {
    text(text) {
      const secrets = current();
      return secrets === undefined ? text : text.replace(secrets, REDACTED);
    },
    value(value) {
      const secrets = current();
      return secrets === undefined ? value : redactedValue(value, secrets);
    },
  };
}

/** One alternation for all, longest first, so that a value that holds another goes whole. */
function matcherOf(secrets: readonly string[]): RegExp | undefined {
  const spellings = new Set<string>();
  for (const secret of secrets) {
    const value = secret.trim();
    if (value.length < SHORTEST) continue;
    spellings.add(value);
    // As it stands inside JSON and inside a URL.
    spellings.add(JSON.stringify(value).slice(1, -1));
    spellings.add(encodeURIComponent(value.toWellFormed()));
  }
  if (spellings.size === 0) return undefined;
  const longestFirst = [...spellings].sort((a, b) => b.length - a.length);
  return new RegExp(longestFirst.map(escapeRegExp).join('|'), 'g');
}

function redactedValue<T>(value: T, secrets: RegExp): T {
  return redactInside(value, secrets) as T;
}

/** Copies only what changes: most events hold no secret. */
function redactInside(value: unknown, secrets: RegExp): unknown {
  if (typeof value === 'string') return value.replace(secrets, REDACTED);
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    const redacted = items.map((item) => redactInside(item, secrets));
    return redacted.some((item, index) => item !== items[index]) ? redacted : value;
  }
  if (typeof value !== 'object' || value === null || !isPlain(value)) return value;
  const entries = Object.entries(value);
  const redacted = entries.map(([key, inner]) => [key, redactInside(inner, secrets)] as const);
  return redacted.some(([, inner], index) => inner !== entries[index]?.[1])
    ? Object.fromEntries(redacted)
    : value;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
