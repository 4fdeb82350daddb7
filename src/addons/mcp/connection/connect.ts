import path from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  Client,
  type ClientOptions,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import type { ResolvedHttp, ResolvedStdio } from '#addons/mcp/config/resolve';
import { t } from '#base/l10n';
import { fail, ok, type Result } from '#base/result';
import { startStdioProgram } from '#commands/stdio-program';
import type { Connect, Connection, ConnectionPorts, ConnectProblem } from './connection';
import { elicitation } from './elicitation';
import { guardMessages } from './flood-gate';
import { fetchFor, paced } from './http-fetch';
import { OpenConnection } from './open-connection';
import {
  challengeOf,
  connectProblem,
  isLastOfStream,
  isOtherTransport,
  outsideWords,
  sentence,
} from './problems';
import { StdioTransport } from './stdio-transport';

/** A first start may have to fetch the program: `npx`, `uvx`. */
const GREETING_MS = { stdio: 60_000, http: 30_000 } as const;

/** Starts or reaches a server and greets it. Aborting ends what was begun. */
export const connect: Connect = async (target, ports, signal) => {
  if (target.kind === 'stdio') return connectProgram(target, ports, signal);
  if (target.sse) return greet(sse(target, ports), { target, ports, signal });
  return connectHttp(target, ports, signal);
};

async function connectProgram(
  target: ResolvedStdio,
  ports: ConnectionPorts,
  signal: AbortSignal,
): Promise<Result<Connection, ConnectProblem>> {
  const started = await startStdioProgram({ ...target, marker: ports.marker, watchdog: ports.watchdog });
  if (!started.ok) return fail({ kind: 'failed', words: started.error });
  ports.log(t('Belay: started {0} (process {1})', started.value.file, started.value.pid));
  const transport = new StdioTransport(started.value, ports);
  const greeted = await greet(transport, { target, ports, signal });
  if (greeted.ok) return greeted;
  const why = transport.reason;
  await transport.close();
  // That it ended says more than that the connection is closed.
  return why === undefined || signal.aborted ? greeted : fail({ kind: 'failed', words: sentence(why) });
}

async function connectHttp(
  target: ResolvedHttp,
  ports: ConnectionPorts,
  signal: AbortSignal,
): Promise<Result<Connection, ConnectProblem>> {
  let isOther = false;
  const how = { target, ports, signal, refused: (error: unknown) => (isOther = isOtherTransport(error)) };
  const greeted = await greet(streamableHttp(target, ports), how);
  if (greeted.ok || !isOther || signal.aborted) return greeted;
  ports.log(t('Belay: the server refused the newer transport; trying the older one (SSE)'));
  const older = await greet(sse(target, ports), { target, ports, signal });
  return older.ok || older.error.kind === 'sign-in' ? older : greeted;
}

/** How a stream that broke off is taken up again before the server counts as gone. */
const RECONNECT = {
  initialReconnectionDelay: 500,
  reconnectionDelayGrowFactor: 2,
  maxReconnectionDelay: 10_000,
  maxRetries: 4,
};

function streamableHttp({ url, headers }: ResolvedHttp, { signIn, clock }: ConnectionPorts): Transport {
  return new StreamableHTTPClientTransport(new URL(url), {
    fetch: paced(fetchFor(new URL(url)), () => clock.monotonic()),
    requestInit: { headers },
    onInsufficientScope: 'throw',
    reconnectionOptions: RECONNECT,
    ...(signIn ? { authProvider: signIn.provider } : {}),
  });
}

function sse({ url, headers }: ResolvedHttp, { signIn, clock }: ConnectionPorts): Transport {
  return new SSEClientTransport(new URL(url), {
    fetch: paced(fetchFor(new URL(url)), () => clock.monotonic()),
    requestInit: { headers },
    ...(signIn ? { authProvider: signIn.provider } : {}),
  });
}

interface Greeting {
  readonly target: ResolvedStdio | ResolvedHttp;
  readonly ports: ConnectionPorts;
  readonly signal: AbortSignal;
  refused?(error: unknown): void;
}

async function greet(
  transport: Transport,
  { target, ports, signal, refused }: Greeting,
): Promise<Result<Connection, ConnectProblem>> {
  const { kind } = target;
  if (kind === 'http') guardMessages(transport, ports);
  const client = new Client(ABOUT, clientOptions(ports));
  const connection = new OpenConnection(client, transport, ports);
  const asked = elicitation(ports, (asking) => connection.unhurried(asking));
  if (asked) client.setRequestHandler('elicitation/create', asked);
  client.setRequestHandler('roots/list', () => ({
    roots: [{ uri: pathToFileURL(ports.root).href, name: path.basename(ports.root) }],
  }));
  client.setNotificationHandler('notifications/message', ({ params: { level, logger, data } }) => {
    const text = typeof data === 'string' ? data : JSON.stringify(data);
    ports.log(`(${level}${logger ? ` ${logger}` : ''}) ${text}`);
  });
  const say = sayOnce(ports);
  let isGreeted = false;
  client.onerror = (error) => {
    say(error);
    if (isGreeted && isLastOfStream(error)) connection.lost(outsideWords(error));
  };
  try {
    await client.connect(transport, { signal, timeout: GREETING_MS[kind] });
    isGreeted = true;
    return ok(connection);
  } catch (error) {
    refused?.(error);
    ports.signIn?.demand(challengeOf(error));
    await client.close().catch(() => undefined);
    return fail(connectProblem(error));
  }
}

/** The SDK tells of some errors twice. */
function sayOnce({ log }: ConnectionPorts): (error: Error) => void {
  let last: string | undefined;
  return (error) => {
    const words = outsideWords(error);
    if (words !== last) log(`Belay: ${words}`);
    last = words;
  };
}

const ABOUT = { name: 'belay', title: 'Belay', version: '1' };

function clientOptions({ questions, changed }: ConnectionPorts): ClientOptions {
  const onChanged = (what: 'tools' | 'prompts' | 'resources') => ({
    autoRefresh: false,
    // Whoever fetches the list waits by itself: a flood would put a debounced call off for ever.
    debounceMs: 0,
    onChanged: () => changed(what),
  });
  return {
    capabilities: { roots: {}, ...(questions ? { elicitation: { form: {}, url: {} } } : {}) },
    listChanged: {
      tools: onChanged('tools'),
      prompts: onChanged('prompts'),
      resources: onChanged('resources'),
    },
    // The SDK's own compiles a server's schema to code. What a tool answers is text for a model: it needs no such check.
    jsonSchemaValidator: {
      getValidator: () => (input: unknown) => ({
        valid: true,
        data: input as never,
        errorMessage: undefined,
      }),
    },
  };
}
