import { expect, test } from 'vitest';
import { describe as describeProblem, unreachable } from '#models/problem';

test('never repeats the key, even when the provider does', () => {
  const problem = describeProblem(
    { status: 401, text: 'Incorrect API key provided: sk-abcdefgh' },
    { providerName: 'OpenAI', key: 'sk-abcdefgh' },
  );
  expect(problem.message).toBe(
    'OpenAI refused the key: Incorrect API key provided: •••. Run “Belay: Set Provider Key” and enter a valid one.',
  );
});

test('takes Google’s per-minute limit for what it is', () => {
  const text = 'You exceeded your current quota, please check your plan and billing details.';
  const details = '{"error":{"details":[{"retryDelay":"34s"}]}}';
  expect(describeProblem({ status: 429, text, details }, { providerName: 'Google' }).kind).toBe('rate');
  expect(describeProblem({ status: 429, text }, { providerName: 'Google' }).kind).toBe('quota');
});

test('Anthropic’s empty account is a quota, though its status is 400', () => {
  const text = 'Your credit balance is too low to access the Anthropic API.';
  expect(describeProblem({ status: 400, text }, { providerName: 'Anthropic' }).kind).toBe('quota');
});

test('keeps long refusals short and on one line', () => {
  const { message } = describeProblem({ status: 500, text: `a\n${'b'.repeat(5000)}` }, { providerName: 'X' });
  expect(message.length).toBeLessThan(400);
  expect(message).not.toContain('\n');
});

test('says the innermost reason, of the first address that was tried', () => {
  const refused = new AggregateError([new Error('connect ECONNREFUSED ::1:1234'), new Error('second')]);
  const error = new TypeError('fetch failed', { cause: refused });
  expect(
    unreachable(error, {
      providerName: 'LM Studio',
      baseUrl: 'http://localhost:1234/v1',
      machine: 'the SSH host dev',
    }).message,
  ).toBe(
    'LM Studio doesn’t answer at http://localhost:1234/v1: connect ECONNREFUSED ::1:1234. Is it running on the SSH host dev?',
  );
});
