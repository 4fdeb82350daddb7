import { expect, test } from 'vitest';
import { createRedactor } from '#gates/redact';
import { REDACTED } from '#protocol/redacted';

test('values of the secret store and of variables that look like secrets are taken out', () => {
  const redactor = createRedactor(() => ['sk-stored-123456'], {
    OPENAI_API_KEY: 'env-key-abcdef',
    GITHUB_TOKEN: 'ghp_tokentoken',
    MYSQL_PWD: 'mysql-password',
    PATH: '/usr/bin:/bin/long',
    PWD: '/home/me/project',
    SSH_AUTH_SOCK: '/tmp/ssh-agent.sock',
    TOKEN_PATH: '/home/me/token-file',
  });
  const text =
    'sk-stored-123456 env-key-abcdef ghp_tokentoken mysql-password /usr/bin:/bin/long /home/me/project /tmp/ssh-agent.sock /home/me/token-file';
  expect(redactor.text(text)).toBe(
    `${REDACTED} ${REDACTED} ${REDACTED} ${REDACTED} /usr/bin:/bin/long /home/me/project /tmp/ssh-agent.sock /home/me/token-file`,
  );
});

test('values shorter than eight characters stay: they are ordinary words', () => {
  expect(createRedactor(() => ['1234567', '', '       x       '], {}).text('1234567 x')).toBe('1234567 x');
});

test('a value that holds another goes whole', () => {
  const redactor = createRedactor(() => ['password', 'password-and-more'], {});
  expect(redactor.text('password-and-more password')).toBe(`${REDACTED} ${REDACTED}`);
});

test('a value with signs of regular expressions is taken literally', () => {
  expect(createRedactor(() => ['a.*+?^$()[]{}|\\/-z'], {}).text('x a.*+?^$()[]{}|\\/-z y')).toBe(
    `x ${REDACTED} y`,
  );
});

test('a value is found inside JSON and inside a URL too', () => {
  const redactor = createRedactor(() => ['line one\n"two"&three'], {});
  const shown = `${JSON.stringify({ key: 'line one\n"two"&three' })} https://x/?k=${encodeURIComponent('line one\n"two"&three')}`;
  expect(redactor.text(shown)).toBe(`{"key":"${REDACTED}"} https://x/?k=${REDACTED}`);
});

test('a key that was entered a moment ago counts', () => {
  const values: string[] = [];
  const redactor = createRedactor(() => values, {});
  expect(redactor.text('sk-new-secret')).toBe('sk-new-secret');
  values.push('sk-new-secret');
  expect(redactor.text('sk-new-secret')).toBe(REDACTED);
});

test('every string inside a value is redacted and nothing else changes', () => {
  const redactor = createRedactor(() => ['sk-secret-value'], {});
  const bytes = new Uint8Array([1]);
  const event = {
    type: 'x',
    n: 1,
    nothing: null,
    list: ['a', { body: 'is sk-secret-value' }],
    bytes,
    gone: undefined,
  };
  expect(redactor.value(event)).toEqual({ ...event, list: ['a', { body: `is ${REDACTED}` }] });
  expect(redactor.value(event).bytes).toBe(bytes);
});

test('a value without secrets is handed back itself', () => {
  const value = { a: ['b', { c: 'd' }] };
  expect(createRedactor(() => ['sk-secret-value'], {}).value(value)).toBe(value);
});

test('half a surrogate pair in a secret breaks nothing', () => {
  expect(createRedactor(() => ['\ud800-secret-value'], {}).text('x \ud800-secret-value')).toBe(
    `x ${REDACTED}`,
  );
});
