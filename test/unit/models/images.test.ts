import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { modelOf } from '#models/load-model';
import { toPrompt } from '#models/prompt';
import type { ProviderConfig } from '#models/provider';
import { seesImages } from '#models/sees-images';
import type { SentMessage } from '#protocol/message';
import type { ResultImage, ToolResult } from '#protocol/tool-result';
import { pngOf } from '#test/support/images';
import type { Api } from '#test/support/model-server/script';
import { type ModelServer, startModelServer } from '#test/support/model-server/server';
import { assistant, callPart, configOf, MODEL_IDS, requestOf, result, user, wholeOf } from './history';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
beforeEach(() => server.reset([{ text: 'I see.' }]));
afterAll(() => server.close());

const DATA = pngOf(2, 2).toString('base64');
const IMAGE: ResultImage = { mediaType: 'image/png', data: DATA };
const UNSEEN = "a.png is a PNG image.\n(The image itself is not shown: this model can't take it.)";

const history = (images: readonly ResultImage[] = [IMAGE]): SentMessage[] => [
  user('look'),
  assistant(callPart('a', { rawInput: '{"path":"a.png"}' }), callPart('b')),
  result('a', 'a.png is a PNG image.', { images }),
  result('b', 'text'),
];

async function sent(api: Api, config: Partial<ProviderConfig> = {}): Promise<object | undefined> {
  const model = modelOf(
    { ...configOf(api, server.url), ...config },
    { id: MODEL_IDS[api] },
    { key: async () => 'k', fetch },
  );
  expect(await wholeOf(model.stream(requestOf(history())))).toMatchObject([
    { kind: 'text-end', text: 'I see.' },
    { kind: 'finish' },
  ]);
  return server.requests.at(-1)?.body;
}

test('Anthropic gets the image inside the result', async () => {
  const source = { type: 'base64', media_type: 'image/png', data: DATA };
  expect(await sent('anthropic')).toMatchObject({
    messages: [
      {},
      {},
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'a',
            content: [
              { type: 'text', text: 'a.png is a PNG image.' },
              { type: 'image', source },
            ],
          },
          { type: 'tool_result', tool_use_id: 'b', content: 'text' },
        ],
      },
    ],
  });
});

test('OpenAI gets the image inside the result', async () => {
  expect(await sent('openai-responses')).toMatchObject({
    input: expect.arrayContaining([
      expect.objectContaining({
        type: 'function_call_output',
        call_id: 'a',
        output: [
          { type: 'input_text', text: 'a.png is a PNG image.' },
          expect.objectContaining({ type: 'input_image', image_url: `data:image/png;base64,${DATA}` }),
        ],
      }),
    ]),
  });
});

test('Google gets the image with the result', async () => {
  const body = JSON.stringify(await sent('google'));
  expect(body).toContain(`"inlineData":{"mimeType":"image/png","data":"${DATA}"}`);
});

test('a Chat Completions endpoint gets the image behind the results, in a message of the user’s', async () => {
  expect(await sent('openai-chat', { images: true })).toMatchObject({
    messages: [
      { role: 'system' },
      { role: 'user' },
      { role: 'assistant' },
      { role: 'tool', tool_call_id: 'a', content: 'a.png is a PNG image.' },
      { role: 'tool', tool_call_id: 'b', content: 'text' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What read_file {"path":"a.png"} returned as an image:' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${DATA}` } },
        ],
      },
    ],
  });
});

test('what a person says after images joins that message', () => {
  const style = { metadataKey: 'compatible', plainReasoning: true, images: 'after-results' } as const;
  const prompt = toPrompt('', [...history(), user('And?'), user('Well?')], style);
  expect(prompt.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
  expect(prompt.at(-1)?.content).toMatchObject([
    { type: 'text' },
    { type: 'file' },
    { type: 'text', text: 'And?\n\nWell?' },
  ]);
});

test('an endpoint of which nothing is known gets words instead of the image', async () => {
  const body = await sent('openai-chat');
  expect([body, JSON.stringify(body).includes(DATA)]).toMatchObject([
    { messages: [{}, {}, {}, { role: 'tool', content: UNSEEN }, {}] },
    false,
  ]);
});

test('when a provider refuses the request, it is sent once more without the images', async () => {
  server.reset([{ error: { status: 400, message: 'Could not process image' } }, { text: 'I see.' }]);
  const body = await sent('anthropic');
  expect([server.requests.length, JSON.stringify(body).includes(DATA)]).toEqual([2, false]);
});

test('a request without images is not sent twice', async () => {
  server.reset([{ error: { status: 400, message: 'no' } }, { text: 'never' }]);
  const model = modelOf(
    configOf('anthropic', server.url),
    { id: 'claude-x' },
    { key: async () => 'k', fetch },
  );
  const events = await wholeOf(model.stream(requestOf([user('hi')])));
  expect([events.map(({ kind }) => kind), server.requests.length]).toEqual([['failure'], 1]);
});

const SEEING = { metadataKey: 'anthropic', plainReasoning: false, images: 'in-results' } as const;

test('the oldest images are left out when there are more than a request bears', () => {
  const messages = Array.from({ length: 25 }, (_, n) => [
    assistant(callPart(`c${n}`)),
    result(`c${n}`, `image ${n}`, { images: [IMAGE] }),
  ]).flat();
  const outputs = toPrompt('', messages, SEEING).flatMap(({ role, content }) =>
    role === 'tool' ? content.flatMap((part) => ('output' in part ? [part.output.type] : [])) : [],
  );
  expect(outputs).toEqual([...Array(5).fill('text'), ...Array(20).fill('content')]);
});

const attached = (text: string) => Object.assign(user(text), { images: [IMAGE] });

test('pictures that a person attached stand in their message', () => {
  const prompt = toPrompt('', [attached('look'), user('and?')], SEEING);
  expect(prompt).toMatchObject([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'look' },
        { type: 'file', mediaType: 'image/png', data: { data: DATA } },
        { type: 'text', text: 'and?' },
      ],
    },
  ]);
});

test('a model that can’t see is told that attached pictures aren’t shown', () => {
  const prompt = toPrompt('', [attached('look')], { ...SEEING, images: 'none' });
  expect(prompt[0]?.content).toEqual([
    { type: 'text', text: "look\n(The image itself is not shown: this model can't take it.)" },
  ]);
});

test('attached pictures and those of results share what a request bears, the newest first', () => {
  const messages = [
    attached('first'),
    ...Array.from({ length: 20 }, (_, n) => [
      assistant(callPart(`c${n}`)),
      result(`c${n}`, `image ${n}`, { images: [IMAGE] }),
    ]).flat(),
  ];
  const [first] = toPrompt('', messages, SEEING);
  expect(first?.content).toMatchObject([{ type: 'text', text: expect.stringContaining('left out now') }]);
  const [kept] = toPrompt('', messages.slice(0, -2), SEEING);
  expect(kept?.content).toMatchObject([{ type: 'text', text: 'first' }, { type: 'file' }]);
});

test('a refused request with attached pictures is sent once more without them', async () => {
  server.reset([{ error: { status: 400, message: 'Could not process image' } }, { text: 'I see.' }]);
  const model = modelOf(
    configOf('anthropic', server.url),
    { id: MODEL_IDS['anthropic'] },
    { key: async () => 'k', fetch },
  );
  await wholeOf(model.stream(requestOf([attached('look')])));
  expect(server.requests.map(({ body }) => JSON.stringify(body).includes(DATA))).toEqual([true, false]);
});

test('odd images of a stored result are left out, and nothing else is lost', () => {
  const odd = [
    null,
    {},
    { mediaType: 'image/tiff', data: 'AAAA' },
    { mediaType: 'image/png', data: 'A'.repeat(6_000_000) },
  ];
  for (const images of [odd, 'x', { length: 3 }, 7]) {
    const [, , answers] = toPrompt('', history(images as ToolResult['images']), SEEING);
    expect(answers?.content).toMatchObject([
      { output: { type: 'text', value: 'a.png is a PNG image.' } },
      { output: { type: 'text', value: 'text' } },
    ]);
  }
});

test('which models see', () => {
  const openrouter = configOf('openai-chat', 'x');
  const sees = (api: Api, id: string, more: object = {}) =>
    seesImages({ ...configOf(api, 'x'), ...more }, { id });
  expect({
    claude: sees('anthropic', 'claude-sonnet-4-5'),
    old: sees('anthropic', 'claude-2.1'),
    other: sees('anthropic', 'glm-4.6'),
    gpt: ['gpt-5', 'gpt-4o-mini', 'gpt-4.1', 'o3', 'o4-mini'].every((id) => sees('openai-responses', id)),
    blind: ['gpt-3.5-turbo', 'gpt-4', 'o1-mini', 'o3-mini', 'gpt-oss-20b'].some((id) =>
      sees('openai-responses', id),
    ),
    gemini: sees('google', 'gemini-2.5-pro'),
    local: sees('openai-chat', 'llava'),
    said: sees('openai-chat', 'llava', { images: true }),
    saidNot: sees('anthropic', 'claude-sonnet-4-5', { images: false }),
    listed: seesImages(openrouter, { id: 'x', images: true }),
    routed: sees('openai-chat', 'anthropic/claude-sonnet-4.5', { id: 'openrouter' }),
    routedOther: sees('openai-chat', 'qwen/qwen3', { id: 'openrouter' }),
  }).toEqual({
    claude: true,
    old: false,
    other: false,
    gpt: true,
    blind: false,
    gemini: true,
    local: false,
    said: true,
    saidNot: false,
    listed: true,
    routed: true,
    routedOther: false,
  });
});
