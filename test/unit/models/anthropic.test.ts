import { expect, test } from 'vitest';
import { modelOf } from '#models/load-model';
import { startModelServer } from '#test/support/model-server/server';
import { assistant, callPart, configOf, modelAt, requestOf, result, user, wholeOf } from './history';

test('marks the prefix that the next request can share: tools, system, the last two messages not of the model', async () => {
  const server = await startModelServer({ script: [{ text: 'ok' }] });
  const history = [
    user('go'),
    assistant(callPart('a')),
    result('a', 'one'),
    assistant(callPart('b')),
    result('b', 'two'),
  ];
  await wholeOf(modelAt('anthropic', server.url).stream(requestOf(history)));
  await server.close();
  const mark = { cache_control: { type: 'ephemeral' } };
  const { body } = server.requests[0] ?? {};
  expect(body).toMatchObject({
    tools: [{ name: 'read_file', ...mark }],
    system: [{ text: 'You are a test.', ...mark }],
    messages: [
      {},
      {},
      { content: [{ content: 'one', ...mark }] },
      {},
      { content: [{ content: 'two', ...mark }] },
    ],
  });
  expect(JSON.stringify(body).match(/cache_control/g)).toHaveLength(4);
  expect(JSON.stringify(body)).not.toContain('eager_input_streaming');
});

test('gives models of other makers room for a whole file', async () => {
  const server = await startModelServer({ script: [{ text: 'ok' }] });
  const access = { key: async () => 'k', fetch };
  const model = modelOf(configOf('anthropic', server.url), { id: 'kimi-k3' }, access);
  await wholeOf(model.stream(requestOf([user('hi')])));
  await server.close();
  expect(server.requests.map(({ body }) => body['max_tokens'])).toEqual([16_384]);
});
