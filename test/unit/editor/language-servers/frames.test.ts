import { Readable } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { framed, messages } from '#editor/language-servers/frames';

async function read(...chunks: readonly (string | Buffer)[]): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const message of messages(Readable.from(chunks.map((chunk) => Buffer.from(chunk)))))
    found.push(message);
  return found;
}

const message = { jsonrpc: '2.0' as const, method: 'a/b', params: { text: 'é€😀' } };

test('messages come out as they were written, however their bytes are cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ method: fc.string(), params: fc.jsonValue() }), { maxLength: 8 }),
      fc.array(fc.nat(), { maxLength: 20 }),
      async (contents, cuts) => {
        const sent = contents.map((one) => ({ jsonrpc: '2.0', ...JSON.parse(JSON.stringify(one)) }));
        const bytes = Buffer.concat(sent.map(framed));
        const places = [
          0,
          ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b),
          bytes.length,
        ];
        const chunks = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
        expect(await read(...chunks)).toEqual(sent);
      },
    ),
  );
});

test('other headers and a greeting before them are borne', async () => {
  const body = JSON.stringify(message);
  const head = `Content-Type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}`;
  expect(await read(`Server 1.0 starting\n\n${head}\r\n\r\n${body}`)).toEqual([message]);
});

test('what is left when the stream ends is no message', async () => {
  expect(await read(framed(message), framed(message).subarray(0, -1))).toEqual([message]);
});

test.each([
  ['noise without end', 'noise '.repeat(20_000), 'what is no message'],
  ['a message without a length', 'Content-Type: a\r\n\r\n{}', 'without a length'],
  ['a length below zero', 'Content-Length: -1\r\n\r\n{}', 'without a length'],
  ['a length that no memory has', 'Content-Length: 99999999999999\r\n\r\n', '99999999999999 bytes'],
  ['half of a JSON', 'Content-Length: 2\r\n\r\n{"', 'no JSON-RPC message'],
  ['a JSON that is no message', 'Content-Length: 2\r\n\r\n[]', 'no JSON-RPC message'],
  ['another version', 'Content-Length: 17\r\n\r\n{"jsonrpc":"1.0"}', 'no JSON-RPC message'],
])('%s breaks the stream, and the reason is told', async (_what, bytes, why) => {
  await expect(read(bytes)).rejects.toThrow(why);
});

test('noise in small pieces is given up as soon as there is too much of it', async () => {
  let given = 0;
  async function* noise(): AsyncGenerator<Buffer> {
    for (; given < 10_000; given += 1) yield Buffer.from('x'.repeat(1000));
  }
  await expect(messages(noise()).next()).rejects.toThrow('what is no message');
  expect(given).toBeLessThan(70);
});
