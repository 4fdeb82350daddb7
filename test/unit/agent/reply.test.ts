import { expect, test } from 'vitest';
import { Reply } from '#agent/reply';
import type { ModelEvent } from '#models/model';
import type { CallId } from '#protocol/ids';

function gather(...events: readonly ModelEvent[]): Reply {
  let ids = 0;
  const reply = new Reply(() => `call${++ids}` as CallId);
  for (const event of events) reply.add(event);
  return reply;
}

test('gathers text, reasoning with its signature and calls under ids of its own', () => {
  const reply = gather(
    { kind: 'reasoning', delta: 'hm' },
    { kind: 'reasoning-end', text: 'hm', providerMetadata: { a: { signature: 's' } } },
    { kind: 'text', delta: 'I look' },
    { kind: 'text-end', text: 'I look' },
    { kind: 'call', providerId: 'p1', name: 'read_file', rawInput: '{}' },
    { kind: 'finish', reason: 'tool-calls', usage: { inputTokens: 3 } },
  );
  expect([reply.parts, reply.text, reply.reasoning, reply.finish, reply.usage]).toEqual([
    [
      { kind: 'reasoning', text: 'hm', providerMetadata: { a: { signature: 's' } } },
      { kind: 'text', text: 'I look' },
      { kind: 'call', call: { id: 'call1', providerId: 'p1', name: 'read_file', rawInput: '{}' } },
    ],
    'I look',
    'hm',
    'tool-calls',
    { inputTokens: 3 },
  ]);
});

test('keeps the text that was on its way when the stream broke off, and drops reasoning without an end', () => {
  const reply = gather({ kind: 'reasoning', delta: 'because' }, { kind: 'text', delta: 'It is' });
  expect([reply.parts, reply.text, reply.reasoning]).toEqual([
    [{ kind: 'text', text: 'It is' }],
    'It is',
    'because',
  ]);
});

test('a reply of reasoning and blanks alone says nothing', () => {
  const reply = gather(
    { kind: 'reasoning-end', text: 'hm' },
    { kind: 'text-end', text: ' \n' },
    { kind: 'finish', reason: 'stop', usage: {} },
  );
  expect(reply.isEmpty).toBe(true);
});

test('a call stands where it was made, between the blocks of its reply', () => {
  const call = (providerId: string, behind?: number) =>
    ({
      kind: 'call',
      providerId,
      name: 'n',
      rawInput: '{}',
      ...(behind === undefined ? {} : { behind }),
    }) as const;
  const reply = gather(
    { kind: 'reasoning-end', text: 'one' },
    { kind: 'reasoning-end', text: 'two' },
    call('a', 1),
    call('b', 1),
    call('c'),
  );
  expect(reply.parts.map((part) => (part.kind === 'call' ? part.call.providerId : part.text))).toEqual([
    'one',
    'a',
    'b',
    'two',
    'c',
  ]);
  expect(reply.calls.map(({ providerId }) => providerId)).toEqual(['a', 'b', 'c']);
});
