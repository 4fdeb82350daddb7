/** Stands where a secret's value stood. */
export const REDACTED = '[secret removed]';
