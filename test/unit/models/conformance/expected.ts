import type { ModelEvent } from '#models/model';

const THOUGHT = 'Both files matter: 你好🙂.';
const SAID = 'I read both: ü – 例\u2028.';
const text = (words: string): readonly ModelEvent[] => [
  { kind: 'text', delta: words },
  { kind: 'text-end', text: words },
];
const thought = (providerMetadata?: Extract<ModelEvent, { kind: 'reasoning-end' }>['providerMetadata']) =>
  [
    { kind: 'reasoning', delta: THOUGHT },
    { kind: 'reasoning-end', text: THOUGHT, ...(providerMetadata ? { providerMetadata } : {}) },
  ] as const;
const call = (
  providerId: string,
  name: string,
  rawInput: string,
  more: Partial<Extract<ModelEvent, { kind: 'call' }>> = {},
): ModelEvent => ({ kind: 'call', providerId, name, rawInput, ...more });
const finish = (
  reason: Extract<ModelEvent, { kind: 'finish' }>['reason'],
  usage: readonly [input: number, output: number, cached: number] | undefined,
): ModelEvent => ({
  kind: 'finish',
  reason,
  usage: usage ? { inputTokens: usage[0], outputTokens: usage[1], cachedInputTokens: usage[2] } : {},
});
const HALF = '{"path":"a.ts","content":"export const half = ';
const WHOLE = [2160, 89, 2048] as const;

/** Ids that a provider package makes up where the API has none. */
export const MADE_UP = 'made up';

/** What each recorded stream says, in the words that all providers share. */
export const EXPECTED: Readonly<Record<string, readonly ModelEvent[]>> = {
  'anthropic-tools': [
    ...thought({ anthropic: { signature: 'EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl1pk==' } }),
    {
      kind: 'reasoning-end',
      text: '',
      providerMetadata: {
        anthropic: { redactedData: 'EmwKAhgBEgy3va3pzix/LafPsn4aDFIT2Xlxh0L5L8rLVyIwxtE3rAFBa8cr3qpP' },
      },
    },
    ...text(SAID),
    call('toolu_01T1x1fJ34qAmk2tNTrN7Up6', 'read_file', '{"path": "a🙂.txt"}'),
    call('toolu_02', 'list_todos', '{}'),
    finish('tool-calls', WHOLE),
  ],
  'anthropic-text': [...text('Done.'), finish('stop', [25, 15, 0])],
  'anthropic-cut-call': [
    call('toolu_03', 'write_file', HALF, { cut: true }),
    finish('length', [25, 8192, 0]),
  ],
  'anthropic-overloaded': [
    { kind: 'text', delta: 'I begin' },
    {
      kind: 'failure',
      problem: {
        kind: 'overloaded',
        status: 529,
        message: 'Anthropic is overloaded: Overloaded. Try again in a minute.',
      },
    },
  ],
  'anthropic-no-arguments': [
    ...text('I look at the list first.'),
    call('toolu_07', 'list_todos', '{}'),
    finish('tool-calls', [565, 48, 0]),
  ],
  'anthropic-refusal': [finish('content-filter', [25, 2, 0])],
  'openai-responses-tools': [
    ...thought({ openai: { itemId: 'rs_1', reasoningEncryptedContent: 'gAAAAABwhole' } }),
    { kind: 'text', delta: SAID },
    { kind: 'text-end', text: SAID, providerMetadata: { openai: { itemId: 'msg_1' } } },
    call('call_1', 'read_file', '{"path":"a🙂.txt"}', { providerMetadata: { openai: { itemId: 'fc_1' } } }),
    call('call_2', 'list_todos', '{}', { providerMetadata: { openai: { itemId: 'fc_2' } } }),
    finish('tool-calls', WHOLE),
  ],
  'openai-responses-interleaved': [
    {
      kind: 'reasoning-end',
      text: '',
      providerMetadata: { openai: { itemId: 'rs_a', reasoningEncryptedContent: 'gAAAAABone' } },
    },
    {
      kind: 'reasoning-end',
      text: '',
      providerMetadata: { openai: { itemId: 'rs_b', reasoningEncryptedContent: 'gAAAAABtwo' } },
    },
    call('call_a', 'read_file', '{"path":"a"}', {
      behind: 1,
      providerMetadata: { openai: { itemId: 'fc_a' } },
    }),
    call('call_b', 'read_file', '{"path":"b"}', { providerMetadata: { openai: { itemId: 'fc_b' } } }),
    finish('tool-calls', [10, 9, 0]),
  ],
  'openai-responses-no-reasoning': [
    call('call_7', 'read_file', '{"path":"a.ts"}', { providerMetadata: { openai: { itemId: 'fc_7' } } }),
    finish('tool-calls', [45, 25, 0]),
  ],
  'openai-responses-cut-call': [
    call('call_1', 'write_file', HALF, { cut: true, providerMetadata: { openai: { itemId: 'fc_1' } } }),
    finish('length', [25, 8192, 0]),
  ],
  'openai-responses-failed': [
    { kind: 'text', delta: 'I begin' },
    {
      kind: 'failure',
      problem: {
        kind: 'provider',
        status: 500,
        message:
          'OpenAI answered with an error (500): The server had an error while processing your request.',
      },
    },
  ],
  'openai-responses-error': [
    {
      kind: 'failure',
      problem: {
        kind: 'rate',
        status: 429,
        message:
          'OpenAI gets too many requests: Rate limit reached for gpt-5. Please try again in 2s. Wait a little and try again.',
      },
    },
  ],
  'openai-chat-tools': [
    ...text(SAID),
    call('call_1', 'read_file', '{"path":"a🙂.txt"}'),
    call('call_2', 'list_todos', '{}'),
    finish('tool-calls', WHOLE),
  ],
  'openai-chat-cut-call': [
    call('call_1', 'write_file', HALF, { cut: true }),
    finish('length', [25, 8192, 0]),
  ],
  'openai-chat-error': [
    { kind: 'text', delta: 'I begin' },
    {
      kind: 'failure',
      problem: {
        kind: 'overloaded',
        status: 503,
        message:
          'Local is overloaded: The server is currently overloaded, please try again later. Try again in a minute.',
      },
    },
  ],
  'openai-chat-reasoning': [...thought(), ...text('Done.'), finish('stop', [25, 15, 0])],
  'ollama-tools': [
    ...thought(),
    ...text(SAID),
    call('call_9w2', 'read_file', '{"path":"a🙂.txt"}'),
    call('call_x1b', 'list_todos', '{}'),
    finish('tool-calls', [2160, 89, 0]),
  ],
  'ollama-object-arguments': [
    call(MADE_UP, 'read_file', '{"path":"a🙂.txt"}'),
    call(MADE_UP, 'list_todos', '{}'),
    finish('tool-calls', undefined),
  ],
  'google-tools': [
    ...thought(),
    ...text(SAID),
    call(MADE_UP, 'read_file', '{"path":"a🙂.txt"}', {
      providerMetadata: { google: { thoughtSignature: 'CiIBVKhc7oISMZ7UmmsSwLzMpI6n==' } },
    }),
    call(MADE_UP, 'list_todos', '{}'),
    finish('tool-calls', WHOLE),
  ],
  'google-late-end': [
    call(MADE_UP, 'read_file', '{"path":"a.ts"}', {
      providerMetadata: { google: { thoughtSignature: 'EpEgCo4gAb4c9vvWkept==' } },
    }),
    finish('tool-calls', [29, 819, 0]),
  ],
  'google-cut-text': [...text('and so'), finish('length', [25, 8192, 0])],
  'google-safety': [finish('content-filter', [25, 0, 0])],
  'google-malformed-call': [
    {
      kind: 'failure',
      problem: {
        kind: 'provider',
        message: 'Google answered with an error: it gave up in the middle of a reply.',
      },
    },
  ],
  'google-overloaded': [
    { kind: 'text', delta: 'I begin' },
    {
      kind: 'failure',
      problem: {
        kind: 'overloaded',
        status: 503,
        message:
          'Google is overloaded: The model is overloaded. Please try again later. Try again in a minute.',
      },
    },
  ],
};
