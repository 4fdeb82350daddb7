import { type IncomingMessage, request as requestOverHttp } from 'node:http';
import { type Readable, Stream } from 'node:stream';
import { createBrotliDecompress, createUnzip } from 'node:zlib';
import { streamedResponse } from './streamed-response';

/** Milliseconds without a byte after which a server counts as gone, as in the platform's own. */
const SILENCE = 300_000;

/**
 * `fetch` for replies that stream, on node:http. The platform's own leads request and reply through queues of its own, which takes as
 * long as half of all that Belay does with a reply (`npm run bench round-trip`). What this one doesn't know it leaves to that one: bodies
 * that are no text, and redirects.
 */
export const httpFetch: typeof fetch = (input, init) => fetchOverHttp(input, init, SILENCE);

/** The same with another patience. */
export const httpFetchWithin =
  (silenceMs: number): typeof fetch =>
  (input, init) =>
    fetchOverHttp(input, init, silenceMs);

async function fetchOverHttp(
  input: Parameters<typeof fetch>[0],
  init: RequestInit = {},
  silenceMs: number,
): Promise<Response> {
  const { body, signal } = init;
  const isPlain =
    (typeof input === 'string' || input instanceof URL) && (body == null || typeof body === 'string');
  if (!isPlain) return fetch(input, init);
  signal?.throwIfAborted();
  const reply = await send(new URL(input), init, silenceMs).catch((error: unknown) => {
    throw signal?.aborted ? signal.reason : new TypeError('fetch failed', { cause: error });
  });
  const status = reply.statusCode ?? 0;
  if (status >= 300 && status < 400 && reply.headers.location !== undefined) {
    reply.destroy();
    return fetch(input, init);
  }
  const head = { status, statusText: reply.statusMessage ?? '', headers: new Headers(headerPairs(reply)) };
  if (EMPTY.includes(status)) return new Response(null, head);
  return streamedResponse(toWeb(decoded(reply), signal), head);
}

/** Replies with these have no body. */
const EMPTY: readonly number[] = [204, 205, 304];

async function send(
  url: URL,
  { method, headers, body, signal }: RequestInit,
  silenceMs: number,
): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? (await import('node:https')).request : requestOverHttp;
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method: method ?? 'GET',
      headers: { accept: '*/*', 'accept-encoding': 'identity', ...recordOf(headers) },
      timeout: silenceMs,
      ...(signal ? { signal } : {}),
    });
    sent.on('response', resolve).on('error', reject);
    sent.on('timeout', () => sent.destroy(new SilentServer(silenceMs)));
    // As bytes: they go out some faster than a long string does.
    sent.end(typeof body === 'string' ? bytesOf(body) : undefined);
  });
}

const ENCODER = new TextEncoder();
/** Characters up to which a request is written into room for the worst case, which spares counting its bytes first: half the time. */
const LONGEST_ROOMY = 1024 * 1024;

function bytesOf(text: string): Uint8Array {
  if (text.length > LONGEST_ROOMY) return Buffer.from(text);
  const room = Buffer.allocUnsafeSlow(text.length * 3);
  return room.subarray(0, ENCODER.encodeInto(text, room).written);
}

/** Neither a byte nor an end for too long: as good as gone. */
class SilentServer extends Error {
  readonly code = 'ETIMEDOUT';

  constructor(silenceMs: number) {
    super(`the server has been silent for ${Math.round(silenceMs / 1000)} seconds`);
  }
}

function recordOf(headers: RequestInit['headers']): Readonly<Record<string, string>> {
  const isRecord = headers && !(headers instanceof Headers) && !Array.isArray(headers);
  return isRecord ? (headers as Record<string, string>) : Object.fromEntries(new Headers(headers));
}

function headerPairs({ rawHeaders }: IncomingMessage): [string, string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    pairs.push([rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '']);
  return pairs;
}

/** Some servers compress though they were asked not to. */
function decoded(reply: IncomingMessage): Readable {
  const encoding = reply.headers['content-encoding'];
  if (encoding === undefined || encoding === 'identity') return reply;
  const decoder = encoding === 'br' ? createBrotliDecompress() : createUnzip();
  return Stream.pipeline(reply, decoder, () => undefined);
}

/** Hands on all that has come each time it is asked: many small events that came together go on together. */
function toWeb(source: Readable, signal: AbortSignal | null | undefined): ReadableStream<Uint8Array> {
  let wanted = false;
  // Who reads may cancel at the provider's last word, while the connection's own end is already on its way here.
  let isOver = false;
  const give = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const chunk: Uint8Array | null = isOver ? null : source.read();
    if (chunk === null) return;
    wanted = false;
    controller.enqueue(chunk);
  };
  return new ReadableStream<Uint8Array>({
    start(controller) {
      source.on('readable', () => wanted && give(controller));
      source.on('end', () => {
        if (!isOver) controller.close();
        isOver = true;
      });
      source.on('error', (error) => {
        if (!isOver) controller.error(signal?.aborted ? signal.reason : error);
        isOver = true;
      });
    },
    pull(controller) {
      wanted = true;
      give(controller);
    },
    cancel() {
      isOver = true;
      source.destroy();
    },
  });
}
