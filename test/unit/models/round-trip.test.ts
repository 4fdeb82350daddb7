import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CallId } from '#protocol/ids';
import type { AssistantPart } from '#protocol/message';
import type { Api } from '#test/support/model-server/script';
import { type ModelServer, startModelServer } from '#test/support/model-server/server';
import { assistant, eventsOf, modelAt, requestOf, result, user, wholeOf } from './history';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

const APIS: readonly Api[] = ['anthropic', 'openai-chat', 'openai-responses', 'google'];

describe.each(APIS)('%s, through its real provider package', (api) => {
  test('makes a whole tool round trip', async () => {
    server.reset([
      {
        reasoning: 'I had better look.',
        signature: 'sig-42',
        text: 'Reading it: 你好🙂 …',
        calls: [{ id: 'call_a', name: 'read_file', input: { path: 'a.txt' } }],
        usage: { input: 100, output: 20, cached: 40 },
      },
      { text: 'It says hello.' },
    ]);
    const model = modelAt(api, server.url);
    const first = await eventsOf(model.stream(requestOf([user('What does a.txt say?')])));

    const deltas = (kind: 'text' | 'reasoning') =>
      first.flatMap((event) => (event.kind === kind ? [event.delta] : []));
    expect(deltas('text').join('')).toBe('Reading it: 你好🙂 …');
    expect(deltas('text').length).toBeGreaterThan(1);
    expect(deltas('reasoning').join('')).toBe('I had better look.');
    expect(first.slice(-2)).toMatchObject([
      { kind: 'call', providerId: 'call_a', name: 'read_file', rawInput: '{"path":"a.txt"}' },
      {
        kind: 'finish',
        reason: 'tool-calls',
        usage: { inputTokens: 100, outputTokens: 20, cachedInputTokens: 40 },
      },
    ]);

    const parts = first.flatMap((event): AssistantPart[] => {
      const { kind } = event;
      const own = 'providerMetadata' in event ? { providerMetadata: event.providerMetadata } : {};
      if (kind === 'text-end') return [{ kind: 'text', text: event.text, ...own }];
      if (kind === 'reasoning-end') return [{ kind: 'reasoning', text: event.text, ...own }];
      if (kind !== 'call') return [];
      const { providerId, name, rawInput } = event;
      return [{ kind, call: { id: 'belay-1' as CallId, providerId, name, rawInput, ...own } }];
    });
    const history = [user('What does a.txt say?'), assistant(...parts), result('belay-1', 'hello')];
    const second = await wholeOf(model.stream(requestOf(history)));

    expect(second).toMatchObject([
      { kind: 'text-end', text: 'It says hello.' },
      { kind: 'finish', reason: 'stop' },
    ]);
    expect(server.requests[1]?.body).toMatchObject(SECOND_REQUEST[api]);
  });

  test('says that the key is wrong, never the key', async () => {
    const locked = await startModelServer({ key: 'another' });
    const events = await eventsOf(modelAt(api, locked.url).stream(requestOf([user('hi')])));
    await locked.close();
    expect(events).toEqual([
      {
        kind: 'failure',
        problem: {
          kind: 'auth',
          status: 401,
          message: expect.stringMatching(
            /refused the key: invalid x-api-key\. Run “Belay: Set Provider Key”/,
          ),
        },
      },
    ]);
    expect(JSON.stringify(events)).not.toContain('secret-key-123');
  });

  test.each([
    [
      { status: 429, retryAfter: 7 },
      { kind: 'rate', status: 429, retryAfterMs: 7000 },
    ],
    [{ status: 500 }, { kind: 'provider', status: 500 }],
    [{ status: 529 }, { kind: 'overloaded', status: 529 }],
    [
      { status: 503, message: 'try later' },
      { kind: 'overloaded', status: 503 },
    ],
    [
      { status: 402, message: 'pay first' },
      { kind: 'quota', status: 402 },
    ],
    [
      { status: 429, message: 'You exceeded your current quota', code: 'insufficient_quota' },
      { kind: 'quota' },
    ],
    [{ status: 400, message: 'prompt is too long: 210000 tokens > 200000 maximum' }, { kind: 'overflow' }],
    [
      { status: 404, message: 'model not found' },
      { kind: 'provider', status: 404 },
    ],
    [
      { status: 502, body: '<html>Bad Gateway</html>' },
      { kind: 'provider', status: 502 },
    ],
  ])('turns HTTP %o into a problem', async (error, problem) => {
    server.reset([{ error }]);
    const events = await eventsOf(modelAt(api, server.url).stream(requestOf([user('hi')])));
    expect(events).toEqual([{ kind: 'failure', problem: expect.objectContaining(problem) }]);
  });

  test('asks whether the endpoint runs when nothing answers', async () => {
    const gone = await startModelServer();
    await gone.close();
    const events = await eventsOf(modelAt(api, gone.url).stream(requestOf([user('hi')])));
    expect(events).toEqual([
      {
        kind: 'failure',
        problem: {
          kind: 'network',
          message: expect.stringMatching(
            /doesn’t answer at .*ECONNREFUSED.* Is it running on this machine\?$/,
          ),
        },
      },
    ]);
  });

  test('hands on arguments that are not JSON as they came', async () => {
    server.reset([{ calls: [{ id: 'c1', name: 'read_file', rawInput: '{"path": broken' }] }]);
    const events = await wholeOf(modelAt(api, server.url).stream(requestOf([user('hi')])));
    expect(events).toMatchObject([
      { kind: 'call', name: 'read_file', rawInput: '{"path": broken' },
      { kind: 'finish', reason: 'tool-calls' },
    ]);
    expect(events[0]).not.toHaveProperty('cut');
  });

  test('marks a call that the output limit cut, even when what came is valid JSON', async () => {
    server.reset([
      {
        calls: [
          { id: 'c1', name: 'read_file', input: { path: 'a' } },
          { id: 'c2', name: 'write_file', input: { path: 'b' } },
        ],
        finish: 'length',
      },
    ]);
    const events = await wholeOf(modelAt(api, server.url).stream(requestOf([user('hi')])));
    expect(events).toMatchObject([
      { kind: 'call', name: 'read_file' },
      { kind: 'call', name: 'write_file', cut: true },
      { kind: 'finish', reason: 'length' },
    ]);
    expect(events[0]).not.toHaveProperty('cut');
  });

  test('a limit that falls into text cuts no call', async () => {
    server.reset([{ text: 'and so', finish: 'length' }]);
    const events = await wholeOf(modelAt(api, server.url).stream(requestOf([user('hi')])));
    expect(events).toMatchObject([
      { kind: 'text-end', text: 'and so' },
      { kind: 'finish', reason: 'length' },
    ]);
  });

  test.each(['close', 'reset'] as const)(
    'LP-07 a stream that ends by %s without its end is a failure and runs no call',
    async (cut) => {
      server.reset([
        { text: 'Now', calls: [{ id: 'c1', name: 'read_file', rawInput: '{"path":"a"}' }], cut },
      ]);
      const events = await eventsOf(modelAt(api, server.url).stream(requestOf([user('hi')])));
      expect(events.filter((event) => event.kind === 'call')).toEqual([]);
      expect(events.at(-1)).toMatchObject({ kind: 'failure', problem: { kind: 'network' } });
    },
  );

  test('LP-09 an error event inside a stream is a failure; text before it stays', async () => {
    server.reset([{ text: 'Once upon', streamError: { type: 'overloaded_error', message: 'Overloaded' } }]);
    const events = await eventsOf(modelAt(api, server.url).stream(requestOf([user('hi')])));
    expect(events.flatMap((event) => (event.kind === 'text' ? [event.delta] : [])).join('')).toBe(
      'Once upon',
    );
    expect(events.at(-1)).toMatchObject({ kind: 'failure', problem: { kind: 'overloaded' } });
  });

  test.each([1, 3, 7])('LP-09 reads the same reply from chunks of %i bytes', async (chunkBytes) => {
    const reply = {
      text: 'a 你好🙂 b\u2028c',
      calls: [{ id: 'c1', name: 'read_file', input: { path: 'ü🙂.txt' } }],
    };
    server.reset([reply, { ...reply, chunkBytes }]);
    const model = modelAt(api, server.url);
    const plain = await wholeOf(model.stream(requestOf([user('hi')])));
    const chunked = await wholeOf(model.stream(requestOf([user('hi')])));
    expect(chunked).toEqual(plain);
    expect(plain.find((event) => event.kind === 'text-end')).toMatchObject({ text: reply.text });
  });

  test('an unknown reason to stop is `other`, an empty reply is empty', async () => {
    server.reset([{ text: 'x', finish: 'unknown' }, {}]);
    const model = modelAt(api, server.url);
    const unknown = await wholeOf(model.stream(requestOf([user('hi')])));
    expect(unknown.at(-1)).toMatchObject({ kind: 'finish', reason: 'other' });
    expect(await eventsOf(model.stream(requestOf([user('hi')])))).toMatchObject([
      { kind: 'finish', reason: 'stop' },
    ]);
  });

  test('stops with the reason of the signal', async () => {
    server.reset([{ text: 'on and on and on and on and on', eventMs: 20 }]);
    const controller = new AbortController();
    const reading = (async () => {
      for await (const event of modelAt(api, server.url).stream(
        requestOf([user('hi')], { signal: controller.signal }),
      )) {
        if (event.kind === 'text') controller.abort(new Error('stopped by hand'));
      }
    })();
    await expect(reading).rejects.toThrow('stopped by hand');
  });

  test('duplicate ids of one reply come back as two calls and go out again unique', async () => {
    server.reset([
      {
        calls: [
          { id: 'same', name: 'read_file', input: { path: 'a' } },
          { id: 'same', name: 'read_file', input: { path: 'b' } },
        ],
      },
      { text: 'ok' },
    ]);
    const model = modelAt(api, server.url);
    const calls = (await wholeOf(model.stream(requestOf([user('hi')])))).flatMap((event) =>
      event.kind === 'call' ? [event] : [],
    );
    expect(calls.map((call) => call.rawInput)).toEqual(['{"path":"a"}', '{"path":"b"}']);
    const parts = calls.map(
      ({ kind, ...call }, n): AssistantPart => ({
        kind,
        call: { ...call, id: `belay-${n}` as CallId },
      }),
    );
    const history = [user('hi'), assistant(...parts), result('belay-0', 'A'), result('belay-1', 'B')];
    expect(await wholeOf(model.stream(requestOf(history)))).toMatchObject([
      { kind: 'text-end', text: 'ok' },
      { kind: 'finish' },
    ]);
  });
});

/** What must be in the second request, API by API: the reasoning with its signature, the call, its result. */
const SECOND_REQUEST: Readonly<Record<Api, object>> = {
  anthropic: {
    messages: [
      { role: 'user' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'I had better look.', signature: 'sig-42' },
          { type: 'text', text: 'Reading it: 你好🙂 …' },
          { type: 'tool_use', id: 'call_a', input: { path: 'a.txt' } },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_a', content: 'hello' }] },
    ],
  },
  'openai-chat': {
    messages: [
      { role: 'system' },
      { role: 'user' },
      {
        role: 'assistant',
        content: 'Reading it: 你好🙂 …',
        reasoning_content: 'I had better look.',
        tool_calls: [{ id: 'call_a', function: { name: 'read_file', arguments: '{"path":"a.txt"}' } }],
      },
      { role: 'tool', tool_call_id: 'call_a', content: 'hello' },
    ],
  },
  'openai-responses': {
    store: false,
    include: ['reasoning.encrypted_content'],
    tools: [{ type: 'function', name: 'read_file', strict: false }],
    input: [
      { role: 'developer' },
      { role: 'user' },
      { type: 'reasoning', encrypted_content: 'sig-42', summary: [{ text: 'I had better look.' }] },
      { role: 'assistant' },
      { type: 'function_call', call_id: 'call_a', name: 'read_file', arguments: '{"path":"a.txt"}' },
      { type: 'function_call_output', call_id: 'call_a', output: 'hello' },
    ],
  },
  google: {
    contents: [
      { role: 'user' },
      {
        role: 'model',
        parts: [
          { text: 'Reading it: 你好🙂 …' },
          { functionCall: { name: 'read_file', args: { path: 'a.txt' } }, thoughtSignature: 'sig-42' },
        ],
      },
      { role: 'user', parts: [{ functionResponse: { name: 'read_file' } }] },
    ],
  },
};
