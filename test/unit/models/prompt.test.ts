import { expect, test } from 'vitest';
import { toPrompt } from '#models/prompt';
import type { SentMessage } from '#protocol/message';
import { anthropicFault } from '#test/support/model-server/anthropic-faults';
import { assistant, callPart, note, result, user } from './history';

const STRICT = { metadataKey: 'anthropic', plainReasoning: false };
const promptOf = (messages: readonly SentMessage[], style = STRICT) => toPrompt('', messages, style);

test('LP-01 gives every call exactly one result, directly behind its message, in call order', () => {
  const prompt = promptOf([
    user('go'),
    assistant(callPart('a'), callPart('b'), callPart('c')),
    note('The user stopped the turn.'),
    result('c', 'cancelled: did not run', { status: 'cancelled', code: 'cancelled' }),
    result('a', 'one'),
    user('and now?'),
  ]);
  expect(prompt.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
  expect(prompt[2]?.content).toMatchObject([
    { toolCallId: 'a', output: { type: 'text', value: 'one' } },
    {
      toolCallId: 'b',
      output: { type: 'error-text', value: expect.stringContaining('may have run in part') },
    },
    { toolCallId: 'c', output: { type: 'error-text', value: 'cancelled: did not run' } },
  ]);
  expect(prompt[3]?.content).toMatchObject([{ text: 'The user stopped the turn.\n\nand now?' }]);
});

test('leaves out results without a call and second results of one call', () => {
  const prompt = promptOf([
    user('go'),
    result('ghost', 'boo'),
    assistant(callPart('a')),
    result('a', 'first'),
    result('a', 'second'),
  ]);
  expect(JSON.stringify(prompt)).not.toMatch(/ghost|boo|second/);
});

test('makes provider ids unique and legal, and keeps those of a shorter history', () => {
  const turn = [
    assistant(callPart('1', { providerId: 'x' }), callPart('2', { providerId: 'x' })),
    result('1', 'one'),
    result('2', 'two'),
  ];
  const later = [
    assistant(callPart('3', { providerId: 'x' }), callPart('4', { providerId: 'fn:0 é'.repeat(20) })),
    assistant(callPart('5', { providerId: '' })),
  ];
  const ids = (messages: readonly SentMessage[]) =>
    promptOf(messages).flatMap(({ role, content }) =>
      role === 'assistant'
        ? content.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : []))
        : [],
    );
  const short = ids([user('go'), ...turn]);
  const long = ids([user('go'), ...turn, ...later]);
  expect(short).toEqual(['x', 'x_2']);
  expect(long.slice(0, 2)).toEqual(short);
  expect(new Set(long).size).toBe(5);
  expect(long.every((id) => /^[a-zA-Z0-9_-]{1,64}$/.test(id))).toBe(true);
});

test.each(['', ' ', 'null', '"text"', '[]', '[1]', '{"a":', '{}{}', '12'])(
  'LP-06 sends arguments %j back as an empty object',
  (rawInput) => {
    const prompt = promptOf([user('go'), assistant(callPart('a', { rawInput })), result('a', 'x')]);
    expect(prompt[1]?.content).toMatchObject([{ type: 'tool-call', input: {} }]);
  },
);

test('makes text and arguments well-formed Unicode', () => {
  const prompt = promptOf([
    user('broken \ud83d here'),
    assistant(callPart('a', { rawInput: '{"path":"\\ud83d"}' })),
    result('a', 'cut emoji \ud83d'),
  ]);
  expect(prompt).toMatchObject([
    { content: [{ text: 'broken \ufffd here' }] },
    { content: [{ input: { path: '\ufffd' } }] },
    { content: [{ output: { value: 'cut emoji \ufffd' } }] },
  ]);
});

test('sends nothing empty: blank texts, bare reasoning and silent replies are left out, empty output is named', () => {
  const prompt = promptOf([
    user(' '),
    user('go', 'File a.txt:\nhello'),
    assistant({ kind: 'text', text: '\n' }),
    assistant({ kind: 'reasoning', text: 'hm', providerMetadata: { anthropic: { signature: 's' } } }),
    assistant({ kind: 'text', text: ' ' }, callPart('a')),
    result('a', ''),
  ]);
  expect(prompt).toMatchObject([
    { role: 'user', content: [{ text: 'go\n\nFile a.txt:\nhello' }] },
    { role: 'assistant', content: [{ type: 'tool-call' }] },
    { role: 'tool', content: [{ output: { value: '(no output)' } }] },
  ]);
  expect(prompt).toHaveLength(3);
});

test('hands reasoning back unchanged to the provider that signed it, and to no other', () => {
  const signed = {
    kind: 'reasoning',
    text: 'why \ud83d',
    providerMetadata: { anthropic: { signature: 's' } },
  } as const;
  const foreign = {
    kind: 'reasoning',
    text: 'secret',
    providerMetadata: { openai: { itemId: 'i' } },
  } as const;
  const plain = { kind: 'reasoning', text: 'plain' } as const;
  const text = { kind: 'text', text: 'so', providerMetadata: { openai: { itemId: 'm' } } } as const;
  const history = [user('go'), assistant(signed, foreign, plain, text), user('on')];

  expect(promptOf(history)[1]?.content).toEqual([
    { type: 'reasoning', text: 'why \ud83d', providerOptions: { anthropic: { signature: 's' } } },
    { type: 'text', text: 'so' },
  ]);
  expect(promptOf(history, { metadataKey: 'compatible', plainReasoning: true })[1]?.content).toEqual([
    { type: 'reasoning', text: 'plain' },
    { type: 'text', text: 'so' },
  ]);
});

test('never ends with the model, who would otherwise go on in its own words', () => {
  const prompt = promptOf([user('go'), assistant({ kind: 'text', text: 'half a' })]);
  expect(prompt.at(-1)).toEqual({ role: 'user', content: [{ type: 'text', text: 'Continue.' }] });
});

test('gives a tool that the model made up a legal name', () => {
  const prompt = promptOf([
    user('go'),
    assistant(callPart('a', { name: 'functions.read file' })),
    result('a', 'no'),
  ]);
  expect(prompt).toMatchObject([
    {},
    { content: [{ toolName: 'functions_read_file' }] },
    { content: [{ toolName: 'functions_read_file' }] },
  ]);
});

test('the scripted server would notice a call without a result', () => {
  const body = (content: object[]) => ({
    model: 'm',
    max_tokens: 1,
    stream: true,
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'go' }] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'n', input: {} }] },
      { role: 'user', content },
    ],
  });
  expect(anthropicFault(body([{ type: 'text', text: 'on' }]))).toContain('ids were found without results');
  expect(anthropicFault(body([{ type: 'tool_result', tool_use_id: 'a', content: 'x' }]))).toBeUndefined();
});

test('a conversation that goes on is sent as before and more; what was sent once stays as it was', () => {
  const history = [user('go'), assistant(callPart('a')), result('a', 'one'), note('aside')];
  const first = promptOf(history);
  const kept = structuredClone(first);
  const second = promptOf([...history, user('more'), assistant(callPart('b')), result('b', 'two')]);
  expect([first, second.slice(0, 3)]).toEqual([kept, kept.slice(0, 3)]);
  expect(second.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user', 'assistant', 'tool']);
  expect(second[3]?.content).toMatchObject([{ text: 'aside\n\nmore' }]);
});

test('a result that comes later, or in another style, is sent as it is then', () => {
  const asked = [user('go'), assistant(callPart('a'))];
  const open = promptOf(asked);
  const closed = promptOf([...asked, result('a', 'one')]);
  const other = promptOf([...asked, result('a', 'one')], { metadataKey: 'google', plainReasoning: true });
  expect([open[2], closed[2], other[2]]).toMatchObject([
    { content: [{ output: { type: 'error-text' } }] },
    { content: [{ output: { type: 'text', value: 'one' } }] },
    { content: [{ output: { type: 'text', value: 'one' } }] },
  ]);
});
