import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ModelServer, startModelServer } from '#test/support/model-server/server';
import { modelAt, requestOf, user, wholeOf } from './history';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

/** Lines of a stream as imitators of OpenAI send them. */
const sse = (
  chunks: readonly object[],
  framing: { readonly eol?: string; readonly prefix?: string; readonly end?: string } = {},
) => {
  const { eol = '\n', prefix = 'data: ' } = framing;
  const end = framing.end ?? `data: [DONE]${eol}${eol}`;
  return `${chunks.map((chunk) => `${prefix}${JSON.stringify({ id: 'x', choices: [chunk] })}${eol}${eol}`).join('')}${end}`;
};
const calls = (...toolCalls: object[]) => ({ index: 0, delta: { tool_calls: toolCalls } });
const fn = (name: string, args: string) => ({ type: 'function', function: { name, arguments: args } });
const more = (args: string) => ({ function: { arguments: args } });
const finish = (reason: string) => ({ index: 0, delta: {}, finish_reason: reason });

async function read(raw: string) {
  server.reset([{ raw }]);
  const events = await wholeOf(modelAt('openai-chat', server.url).stream(requestOf([user('hi')])));
  return events.map((event) =>
    event.kind === 'call' ? [event.providerId, event.name, event.rawInput] : event,
  );
}

test('LP-08 a new id on a used index begins a new call', async () => {
  const events = await read(
    sse([
      calls({ index: 0, id: 'a', ...fn('read_file', '{"path":"1"}') }),
      calls({ index: 0, id: 'b', ...fn('read_file', '{"path":"2"}') }),
      finish('tool_calls'),
    ]),
  );
  expect(events.slice(0, -1)).toEqual([
    ['a', 'read_file', '{"path":"1"}'],
    ['b', 'read_file', '{"path":"2"}'],
  ]);
});

test('LP-08 interleaved fragments find their call', async () => {
  const events = await read(
    sse([
      calls({ index: 0, id: 'a', ...fn('read_file', '') }, { index: 1, id: 'b', ...fn('read_file', '') }),
      calls({ index: 1, ...more('{"path"') }, { index: 0, ...more('{"pa') }),
      calls({ index: 0, ...more('th":"1"}') }),
      calls({ index: 1, ...more(':"2"}') }),
      finish('tool_calls'),
    ]),
  );
  expect(events.slice(0, -1)).toEqual([
    ['a', 'read_file', '{"path":"1"}'],
    ['b', 'read_file', '{"path":"2"}'],
  ]);
});

test('LP-08 two values glued under one id stay one call that is no JSON', async () => {
  const events = await read(
    sse([
      calls({ index: 0, id: 'a', ...fn('read_file', '{"path":"1"}') }),
      calls({ index: 0, ...more('{"path":"2"}') }),
      finish('tool_calls'),
    ]),
  );
  expect(events[0]).toEqual(['a', 'read_file', '{"path":"1"}{"path":"2"}']);
  expect(events).toHaveLength(2);
});

test('LP-08 missing index and missing id get an id of their own', async () => {
  const events = await read(
    sse([calls(fn('read_file', '{"path":"1"}')), calls(fn('list', '{}')), finish('stop')]),
  );
  expect(events).toMatchObject([
    [expect.stringMatching(/./), 'read_file', '{"path":"1"}'],
    [expect.stringMatching(/./), 'list', '{}'],
    { kind: 'finish', reason: 'tool-calls' },
  ]);
});

test('LP-08 a name repeated in each fragment is one name', async () => {
  const events = await read(
    sse([
      calls({ index: 0, id: 'a', ...fn('read_file', '{"pa') }),
      calls({ index: 0, id: 'a', ...fn('read_file', 'th":"1"}') }),
      finish('tool_calls'),
    ]),
  );
  expect(events[0]).toEqual(['a', 'read_file', '{"path":"1"}']);
});

test.each([
  ['CRLF', { eol: '\r\n' }],
  ['lone CR', { eol: '\r' }],
  ['no space behind the colon', { prefix: 'data:' }],
  ['comments between', { prefix: ': keepalive\n\ndata: ' }],
  ['no [DONE]', { end: '' }],
])('LP-09 reads a stream framed with %s', async (_name, framing) => {
  const chunks = [{ index: 0, delta: { content: '你好🙂\u2028' } }, finish('stop')];
  expect(await read(sse(chunks, framing))).toMatchObject([
    { kind: 'text-end', text: '你好🙂\u2028' },
    { kind: 'finish', reason: 'stop' },
  ]);
});

test('LP-07 a lying `stop` behind half a call hands on arguments that are no JSON', async () => {
  const events = await read(
    sse([calls({ index: 0, id: 'a', ...fn('write_file', '{"path":"a","content":"half') }), finish('stop')]),
  );
  expect(events[0]).toEqual(['a', 'write_file', '{"path":"a","content":"half']);
});

test('a stream that is no JSON is a failure of the provider, not of the network', async () => {
  const events = await read('data: {oops\n\n');
  expect(events).toMatchObject([{ kind: 'failure', problem: { kind: 'provider' } }]);
});
