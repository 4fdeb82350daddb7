const MARK = /\[redacted: [^\]\n]{1,120}\]/;

/** Stands where a secret stood, and says what it was: "[redacted: GitHub token]". */
export function redaction(what: string): string {
  return `[redacted: ${what}]`;
}

/** Whether a secret was taken out of a text: then it isn't what would run, and can't be edited as if it were. */
export function isRedacted(text: string): boolean {
  return MARK.test(text);
}
