import { redaction } from '#protocol/redacted';

const HEAD = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/;
const END = /-----END [A-Z0-9 ]{1,60}-----/;
/** As far as a key goes whose end isn't shown; in a diff a sign stands before each line. */
const BODY = /^[ +-]?[A-Za-z0-9+/=]{16,}\s*$/;
const MARK = redaction('private key');

/** A private key whose lines are strings of their own, as in a diff: each is replaced, so that line numbers stay right. */
export function withoutKeyLines(lines: readonly unknown[]): readonly unknown[] {
  if (!lines.some((line) => typeof line === 'string' && HEAD.test(line))) return lines;
  const ends = lines.map((line) => typeof line === 'string' && END.test(line));
  let inside = false;
  return lines.map((line, index) => {
    if (typeof line !== 'string') return line;
    // One that begins and ends in the same string is a text's own matter.
    if (HEAD.test(line) && !ends[index]) {
      inside = true;
      return line.replace(HEAD, MARK);
    }
    if (!inside) return line;
    inside = !ends[index] && (ends.includes(true, index) || BODY.test(line));
    const isKey = inside || ends[index];
    return isKey ? `${/^[ +-]/.exec(line)?.[0] ?? ''}${MARK}` : line;
  });
}
