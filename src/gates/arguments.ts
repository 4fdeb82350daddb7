/**
 * The arguments of a call as a value. Models call a tool without arguments in several ways (no text, `null`, `"null"`): each means an
 * empty object. Throws what JSON.parse throws.
 */
export function parseArguments(raw: string): unknown {
  if (raw.trim() === '') return {};
  const value: unknown = JSON.parse(raw);
  return value === null || value === '' || value === 'null' ? {} : value;
}
