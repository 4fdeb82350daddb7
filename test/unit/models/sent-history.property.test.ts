import fc from 'fast-check';
import { expect, test } from 'vitest';
import { modelOf } from '#models/load-model';
import { toPrompt } from '#models/prompt';
import type { PromptStyle } from '#models/prompt-style';
import { sentMessages } from '#models/sent-messages';
import type { CallId, MessageId } from '#protocol/ids';
import type { AssistantPart, Message } from '#protocol/message';
import { faultOf } from '#test/support/model-server/faults';
import type { Api } from '#test/support/model-server/script';
import { assistant, configOf, eventsOf, MODEL_IDS, note, requestOf, result, user } from './history';

/** Who may have said something: the four models that requests go to, others of the same makers, and one of an earlier version of Belay. */
const AUTHORS = [
  'anthropic/claude-sonnet-4-5',
  'anthropic/claude-opus-4',
  'openai/gpt-5',
  'openai/o3',
  'google/gemini-2.5-pro',
  'local/qwen3',
] as const;
type Author = (typeof AUTHORS)[number];
const KEYS: Readonly<Record<string, string>> = {
  anthropic: 'anthropic',
  openai: 'openai',
  google: 'google',
  local: 'compatible',
};

const word = fc.oneof(
  fc.constantFrom('', ' ', '\n', 'text', '\ud83d', '你好🙂', 'a\u2028b', 'x'.repeat(300)),
  fc.string({ maxLength: 12, unit: 'binary' }),
);
const providerId = fc.oneof(
  fc.constantFrom('', 'same', 'toolu_01A', 'call_1', 'functions.read:0', 'é'.repeat(90)),
  fc.string({ maxLength: 70 }),
);
const rawInput = fc.constantFrom(
  '',
  'null',
  '{}',
  '{"path":"a"}',
  '{"a":',
  '[]',
  '{}{}',
  '"x"',
  '{"t":"\\ud83d"}',
);

interface Reply {
  readonly author: Author;
  readonly parts: readonly ('text' | 'reasoning' | 'call')[];
  readonly words: readonly string[];
  readonly ids: readonly string[];
  readonly inputs: readonly string[];
  /** Which calls have a result, and whether results come in reverse. */
  readonly answered: readonly boolean[];
  readonly reversed: boolean;
  readonly doubled: boolean;
}

const reply: fc.Arbitrary<Reply> = fc.record({
  author: fc.constantFrom(...AUTHORS),
  parts: fc.array(fc.constantFrom('text', 'reasoning', 'call', 'call'), { maxLength: 6 }),
  words: fc.array(word, { minLength: 6, maxLength: 6 }),
  ids: fc.array(providerId, { minLength: 6, maxLength: 6 }),
  inputs: fc.array(rawInput, { minLength: 6, maxLength: 6 }),
  answered: fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
  reversed: fc.boolean(),
  doubled: fc.boolean(),
});

type Piece =
  | { readonly kind: 'user' | 'note'; readonly text: string }
  | { readonly kind: 'reply'; readonly reply: Reply }
  | {
      readonly kind: 'compaction';
      readonly at: number;
      readonly leftOut: readonly number[];
      readonly summary: boolean;
    };

const piece: fc.Arbitrary<Piece> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom('user' as const, 'note' as const), text: word }),
  },
  { weight: 5, arbitrary: reply.map((each) => ({ kind: 'reply', reply: each }) as const) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('compaction' as const),
      at: fc.nat(40),
      leftOut: fc.array(fc.nat(30), { maxLength: 5 }),
      summary: fc.boolean(),
    }),
  },
);

/** What a store may hold: replies of several models, calls without results, compactions that name anything. */
function historyOf(pieces: readonly Piece[]): readonly Message[] {
  const messages: Message[] = [user('begin')];
  const calls: CallId[] = [];
  for (const each of pieces) {
    if (each.kind === 'reply') messages.push(...replyOf(each.reply, calls));
    else if (each.kind === 'compaction') messages.push(compactionOf(each, messages, calls));
    else messages.push(each.kind === 'user' ? user(each.text) : note(each.text));
  }
  return messages;
}

function replyOf(spec: Reply, calls: CallId[]): readonly Message[] {
  const own: CallId[] = [];
  const parts = spec.parts.map((kind, index) => partOf(kind, { spec, index, calls, own }));
  const results = own
    .filter((_, index) => spec.answered[index])
    .flatMap((id, index) => {
      const one = result(id, spec.words[index] ?? '', index % 2 ? { status: 'error' } : {});
      return spec.doubled ? [one, result(id, 'again')] : [one];
    });
  return [
    { ...assistant(...parts), modelId: spec.author } as Message,
    ...(spec.reversed ? results.toReversed() : results),
  ];
}

interface At {
  readonly spec: Reply;
  readonly index: number;
  readonly calls: CallId[];
  readonly own: CallId[];
}

/** Each signature says who made it. */
function partOf(kind: Reply['parts'][number], { spec, index, calls, own }: At): AssistantPart {
  const key = KEYS[spec.author.split('/')[0] ?? ''] ?? '';
  const mark = `${spec.author}#${calls.length}.${index}.${spec.words.join('').length}`;
  const text = spec.words[index] ?? '';
  const metadata = {
    anthropic: { signature: mark },
    openai: { itemId: mark, reasoningEncryptedContent: mark },
    google: { thoughtSignature: mark },
    compatible: {},
  }[key];
  const signed =
    metadata && Object.keys(metadata).length > 0 ? { providerMetadata: { [key]: metadata } } : {};
  if (kind === 'reasoning') return { kind, text, ...signed };
  if (kind === 'text') return key === 'google' ? { kind, text, ...signed } : { kind, text };
  const id = `call-${calls.length}` as CallId;
  calls.push(id);
  own.push(id);
  const call = {
    id,
    providerId: spec.ids[index] ?? '',
    name: index % 3 === 0 ? 'made up.name' : 'read_file',
    rawInput: spec.inputs[index] ?? '',
    ...(key === 'google' ? signed : {}),
  };
  return { kind, call };
}

function compactionOf(
  { at, leftOut, summary }: Extract<Piece, { kind: 'compaction' }>,
  messages: readonly Message[],
  calls: readonly CallId[],
): Message {
  const from = messages[at]?.id ?? ('nowhere' as MessageId);
  return {
    kind: 'compaction',
    id: `compaction-${messages.length}` as MessageId,
    turnId: messages[0]?.turnId as Message['turnId'],
    leftOut: leftOut.flatMap((index) => (calls[index] ? [{ callId: calls[index] }] : [])),
    ...(summary ? { summary: { text: `SUMMARY ${messages.length}`, from } } : {}),
  };
}

/** What goes over the wire for it, through the real provider package. */
async function bodyOf(
  api: Api,
  stored: readonly Message[],
): Promise<{ readonly body: unknown; readonly text: string }> {
  let text = '';
  const capture = async (_url: unknown, init?: RequestInit) => {
    text = String(init?.body);
    return new Response('{"error":{"message":"enough"}}', { status: 400 });
  };
  const model = modelOf(
    configOf(api, 'http://127.0.0.1:1'),
    { id: MODEL_IDS[api] },
    {
      key: async () => 'k',
      fetch: capture as typeof fetch,
    },
  );
  await eventsOf(model.stream(requestOf(sentMessages(stored))));
  return { body: JSON.parse(text), text };
}

const APIS: readonly Api[] = ['anthropic', 'openai-responses', 'openai-chat', 'google'];
const AUTHOR_OF: Readonly<Record<Api, Author>> = {
  anthropic: 'anthropic/claude-sonnet-4-5',
  'openai-responses': 'openai/gpt-5',
  'openai-chat': 'local/qwen3',
  google: 'google/gemini-2.5-pro',
};

test.each(APIS)(
  'LP-01 whatever a store holds, cut at any message, is a history that %s takes',
  async (api) => {
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), fc.nat(60), async (pieces, cut) => {
        const stored = historyOf(pieces);
        const { body, text } = await bodyOf(api, stored.slice(0, 1 + (cut % stored.length)));
        expect(faultOf(api, body)).toBeUndefined();
        // What one model signed goes back to that model alone.
        const authors = AUTHORS.filter((author) => text.includes(`${author}#`));
        expect(authors.filter((author) => author !== AUTHOR_OF[api])).toEqual([]);
      }),
      { numRuns: 150 },
    );
  },
);

test('signed reasoning goes back unchanged to the model that signed it', async () => {
  const spec: Reply = {
    author: 'anthropic/claude-sonnet-4-5',
    parts: ['reasoning', 'call'],
    words: ['why \ud83d\ude42 so', '', '', '', '', ''],
    ids: ['a', 'b', '', '', '', ''],
    inputs: ['{}', '{"path":"a"}', '', '', '', ''],
    answered: [true, true, true, true, true, true],
    reversed: false,
    doubled: false,
  };
  const { body } = await bodyOf('anthropic', historyOf([{ kind: 'reply', reply: spec }]));
  expect(body).toMatchObject({
    messages: [
      { role: 'user' },
      {
        content: [
          { type: 'thinking', thinking: 'why 🙂 so', signature: 'anthropic/claude-sonnet-4-5#0.0.9' },
          { type: 'tool_use' },
        ],
      },
      { role: 'user' },
    ],
  });
});

test('a call is sent with its own result in every order of compactions', () => {
  const stored = historyOf([
    { kind: 'user', text: 'go' },
    {
      kind: 'reply',
      reply: {
        author: 'openai/gpt-5',
        parts: ['call', 'call'],
        words: Array(6).fill('output'),
        ids: Array(6).fill('same'),
        inputs: Array(6).fill('{}'),
        answered: Array(6).fill(true),
        reversed: true,
        doubled: false,
      },
    },
    { kind: 'compaction', at: 2, leftOut: [0], summary: true },
  ]);
  expect(
    sentMessages(stored).map((message) =>
      message.kind === 'result' ? message.result.content : message.kind,
    ),
  ).toEqual(['note', 'assistant', 'output', expect.stringContaining('was left out to save room')]);
});

const STYLES: readonly PromptStyle[] = [
  { metadataKey: 'anthropic', modelId: 'anthropic/claude-opus-4', plainReasoning: false },
  { metadataKey: 'google', plainReasoning: true },
];

test('a prompt that goes on from an earlier one is the one that would be made from nothing', () => {
  const looks = fc.array(fc.tuple(fc.nat(60), fc.constantFrom(...STYLES)), { minLength: 2, maxLength: 8 });
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), looks, (pieces, times) => {
      const stored = historyOf(pieces);
      // Mostly longer than before, at times shorter: a rewind.
      for (const [length, style] of times) {
        const sent = sentMessages(stored.slice(0, 1 + (length % stored.length)));
        expect(toPrompt('Be a test.', sent, style)).toEqual(
          toPrompt('Be a test.', structuredClone(sent), style),
        );
      }
      const whole = sentMessages(stored);
      for (let length = 1; length <= whole.length; length++) {
        const sent = whole.slice(0, length);
        expect(toPrompt('', sent, STYLES[0] as PromptStyle)).toEqual(
          toPrompt('', structuredClone(sent), STYLES[0] as PromptStyle),
        );
      }
    }),
    { numRuns: 150 },
  );
});
