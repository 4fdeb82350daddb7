import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRedactor } from '#agent/redaction/redactor';
import { processorSeconds } from '#test/support/processor';

const TOKEN = `gh${'p_'}aB3dE5gH7jK9mN2pQ4rS6tU8vWaB3dE5gH7j`;
const KEY = `-----BEGIN RSA PRIVATE KEY-----\n${'MIIEpAIBAAKCAQEA7bq98V5W\n'.repeat(12)}-----END RSA PRIVATE KEY-----`;
const VALUE = 'correct horse battery';
const redactor = createRedactor(() => [VALUE], {});

/** What was shown after each piece, and at the end. */
function streamed(pieces: readonly string[]): readonly string[] {
  const stream = redactor.stream();
  return [...pieces.map((piece) => stream.push(piece)), stream.flush()];
}

test('ordinary text is shown as it comes', () => {
  expect(streamed(['I', "'ll look at ", 'src/a.ts', ' first: ', 'risk-', 'free'])).toEqual([
    'I',
    "'ll look at ",
    'src/a.ts',
    ' first: ',
    'risk-',
    'free',
    '',
  ]);
});

test('a secret that comes in pieces is never shown, and what follows is', () => {
  expect(streamed(['is gh', 'p_aB3dE5gH7jK9', TOKEN.slice(16), ' ok'])).toEqual([
    'is gh',
    '',
    '',
    '[redacted: GitHub token] ok',
    '',
  ]);
});

test('what only began like a secret is shown in the end', () => {
  expect(streamed(['use sk-', 'learn', ' now', ' correct h', 'at'])).toEqual([
    'use ',
    '',
    'sk-learn now',
    ' ',
    'correct hat',
    '',
  ]);
});

const SECRETS = [
  TOKEN,
  KEY,
  VALUE,
  `https://me:pass-word@host/x`,
  'Authorization: Bearer abcdefgh12345678',
  JSON.stringify(KEY),
];

/** The first letters of a prefix tell nothing and may have been shown. */
const rest = (text: string) => text.replace(/\S{0,24}\[redacted/g, '[redacted');

test('however it is cut, as much is shown as of the whole, and nothing of a secret before', () => {
  const piece = fc.oneof(
    fc.constantFrom(...SECRETS),
    fc.constantFrom(' ', '\n', 'sk-', '://', 'a', '", '),
    fc.string({ maxLength: 12 }),
  );
  const property = fc.property(
    fc.array(piece, { maxLength: 8 }),
    fc.array(fc.nat(400), { maxLength: 20 }),
    (parts, cuts) => {
      const text = parts.join(' ');
      const places = [...new Set([0, ...cuts.map((cut) => cut % (text.length + 1)), text.length])].sort(
        (a, b) => a - b,
      );
      const pieces = places.slice(1).map((place, index) => text.slice(places[index], place));
      const shown = streamed(pieces).join('');
      expect(rest(shown)).toBe(rest(redactor.value(text)));
      for (const secret of [
        TOKEN.slice(6),
        VALUE.slice(4),
        'MIIEpAIBAAKCAQEA7bq98V5W',
        'pass-word',
        'abcdefgh12345678',
      ])
        expect(shown).not.toContain(secret);
    },
  );
  fc.assert(property, { numRuns: 1000 });
});

test.each(['ghp_', 'sk-', '://', '-----BEGIN ', 'eyJ', 'Authorization: '])(
  'a flood of beginnings is let through in time: %s',
  async (piece) => {
    const stream = redactor.stream();
    const taken = await processorSeconds(() => {
      for (let chunk = 0; chunk < 8; chunk++) stream.push(piece.repeat(65_536 / piece.length));
    });
    expect(taken).toBeLessThan(5);
  },
);

test('what seems never to end is not held back for ever', () => {
  const stream = redactor.stream();
  stream.push('-----BEGIN PRIVATE KEY-----\n');
  let shown = '';
  for (let line = 0; line < 1000; line++) shown += stream.push('just words and more words, no key at all\n');
  expect(shown).toContain('just words and more words');
});
