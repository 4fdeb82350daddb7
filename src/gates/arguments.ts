import { canonicalJson } from '#base/hash';

/**
 * The arguments of a call as a value. Models call a tool without arguments in several ways (no text, `null`, `"null"`): each means an
 * empty object. Throws what JSON.parse throws.
 */
export function parseArguments(raw: string): unknown {
  if (raw.trim() === '') return {};
  const value: unknown = JSON.parse(raw);
  return value === null || value === '' || value === 'null' ? {} : value;
}

/** One text for all spellings of the same arguments: spaces and the order of keys make no other call. What isn't JSON is its own text. */
export function argumentsKey(raw: string): string {
  try {
    return canonicalJson(parseArguments(raw));
  } catch {
    return raw;
  }
}
