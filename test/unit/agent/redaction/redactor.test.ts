import { expect, test } from 'vitest';
import { createRedactor } from '#agent/redaction/redactor';
import { SHAPES } from '#agent/redaction/shapes';

const STORED = '[redacted: stored key]';
const redactor = (...values: string[]) => createRedactor(() => values, {});

test('values of the secret store and of variables that look like secrets are taken out, and named', () => {
  const { value } = createRedactor(() => ['stored-123456'], {
    MISTRAL_API_KEY: 'env-key-abcdef',
    GITHUB_TOKEN: 'gh-tokentoken',
    MYSQL_PWD: 'mysql-password',
    DATABASE_URL: 'postgres://app:database-password@db/app',
    PATH: '/usr/bin:/bin/long',
    PWD: '/home/me/project',
    SSH_AUTH_SOCK: '/tmp/ssh-agent.sock',
    TOKEN_PATH: '/home/me/token-file',
    GOOGLE_APPLICATION_CREDENTIALS: '/home/me/key.json',
    CREDENTIALS_DIRECTORY: '/run/credentials/x',
    GIT_ASKPASS: '/usr/lib/askpass',
  });
  const text =
    'stored-123456 env-key-abcdef gh-tokentoken mysql-password database-password /usr/bin:/bin/long /home/me/project /tmp/ssh-agent.sock /home/me/token-file /home/me/key.json /run/credentials/x /usr/lib/askpass';
  expect(value(text)).toBe(
    '[redacted: stored key] [redacted: value of MISTRAL_API_KEY] [redacted: value of GITHUB_TOKEN] [redacted: value of MYSQL_PWD] [redacted: password in DATABASE_URL] /usr/bin:/bin/long /home/me/project /tmp/ssh-agent.sock /home/me/token-file /home/me/key.json /run/credentials/x /usr/lib/askpass',
  );
});

test('values shorter than eight characters stay: they are ordinary words', () => {
  expect(redactor('1234567', '', '       x       ').value('1234567 x')).toBe('1234567 x');
});

test('a value that holds another goes whole', () => {
  expect(redactor('password', 'password-and-more').value('password-and-more password')).toBe(
    `${STORED} ${STORED}`,
  );
});

test('of values that overlap nothing is left', () => {
  expect(redactor('abcdefgh', 'efghijklmn').value('x abcdefghijklmn y')).toBe(`x ${STORED} y`);
});

test('a value with signs of regular expressions is taken literally', () => {
  expect(redactor('a.*+?^$()[]{}|\\/-z').value('x a.*+?^$()[]{}|\\/-z y')).toBe(`x ${STORED} y`);
});

test('a value is found inside JSON and inside a URL too', () => {
  const secret = 'line one\n"two"&three';
  const shown = `${JSON.stringify({ key: secret })} https://x/?k=${encodeURIComponent(secret)}`;
  expect(redactor(secret).value(shown)).toBe(`{"key":"${STORED}"} https://x/?k=${STORED}`);
});

test.each(['', 'u', 'us', 'user:'])('a value is found in the Base64 of “%s” and itself', (before) => {
  const secret = 'a-value-that-is-secret?>';
  const encoded = Buffer.from(`${before}${secret}`).toString('base64');
  const shown = redactor(secret).value(`x ${encoded} y`);
  expect(shown).toContain(STORED);
  expect(Buffer.from(shown, 'base64').toString()).not.toContain(secret.slice(4, 16));
  const url = Buffer.from(`${before}${secret}`).toString('base64url');
  expect(redactor(secret).value(`x ${url} y`)).toContain(STORED);
});

test('a key that was entered a moment ago counts', () => {
  const values: string[] = [];
  const { value } = createRedactor(() => values, {});
  expect(value('a-new-secret')).toBe('a-new-secret');
  values.push('a-new-secret');
  expect(value('a-new-secret')).toBe(STORED);
});

test('every string inside a value is redacted and nothing else changes', () => {
  const bytes = new Uint8Array([1]);
  const event = {
    type: 'x',
    n: 1,
    nothing: null,
    list: ['a', { body: 'is a-secret-value' }],
    bytes,
    gone: undefined,
  };
  const redacted = redactor('a-secret-value').value(event);
  expect(redacted).toEqual({ ...event, list: ['a', { body: `is ${STORED}` }] });
  expect(redacted.bytes).toBe(bytes);
});

test('a value without secrets is handed back itself', () => {
  const value = { a: ['b', { c: 'd' }] };
  expect(redactor('a-secret-value').value(value)).toBe(value);
});

test('half a surrogate pair in a secret breaks nothing', () => {
  expect(redactor('\ud800-secret-value').value('x \ud800-secret-value')).toBe(`x ${STORED}`);
});

test('redacting twice changes nothing more', () => {
  const { value } = createRedactor(() => ['redacted'], {});
  const once = value('https://me:pass-word@host and redacted');
  expect(once).toBe(`https://me:[redacted: URL password]@host and ${STORED}`);
  expect(redactor().value(once)).toBe(once);
});

test('the lines of a key in a diff are replaced one by one, so that line numbers stay right', () => {
  const body = 'MIIEpAIBAAKCAQEA7bq98V5W';
  const hunks = [
    {
      oldStart: 1,
      newStart: 1,
      lines: [
        ' before',
        '+-----BEGIN RSA PRIVATE KEY-----',
        `+${body}`,
        '+short==',
        '+-----END RSA PRIVATE KEY-----',
        ' const after = 1;',
      ],
    },
    { oldStart: 9, newStart: 12, lines: ['-cut: -----BEGIN PRIVATE KEY-----', `-${body}`, ' last'] },
  ];
  const mark = '[redacted: private key]';
  expect(
    redactor()
      .value(hunks)
      .map(({ lines }) => lines),
  ).toEqual([
    [' before', `+${mark}`, `+${mark}`, `+${mark}`, `+${mark}`, ' const after = 1;'],
    [`-cut: ${mark}`, `-${mark}`, ' last'],
  ]);
});

test('nothing that a person decides on can be hidden by making it look like a secret', () => {
  const { asked } = redactor('a-secret-value');
  const key = '-----BEGIN PRIVATE KEY-----\nbin/aaaaaaaaaaaaaaaaaaaa\n-----END PRIVATE KEY-----';
  const url = 'curl https://me:$(reboot)@host';
  expect(asked([key, url, 'curl https://me:pass@host -H a-secret-value'])).toEqual([
    key,
    url,
    `curl https://me:[redacted: URL password]@host -H ${STORED}`,
  ]);
});

test('a value of several lines is found as a terminal writes it, and in JSON inside JSON', () => {
  const { value } = redactor('first line\nsecond "line"');
  const inner = JSON.stringify({ a: 'first line\nsecond "line"' });
  expect(value(['first line\r\nsecond "line"', inner, JSON.stringify({ inner })])).toEqual([
    STORED,
    `{"a":"${STORED}"}`,
    `{"inner":"{\\"a\\":\\"${STORED}\\"}"}`,
  ]);
});

const SECRETS = ['line one\n"two"\\three', 'plain-secret-1', 'päß wörd 😀 long', 'tab\tand\u0001control'];

test('a value whose JSON can hold no secret holds none, however a secret is written', () => {
  const { value, mayHold } = redactor(...SECRETS);
  const shape = `ghp_${'a1'.repeat(20)}`;
  const written = SECRETS.flatMap((secret) => [
    secret,
    secret.replaceAll('\n', '\r\n'),
    JSON.stringify(secret),
    JSON.stringify(JSON.stringify(secret)),
    encodeURIComponent(secret),
    Buffer.from(`user:${secret}`).toString('base64'),
  ]);
  const key = [
    '-----BEGIN RSA PRIVATE KEY-----',
    'MIIEpAIBAAKCAQEA1234567890',
    '-----END RSA PRIVATE KEY-----',
  ];
  const bodies = [...written, shape, `https://me:${'p'.repeat(9)}@host/`, key.join('\n')].map((text) => ({
    list: [{ text: `before ${text} behind` }],
  }));
  for (const body of [...bodies, { lines: key }]) {
    expect(value(body)).not.toBe(body);
    expect(mayHold(JSON.stringify(body))).toBe(true);
  }
  const harmless = { text: 'nothing "here"\nat all', list: [1, true, null, 'a sha256 of 0123abcd'] };
  expect([mayHold(JSON.stringify(harmless)), value(harmless)]).toEqual([false, harmless]);
});

test('what a known shape begins with stands in JSON as it is', () => {
  const starts = SHAPES.flatMap((shape) => shape.starts);
  expect(starts.filter((start) => JSON.stringify(start) !== `"${start}"`)).toEqual([]);
});
