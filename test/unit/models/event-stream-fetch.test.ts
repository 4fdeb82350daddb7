import { expect, test } from 'vitest';
import { eventStreamFetch } from '#models/event-stream-fetch';

const EVENTS = { headers: { 'content-type': 'text/event-stream' } };

function bodyOf(...chunks: readonly string[]): ReadableStream<Uint8Array> {
  return ReadableStream.from(chunks.map((chunk) => Buffer.from(chunk))) as ReadableStream<Uint8Array>;
}

/** What a fetch with such an answer gives back. */
async function textOf(answer: Response, looseArguments = false): Promise<string> {
  const fetch = eventStreamFetch((async () => answer) as typeof globalThis.fetch, { looseArguments });
  return (await fetch('http://x')).text();
}

test('ends a last event that has no end, and leaves what is no stream of events alone', async () => {
  expect(await textOf(new Response(bodyOf('data: 1\n\n', 'data: 2'), EVENTS))).toBe('data: 1\n\ndata: 2\n\n');
  expect(await textOf(new Response('{"a":1}', { headers: { 'content-type': 'application/json' } }))).toBe(
    '{"a":1}',
  );
  expect(await textOf(new Response('no', { ...EVENTS, status: 500 }))).toBe('no');
});

test('LP-10 a stream that falls silent ends in an error of the network', async () => {
  const silent = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(Buffer.from('data: 1\n\n')),
  });
  const fetch = eventStreamFetch((async () => new Response(silent, EVENTS)) as typeof globalThis.fetch, {
    silenceMs: 50,
  });
  const reader = (await fetch('http://x')).body?.getReader();
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('data: 1\n\n');
  await expect(reader?.read()).rejects.toMatchObject({
    code: 'ETIMEDOUT',
    message: expect.stringContaining('silent'),
  });
});

test('a reader that leaves closes the connection', async () => {
  let closed: unknown;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(Buffer.from('data: 1\n\n')),
    cancel: (reason) => {
      closed = reason;
    },
  });
  const fetch = eventStreamFetch((async () => new Response(endless, EVENTS)) as typeof globalThis.fetch);
  await (await fetch('http://x')).body?.cancel('enough');
  expect(closed).toBe('enough');
});

const call = (args: string) =>
  `data: {"choices":[{"delta":{"tool_calls":[{"function":{"name":"n","arguments":${args}}}]}}]}\n\n`;

test.each([
  ['{"a":{"b":"ü"}}', '"{\\"a\\":{\\"b\\":\\"ü\\"}}"'],
  ['null', '"{}"'],
  ['[1]', '"[1]"'],
  ['"text {"', '"text {"'],
])('LP-06 arguments of %s become text', async (args, expected) => {
  const [one, two] = [call(args).slice(0, 50), call(args).slice(50)];
  expect(await textOf(new Response(bodyOf(one, two), EVENTS), true)).toContain(`"arguments":${expected}`);
});

test('what needs no mending goes on byte for byte', async () => {
  const odd =
    'data: {"choices": [ {"delta": {"content": "\\"arguments\\": {1}"}} ]}\n\n: ping\n\ndata: [DONE]\n\n';
  expect(await textOf(new Response(bodyOf(odd), EVENTS), true)).toBe(`${odd}\n\n`);
});
