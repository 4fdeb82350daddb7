import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream';
import type { Disposable } from '#base/disposable';
import { forwardRequest } from './forward';
import type { HostList } from './host-list';
import { type Outside, type Refusal, reach } from './reach';
import { Streams } from './streams';
import { absoluteTarget, connectTarget } from './target';

/** Of a request all headers together. */
const MOST_HEAD_BYTES = 16_384;
/** A connection that hasn't made its request by then is ended. */
const LONGEST_HEAD_MS = 20_000;
const MOST_NAMED = 20;
/** Some programs show nothing else of a refusal. */
const REASONS = { 400: 'Not understood', 403: 'Not in belay.sandbox.allowedHosts', 502: 'Bad Gateway' };

export interface GatewayOptions {
  readonly hosts: HostList;
  readonly outside: Outside;
}

/**
 * The proxy through which one command reaches allowed hosts: its end outside the sandbox, where it is decided. It knows
 * `CONNECT host:port` and `GET http://host/path`, and answers everything else with a refusal. What it reads is hostile.
 */
export class Gateway implements Disposable {
  readonly #options: GatewayOptions;
  readonly #server: Server;
  readonly #refused = new Set<string>();
  readonly #asked = new WeakSet<Duplex>();
  #streams: Streams | undefined;

  constructor(options: GatewayOptions) {
    this.#options = options;
    // It never listens: connections are handed to it.
    this.#server = createServer({
      maxHeaderSize: MOST_HEAD_BYTES,
      insecureHTTPParser: false,
      requireHostHeader: false,
      keepAlive: false,
    });
    // One request a connection: those sent ahead could open connections by the thousand.
    this.#server.maxRequestsPerSocket = 1;
    this.#server.on('connect', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
      void this.#tunnel(request.url ?? '', stream, head);
    });
    this.#server.on('request', (request, response) => void this.#forward(request, response));
    this.#server.on('clientError', (_error, stream) => refuse(stream, 400, 'this is no request of HTTP'));
  }

  /** Takes the socket that leads inside; once. */
  serve(link: Duplex): Disposable {
    this.#streams = new Streams(link, (stream) => {
      endUnlessAsked(stream, LONGEST_HEAD_MS);
      this.#server.emit('connection', stream);
    });
    return this.#streams;
  }

  /** Where the command wanted to go and the list said no, in the order of asking. */
  refused(): readonly string[] {
    return [...this.#refused];
  }

  dispose(): void {
    this.#streams?.dispose();
  }

  async #tunnel(url: string, stream: Duplex, head: Buffer): Promise<void> {
    if (this.#asked.has(stream)) return void stream.destroy();
    this.#asked.add(stream);
    endNever(stream);
    const target = connectTarget(url);
    if (!target) return refuse(stream, 400, 'CONNECT wants a host and a port, nothing else');
    const reached = await reach(target, this.#options);
    if (!reached.ok) {
      this.#note(reached.error);
      return refuse(stream, reached.error.status, reached.error.words);
    }
    const socket = reached.value;
    if (stream.destroyed) return void socket.destroy();
    stream.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    if (head.length > 0) socket.write(head);
    const over = (error: Error | null | undefined) => {
      if (!error) return;
      stream.destroy();
      socket.destroy();
    };
    pipeline(stream, socket, over);
    pipeline(socket, stream, over);
  }

  async #forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const stream = request.socket;
    this.#asked.add(stream);
    endNever(stream);
    response.shouldKeepAlive = false;
    const found = absoluteTarget(request.url ?? '');
    if (!found) {
      const words = 'this is a proxy: it wants CONNECT host:port, or an address that begins with http://';
      return answer(response, { status: 400, words });
    }
    const reached = await reach(found.target, this.#options);
    if (!reached.ok) {
      this.#note(reached.error);
      return answer(response, reached.error);
    }
    if (stream.destroyed) return void reached.value.destroy();
    forwardRequest({ request, response, ...found, socket: reached.value });
  }

  #note({ unlisted }: Refusal): void {
    if (unlisted !== undefined && this.#refused.size < MOST_NAMED) this.#refused.add(unlisted);
  }
}

/** Before it is known what is wanted there is no answer to write to. */
function refuse(stream: Duplex, status: keyof typeof REASONS, words: string): void {
  if (!stream.writable) return void stream.destroy();
  const body = `${words}\n`;
  stream.end(
    [
      `HTTP/1.1 ${status} ${REASONS[status]}`,
      'Content-Type: text/plain; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
  // What it may still send is read to nowhere, so that it reads the answer first.
  stream.resume();
  endUnlessAsked(stream, LONGEST_HEAD_MS);
}

function answer(
  response: ServerResponse,
  { status, words }: { readonly status: keyof typeof REASONS; readonly words: string },
): void {
  const body = `${words}\n`;
  response.writeHead(status, REASONS[status], {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  });
  response.end(body);
}

const TIMERS = new WeakMap<Duplex, NodeJS.Timeout>();

/** Ends a connection on which nothing is asked for in that time. */
function endUnlessAsked(stream: Duplex, ms: number): void {
  endNever(stream);
  if (stream.destroyed) return;
  const timer = setTimeout(() => stream.destroy(), ms);
  TIMERS.set(stream, timer);
  stream.once('close', () => clearTimeout(timer));
}

function endNever(stream: Duplex): void {
  clearTimeout(TIMERS.get(stream));
}
