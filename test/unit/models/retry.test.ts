import { expect, test } from 'vitest';
import type { ModelEvent, ModelProblem } from '#models/model';
import { type Retry, streamWithRetry } from '#models/retry';
import { startModelServer } from '#test/support/model-server/server';
import { eventsOf, modelAt, requestOf, user } from './history';

const failure = (problem: Partial<ModelProblem>): ModelEvent => ({
  kind: 'failure',
  problem: { kind: 'rate', message: 'busy', ...problem },
});
const done: ModelEvent = { kind: 'finish', reason: 'stop', usage: {} };

/** Plays one list of events per try, and notes how long each wait was. */
async function play(tries: readonly (readonly ModelEvent[])[]) {
  const waits: number[] = [];
  const retries: Retry[] = [];
  let asked = 0;
  const model = {
    async *stream() {
      yield* tries[asked++] ?? [];
    },
  };
  const events = await eventsOf(
    streamWithRetry(model, requestOf([user('hi')]), {
      delay: async (ms) => void waits.push(ms),
      onRetry: (retry) => retries.push(retry),
      random: () => 0,
    }),
  );
  return { events, waits, retries, asked };
}

test('LP-10 waits at least as long as the provider asks, else 1, 2, 4, 8, 16 seconds', async () => {
  const tries = [
    [failure({ retryAfterMs: 7000 })],
    [failure({ kind: 'overloaded', status: 529 })],
    [failure({ kind: 'network' })],
    [failure({ kind: 'provider', status: 500 })],
    [failure({ retryAfterMs: 10 })],
    [done],
  ];
  const { events, waits, retries } = await play(tries);
  expect(waits).toEqual([7000, 2000, 4000, 8000, 16_000]);
  expect(retries[0]).toEqual({ attempt: 1, attempts: 5, delayMs: 7000, reason: 'busy' });
  expect(events).toEqual([done]);
});

test('LP-10 gives up after five retries', async () => {
  const { events, asked } = await play(Array.from({ length: 9 }, () => [failure({})]));
  expect(asked).toBe(6);
  expect(events).toEqual([failure({})]);
});

test('LP-10 leaves a wait of days to the person', async () => {
  const { events, waits } = await play([[failure({ retryAfterMs: 1_382_400_000 })], [done]]);
  expect(waits).toEqual([]);
  expect(events).toEqual([failure({ retryAfterMs: 1_382_400_000 })]);
});

test.each([
  { kind: 'auth', status: 401 },
  { kind: 'quota', status: 402 },
  { kind: 'overflow', status: 400 },
  { kind: 'provider', status: 404 },
  { kind: 'provider' },
] as const)('does not try %o again', async (problem) => {
  expect((await play([[failure(problem)], [done]])).asked).toBe(1);
});

test('does not try again once something of the reply was handed on', async () => {
  const text: ModelEvent = { kind: 'text', delta: 'Once' };
  const { events, asked } = await play([[text, failure({ kind: 'network' })], [done]]);
  expect(asked).toBe(1);
  expect(events).toEqual([text, failure({ kind: 'network' })]);
});

test('LP-10 a stop while waiting ends the wait', async () => {
  const controller = new AbortController();
  const model = {
    async *stream() {
      yield failure({});
    },
  };
  const reading = eventsOf(
    streamWithRetry(model, requestOf([user('hi')], { signal: controller.signal }), {
      onRetry: () => controller.abort(new Error('stopped by hand')),
    }),
  );
  await expect(reading).rejects.toThrow('stopped by hand');
});

test('LP-10 one layer retries: the server sees one request for each try', async () => {
  const server = await startModelServer({
    script: [
      { error: { status: 529 } },
      { error: { status: 503 } },
      { streamError: { type: 'overloaded_error', message: 'Overloaded' } },
      { text: 'ok' },
    ],
  });
  const events = await eventsOf(
    streamWithRetry(modelAt('anthropic', server.url), requestOf([user('hi')]), {
      delay: async () => undefined,
    }),
  );
  await server.close();
  expect(server.requests).toHaveLength(4);
  expect(events.at(-1)).toMatchObject({ kind: 'finish', reason: 'stop' });
});
