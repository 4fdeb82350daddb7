import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Reply } from '#test/support/model-server/script';

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** An HTTP failure in the shape that all four APIs share. */
export function sendFailure(response: ServerResponse, error: NonNullable<Reply['error']>): void {
  const message = error.message ?? `scripted ${error.status}`;
  const body =
    error.body ??
    JSON.stringify({
      type: 'error',
      error: {
        type: error.code ?? 'scripted',
        code: error.code ?? error.status,
        status: 'SCRIPTED',
        message,
      },
    });
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (error.retryAfter !== undefined) headers['retry-after'] = String(error.retryAfter);
  response.writeHead(error.status, headers).end(body);
}

/** The events of a reply as a stream, paced and chunked as the script says, with or without a proper end. */
export async function sendStream(
  response: ServerResponse,
  reply: Reply,
  events: readonly string[],
): Promise<void> {
  if (reply.delayMs) await sleep(reply.delayMs);
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  response.flushHeaders();
  for (const chunk of chunksOf(reply, events)) {
    if (response.destroyed) return;
    response.write(chunk);
    // Chunks must reach the client apart, not joined by the socket.
    if (reply.eventMs) await sleep(reply.eventMs);
    else if (reply.chunkBytes) await new Promise((resolve) => setImmediate(resolve));
  }
  if (reply.cut !== undefined && reply.cut !== false && reply.cut !== 'close') {
    // What was written must arrive before the connection breaks.
    await new Promise((resolve) => response.write(': \n\n', resolve));
    await sleep(20);
    response.destroy();
  } else {
    response.end();
  }
}

function chunksOf({ raw, chunkBytes }: Reply, events: readonly string[]): readonly (string | Buffer)[] {
  if (raw === undefined && !chunkBytes) return events;
  const bytes = Buffer.from(raw ?? events.join(''));
  const size = chunkBytes ?? bytes.length;
  const chunks: Buffer[] = [];
  for (let i = 0; i < bytes.length; i += size) chunks.push(bytes.subarray(i, i + size));
  return chunks;
}
