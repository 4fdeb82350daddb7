import { ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { type Target, targetWords } from './target';

/** Between two neighbours only, never passed on (RFC 9110, 7.6.1); and what the gateway says itself. */
const HOP = new Set(
  [
    'connection keep-alive proxy-connection proxy-authorization proxy-authenticate te trailer upgrade',
    'transfer-encoding host expect',
  ]
    .join(' ')
    .split(' '),
);

export interface Forwarded {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly target: Target;
  readonly path: string;
  /** Connected to the target. */
  readonly socket: Socket;
}

/**
 * Passes one plain request on, written anew: what came from inside decides method, path, headers and body, but not where it
 * goes nor where it ends. `ClientRequest` rather than `request`, which an editor may have replaced by one that uses a proxy.
 */
export function forwardRequest({ request, response, target, path, socket }: Forwarded): void {
  const outgoing = clientRequest({ request, target, path, socket });
  if (!outgoing) {
    socket.destroy();
    response.writeHead(400, { 'Content-Length': 0, Connection: 'close' });
    response.end();
    return;
  }
  const failed = () => {
    socket.destroy();
    if (response.headersSent) response.destroy();
    else response.writeHead(502, { 'Content-Length': 0, Connection: 'close' }).end();
  };
  outgoing.on('error', failed);
  outgoing.on('response', (incoming) => {
    try {
      response.writeHead(
        incoming.statusCode ?? 502,
        incoming.statusMessage ?? '',
        passedOn(incoming.rawHeaders),
      );
    } catch {
      // A header that may be received but not sent.
      return failed();
    }
    pipeline(incoming, response, () => socket.destroy());
  });
  response.once('close', () => socket.destroy());
  pipeline(request, outgoing, () => undefined);
}

/** Undefined when the request can't be written: a character that no path or header may hold. */
function clientRequest({
  request,
  target,
  path,
  socket,
}: Omit<Forwarded, 'response'>): ClientRequest | undefined {
  const headers = [...passedOn(request.rawHeaders), 'Host', hostHeader(target)];
  if (request.headers['transfer-encoding'] !== undefined) headers.push('Transfer-Encoding', 'chunked');
  try {
    return new ClientRequest({
      method: request.method ?? 'GET',
      path,
      headers: [...headers, 'Connection', 'close'],
      setHost: false,
      createConnection: () => socket,
    });
  } catch {
    return undefined;
  }
}

function hostHeader(target: Target): string {
  return target.port === 80 ? targetWords(target).replace(/:80$/, '') : targetWords(target);
}

/** Names and values in turn, without what concerns the neighbour alone. Where a body ends is no neighbour's affair, whatever was said of it. */
function passedOn(raw: readonly string[]): string[] {
  const pairs = raw.flatMap((name, index) =>
    index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as const] : [],
  );
  const named = pairs
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.toLowerCase().split(','))
    .map((name) => name.trim());
  const isPassedOn = (name: string) => name === 'content-length' || !(HOP.has(name) || named.includes(name));
  return pairs.filter(([name]) => isPassedOn(name.toLowerCase())).flat();
}
