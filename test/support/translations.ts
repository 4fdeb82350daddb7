/**
 * What is wrong with a translation: messages that it lacks, that are empty or have other placeholders, and texts for messages that
 * nobody says any more. `english` has the texts where `keys` are names instead of messages.
 */
export function faultsOf(
  keys: readonly string[],
  translated: Readonly<Record<string, string>>,
  english: Readonly<Record<string, string>> = Object.fromEntries(keys.map((key) => [key, key])),
): readonly string[] {
  const known = new Set(keys);
  return [
    ...keys.flatMap((key) => faultOf(key, english[key] ?? '', translated)),
    ...Object.keys(translated)
      .filter((key) => !known.has(key))
      .map((key) => `not said any more: ${key}`),
  ];
}

function faultOf(
  key: string,
  english: string,
  translated: Readonly<Record<string, string>>,
): readonly string[] {
  const text = Object.hasOwn(translated, key) ? translated[key] : undefined;
  if (text === undefined) return [`missing: ${key}`];
  if (text.trim() === '') return [`empty: ${key}`];
  return placeholders(text) === placeholders(english) ? [] : [`other placeholders: ${key}`];
}

/** Also the links and settings that texts of the manifest name. */
function placeholders(text: string): string {
  return [...new Set(text.match(/\{\d+\}|`[^`]*`|\]\([^)]*\)|\$\([\w-]+\)|#[\w.]+#/g))].sort().join(' ');
}
