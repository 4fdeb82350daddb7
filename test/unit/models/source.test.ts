import { afterAll, beforeAll, expect, test } from 'vitest';
import { providersOf, splitModelId } from '#models/catalog';
import type { ProviderConfig } from '#models/provider';
import { endpointSource, joinSources, noSuchModel } from '#models/source';
import { type ModelServer, startModelServer } from '#test/support/model-server/server';
import { configOf, requestOf, user, wholeOf } from './history';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer({ models: ['m-10', 'm-2', 'text-embedding-3'] });
});
afterAll(() => server.close());

function sourceOf(providers: readonly ProviderConfig[], keys: Record<string, string> = {}) {
  return endpointSource({
    providers: () => providers,
    key: async (name) => keys[name],
    fetch,
    machine: 'this machine',
    timeoutMs: 20_000,
  });
}

test('lists what the endpoints have, says where they run, and leaves out what can’t chat', async () => {
  const providers = [configOf('openai-chat', server.url), configOf('google', server.url)];
  expect(await sourceOf(providers, { k: 'secret' }).list()).toEqual([
    { id: 'local/m-2', name: 'm-2', detail: 'Local on this machine' },
    { id: 'local/m-10', name: 'm-10', detail: 'Local on this machine' },
    { id: 'google/m-2', name: 'm-2', detail: 'Google on this machine' },
    { id: 'google/m-10', name: 'm-10', detail: 'Google on this machine' },
  ]);
});

test('names the endpoints that can’t be asked and what they need', async () => {
  const gone = await startModelServer();
  await gone.close();
  const locked = await startModelServer({ key: 'right' });
  const providers = [
    configOf('anthropic', server.url),
    configOf('openai-chat', gone.url),
    { ...configOf('google', locked.url), keyName: 'g' },
  ];
  const { choices, unavailable } = await sourceOf(providers, { g: 'wrong-key-value' }).survey();
  await locked.close();
  expect(choices).toEqual([]);
  expect(unavailable).toMatchObject([
    {
      providerId: 'anthropic',
      problem: { message: 'There is no key for Anthropic yet. Run “Belay: Set Provider Key” and enter one.' },
    },
    {
      providerId: 'local',
      problem: { kind: 'network', message: expect.stringContaining('Is it running on this machine?') },
    },
    { providerId: 'google', problem: { kind: 'auth', status: 401 } },
  ]);
});

test.each([
  ['answers nothing', () => new Promise<Response>(() => undefined), /no answer within 0\.05 seconds/],
  ['answers HTML', async () => new Response('<html>'), /could not be read; is the address right/],
  ['answers null', async () => new Response('null'), /could not be read/],
  [
    'refuses in its own way',
    async () => new Response('{"error":"go away"}', { status: 500 }),
    /\(500\): go away\./,
  ],
])('an endpoint that %s is a clear problem', async (_name, answer, words) => {
  const source = endpointSource({
    providers: () => [{ kind: 'compatible', id: 'x', name: 'X', baseUrl: 'https://x.test/v1' }],
    key: async () => undefined,
    // Fetch itself ends when the signal says so; this one has to be told.
    fetch: (_url, init) =>
      Promise.race([
        answer(),
        new Promise<Response>((_resolve, reject) =>
          init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
        ),
      ]),
    machine: 'this machine',
    timeoutMs: 50,
  });
  expect((await source.survey()).unavailable[0]?.problem.message).toMatch(words);
});

test('reads windows and skips entries it can’t use', async () => {
  const data = [
    { id: 'a', context_length: 1000, architecture: { output_modalities: ['text'] } },
    { id: 'b', max_model_len: null, name: null },
    { id: 'c', architecture: { output_modalities: ['image'] } },
    { id: 'a' },
    null,
    { id: '' },
  ];
  const source = endpointSource({
    providers: () => [{ kind: 'compatible', id: 'x', name: 'X', baseUrl: 'https://x.test/v1' }],
    key: async () => undefined,
    fetch: async () => Response.json({ data }),
    machine: 'this machine',
  });
  expect((await source.list()).map(({ id }) => id)).toEqual(['x/a', 'x/b']);
});

test('knows from a list which models take images', async () => {
  const data = [
    { id: 'a', architecture: { input_modalities: ['text', 'image'], output_modalities: ['text'] } },
    { id: 'b', architecture: { input_modalities: ['text'], output_modalities: ['text'] } },
    { id: 'c', capabilities: { vision: true } },
    { id: 'd', capabilities: 'all', architecture: 7 },
  ];
  const source = endpointSource({
    providers: () => [{ kind: 'compatible', id: 'x', name: 'X', baseUrl: 'https://x.test/v1' }],
    key: async () => undefined,
    fetch: async () => Response.json({ data }),
    machine: 'this machine',
  });
  await source.list();
  const found = await Promise.all(['a', 'b', 'c', 'd'].map((id) => source.get(`x/${id}`)));
  expect(found.map((model) => model.ok && model.value.images)).toEqual([true, false, true, false]);
});

test('gets a model without asking the endpoint, and its window once the list is known', async () => {
  const source = sourceOf([configOf('google', server.url)], { k: 'secret' });
  expect(await source.get('google/m-2')).toMatchObject({
    ok: true,
    value: { id: 'google/m-2', providerName: 'Google' },
  });
  await source.list();
  const found = await source.get('google/m-2');
  expect(found).toMatchObject({ ok: true, value: { contextWindow: 1000 } });
});

test('a model whose key has gone meanwhile says so in its stream', async () => {
  const keys: Record<string, string> = { k: 'secret' };
  const found = await sourceOf([configOf('google', server.url)], keys).get('google/m-2');
  delete keys['k'];
  if (!found.ok) throw new Error(found.error);
  expect(await wholeOf(found.value.stream(requestOf([user('hi')])))).toMatchObject([
    { kind: 'failure', problem: { kind: 'auth', message: expect.stringContaining('no key for Google') } },
  ]);
});

test.each(['nobody/m', 'google', 'google/', '/m', ''])('there is no model %j', async (id) => {
  expect(await sourceOf([configOf('google', server.url)]).get(id)).toEqual({
    ok: false,
    error: noSuchModel(id),
  });
});

test('joined sources answer as one; a missing key outranks “no such model”', async () => {
  const locked = sourceOf([configOf('google', server.url)]);
  const open = sourceOf([configOf('openai-chat', server.url)]);
  const joined = joinSources(locked, open);
  expect(await joined.get('local/m-2')).toMatchObject({ ok: true });
  expect(await joined.get('google/m-2')).toMatchObject({
    ok: false,
    error: expect.stringContaining('no key for Google'),
  });
  expect(await joined.get('x/y')).toEqual({ ok: false, error: noSuchModel('x/y') });
});

test('a custom endpoint replaces a built-in of its id', () => {
  const own = {
    kind: 'compatible',
    id: 'ollama',
    name: 'My Ollama',
    baseUrl: 'http://gpu:11434/v1',
  } as const;
  const providers = providersOf([own]);
  expect(providers.filter(({ id }) => id === 'ollama')).toEqual([own]);
  expect(providers.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['Anthropic', 'OpenAI', 'Google', 'OpenRouter', 'LM Studio', 'vLLM']),
  );
});

test('keeps slashes in model names', () => {
  expect(splitModelId('openrouter/meta/llama')).toEqual({ providerId: 'openrouter', modelId: 'meta/llama' });
});
