import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { httpFetch } from '#models/http-fetch';
import { EXPECTED } from './expected';
import { type Recorded, recorded, replay } from './replay';

const NAMES = Object.keys(EXPECTED);

test('every recorded stream has its expected events', () => {
  const files = readdirSync(path.join(import.meta.dirname, 'streams')).map((file) => path.parse(file).name);
  expect(files.sort()).toEqual(NAMES.toSorted());
});

test.each(NAMES)('%s is read over HTTP, also when each byte travels alone', async (name) => {
  const stream = recorded(name);
  const server = createServer(async (request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    if (request.headers['x-api-key'] ?? request.url) response.end(stream.bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(await replay(stream, { url, fetch: httpFetch })).toEqual(EXPECTED[name]);
  expect(await replay(stream, { chunks: bytesOf(stream.bytes) })).toEqual(EXPECTED[name]);
});

/** The same events in every form that servers and proxies give a stream. */
const FRAMINGS: readonly (readonly [name: string, framed: (text: string) => string])[] = [
  ['CRLF', (text) => text.replaceAll('\n', '\r\n')],
  ['lone CR', (text) => text.replaceAll('\n', '\r')],
  ['no space behind the colon', (text) => text.replaceAll('data: ', 'data:')],
  ['comments between', (text) => text.replaceAll('\n\n', '\n\n: keepalive\n\n')],
  ['no names of events', (text) => text.replace(/^event: .*\n/gm, '')],
  ['ids and retries', (text) => `retry: 3000\nid: 1\n\n${text}`],
  ['a byte order mark', (text) => `\ufeff${text}`],
  ['data on several lines', (text) => text.replace(/^data: \{"/gm, 'data: {\ndata: "')],
  ['several empty lines', (text) => text.replaceAll('\n\n', '\n\n\n\n')],
  ['no empty line at the end', (text) => text.replace(/\n\n$/, '\n')],
  ['no end of the last line', (text) => text.replace(/\n\n$/, '')],
  ['no [DONE]', (text) => text.replace('data: [DONE]\n\n', '')],
  ['neither [DONE] nor an end', (text) => text.replace('data: [DONE]\n\n', '').replace(/\n\n$/, '')],
];

test.each(FRAMINGS)('LP-09 %s changes nothing, whole or byte by byte', async (_name, framed) => {
  for (const name of NAMES) {
    const stream = recorded(name);
    const bytes = Buffer.from(framed(stream.bytes.toString('utf8')));
    expect([name, await replay(stream, { chunks: [bytes] })]).toEqual([name, EXPECTED[name]]);
    expect([name, await replay(stream, { chunks: bytesOf(bytes) })]).toEqual([name, EXPECTED[name]]);
  }
});

test.each(NAMES.filter((name) => name.endsWith('-tools') || name.endsWith('-arguments')))(
  'LP-09 %s says the same wherever it is cut in two',
  async (name) => {
    const stream = recorded(name);
    const differing: number[] = [];
    // Byte by byte it was cut everywhere already; here the two parts are long.
    for (let at = 1; at < stream.bytes.length; at += strideOf(stream, 500)) {
      const chunks = [stream.bytes.subarray(0, at), stream.bytes.subarray(at)];
      if (JSON.stringify(await replay(stream, { chunks })) !== JSON.stringify(await whole(stream)))
        differing.push(at);
    }
    expect(differing).toEqual([]);
  },
);

test.each(NAMES.filter((name) => name.endsWith('-tools')))(
  'LP-07 %s that ends anywhere before its last event runs no call',
  async (name) => {
    const stream = recorded(name);
    const end = lastWord(stream);
    const running: number[] = [];
    for (let at = 0; at < end; at += strideOf(stream, 120)) {
      const events = await replay(stream, { chunks: [stream.bytes.subarray(0, at)] });
      const last = events.at(-1);
      const isSafe = last?.kind === 'failure' && !events.some(({ kind }) => kind === 'call');
      if (!isSafe) running.push(at);
    }
    expect(running).toEqual([]);
  },
);

/** Bytes from one try to the next, so that about so many are made. */
function strideOf({ bytes }: Recorded, tries: number): number {
  return Math.ceil(bytes.length / tries);
}

/** Where the provider's word begins that the reply is whole. */
function lastWord({ bytes }: Recorded): number {
  const marks = [
    '"stop_reason":"tool_use"',
    '"type":"response.completed"',
    '"finish_reason":"tool_calls"',
    '"finishReason": "STOP"',
  ];
  return Math.max(...marks.map((mark) => bytes.lastIndexOf(mark)));
}

const wholes = new Map<string, ReturnType<typeof replay>>();

function whole(stream: Recorded): ReturnType<typeof replay> {
  const known = wholes.get(stream.name) ?? replay(stream, { chunks: [stream.bytes] });
  wholes.set(stream.name, known);
  return known;
}

function bytesOf(bytes: Buffer): readonly Uint8Array[] {
  return Array.from(bytes, (byte) => Uint8Array.of(byte));
}
