import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { anthropicEvents } from '#test/support/model-server/anthropic-events';
import { faultOf } from '#test/support/model-server/faults';
import { googleEvents } from '#test/support/model-server/google-events';
import { openaiChatEvents } from '#test/support/model-server/openai-chat-events';
import { openaiResponsesEvents } from '#test/support/model-server/openai-responses-events';
import type { Api, RecordedRequest, Reply } from '#test/support/model-server/script';
import { sendFailure, sendJson, sendStream } from '#test/support/model-server/send';

export interface ModelServerOptions {
  /** Replies in order; a function decides from the request instead. When they run out the server answers 500 and says so. */
  readonly script?: readonly Reply[] | ((request: RecordedRequest, index: number) => Reply);
  /** Ids that the model lists name. */
  readonly models?: readonly string[];
  /** The only key that is let in; any is without it. */
  readonly key?: string;
  /** 0 for any free one. */
  readonly port?: number;
}

/** A model endpoint on loopback that speaks four APIs and does what its script says. */
export interface ModelServer {
  /** `http://127.0.0.1:PORT`; base URLs are `${url}/v1` and, for Google, `${url}/v1beta`. */
  readonly url: string;
  /** Requests for replies so far, in order. */
  readonly requests: readonly RecordedRequest[];
  /** Replaces what is left of the script and forgets the requests. */
  reset(script: NonNullable<ModelServerOptions['script']>): void;
  close(): Promise<void>;
}

const ROUTES: readonly { readonly pattern: RegExp; readonly api: Api }[] = [
  { pattern: /\/messages$/, api: 'anthropic' },
  { pattern: /\/chat\/completions$/, api: 'openai-chat' },
  { pattern: /\/responses$/, api: 'openai-responses' },
  { pattern: /\/models\/[^/]+:streamGenerateContent$/, api: 'google' },
];

/** Starts a server; also under /control for tests in another process: `POST /control/script`, `GET /control/requests`. */
export async function startModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const state: State = { script: options.script ?? [], requests: [] };
  const server = createServer((request, response) => {
    handle(request, response, options, state).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else sendJson(response, 500, { error: { message: String(error) } });
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get requests() {
      return state.requests;
    },
    reset: (script) => reset(state, script),
    close: () => close(server),
  };
}

interface State {
  script: NonNullable<ModelServerOptions['script']>;
  requests: RecordedRequest[];
}

function reset(state: State, script: State['script']): void {
  state.script = script;
  state.requests = [];
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  options: ModelServerOptions,
  state: State,
): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  const body = await bodyOf(request);
  if (pathname === '/control/requests') return sendJson(response, 200, state.requests);
  if (pathname === '/control/script') {
    reset(state, JSON.parse(body) as Reply[]);
    return sendJson(response, 200, {});
  }
  if (options.key !== undefined && keyOf(request) !== options.key) {
    return sendFailure(response, { status: 401, message: 'invalid x-api-key' });
  }
  if (request.method === 'GET' && pathname.endsWith('/models')) {
    return sendJson(response, 200, modelList(pathname, options.models ?? ['scripted-1']));
  }
  const api = ROUTES.find(({ pattern }) => pattern.test(pathname))?.api;
  if (request.method !== 'POST' || !api)
    return sendFailure(response, { status: 404, message: `no route ${pathname}` });
  await reply({ api, path: pathname, headers: request.headers, body: JSON.parse(body) }, response, state);
}

async function reply(request: RecordedRequest, response: ServerResponse, state: State): Promise<void> {
  const index = state.requests.push(request) - 1;
  const fault = faultOf(request.api, request.body);
  if (fault) return sendFailure(response, { status: 400, message: fault });
  const scripted = typeof state.script === 'function' ? state.script(request, index) : state.script[index];
  if (!scripted)
    return sendFailure(response, { status: 500, message: `the script has no reply ${index + 1}` });
  if (scripted.error) return sendFailure(response, scripted.error);
  await sendStream(response, scripted, eventsOf(request, scripted));
}

function eventsOf({ api, body, path }: RecordedRequest, scripted: Reply): readonly string[] {
  const model = String(body['model']);
  switch (api) {
    case 'anthropic':
      return anthropicEvents(scripted, model);
    case 'openai-chat':
      return openaiChatEvents(scripted, model);
    case 'openai-responses':
      return openaiResponsesEvents(scripted, model);
    case 'google':
      return googleEvents(scripted, path);
  }
}

function modelList(pathname: string, ids: readonly string[]): object {
  if (pathname.startsWith('/v1beta')) {
    return {
      models: ids.map((id) => ({
        name: `models/${id}`,
        displayName: id,
        inputTokenLimit: 1000,
        supportedGenerationMethods: ['generateContent'],
      })),
    };
  }
  return {
    object: 'list',
    data: ids.map((id) => ({ id, object: 'model', type: 'model', display_name: id })),
  };
}

function keyOf({ headers }: IncomingMessage): string | undefined {
  const key =
    headers['x-api-key'] ?? headers['x-goog-api-key'] ?? headers.authorization?.replace(/^Bearer /, '');
  return Array.isArray(key) ? key[0] : key;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
