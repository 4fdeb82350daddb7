/** A name as every model takes it: letters, digits, `_` and `-`, at most this long. */
export const LONGEST_NAME = 64;
/** What a tool of others may be called. */
export const LEGAL_NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

/** Others' word as a part of a legal name: each stretch of what isn't allowed becomes one `_`, so two words may come to the same. */
export function legalPart(word: string): string {
  return word.replace(/[^A-Za-z0-9_-]+/g, '_');
}
