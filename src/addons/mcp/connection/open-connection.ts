import type { Client, RequestOptions, Transport } from '@modelcontextprotocol/client';
import type { z } from 'zod';
import { t } from '#base/l10n';
import { delay } from '#base/queue';
import { fail, ok, type Result } from '#base/result';
import { revealInvisible, truncate } from '#base/text';
import type { CallOptions, CallProblem, Connection, ConnectionPorts, ConnectProblem } from './connection';
import { allPages } from './lists';
import { Patience } from './patience';
import { callProblem, challengeOf, needsSignIn, sentence } from './problems';
import { anySchema, pageSchema } from './schemas';

/** What a list may hold, and how long one page may take, in milliseconds. */
const MOST_LISTED = 1000;
const LIST_MS = 30_000;
/** With progress a call may take this many times its limit. */
const MOST_PATIENCE = 10;
/** The SDK's own limit never comes first: ours knows of progress and of questions to the person. */
const NEVER_MS = 2_000_000_000;
const MOST_PROGRESS = 200;
const SESSION_END_MS = 1000;

/** What only some transports have. */
type AnyTransport = Transport & {
  readonly reason?: string | undefined;
  terminateSession?(): Promise<void>;
};

/** A client of the SDK behind our own bounds and words. */
export class OpenConnection implements Connection {
  readonly closed: Promise<ConnectProblem>;
  isOver = false;
  readonly #client: Client;
  readonly #transport: AnyTransport;
  readonly #ports: ConnectionPorts;
  readonly #over = Promise.withResolvers<ConnectProblem>();
  /** Requests that wait for an answer. */
  readonly #waiting = new Set<Patience>();
  #isClosing = false;

  constructor(client: Client, transport: AnyTransport, ports: ConnectionPorts) {
    this.#client = client;
    this.#transport = transport;
    this.#ports = ports;
    this.closed = this.#over.promise;
    client.onclose = () => this.#ended();
  }

  get about(): Connection['about'] {
    const { name = '', version = '' } = this.#client.getServerVersion() ?? {};
    return { name, version, protocol: this.#client.getNegotiatedProtocolVersion() ?? '' };
  }

  get has(): Connection['has'] {
    const { tools, prompts, resources } = this.#client.getServerCapabilities() ?? {};
    return { tools: Boolean(tools), prompts: Boolean(prompts), resources: Boolean(resources) };
  }

  tools(signal: AbortSignal) {
    return this.#list('tools/list', 'tools', signal);
  }

  prompts(signal: AbortSignal) {
    return this.#list('prompts/list', 'prompts', signal);
  }

  resources(signal: AbortSignal) {
    return this.#list('resources/list', 'resources', signal);
  }

  resourceTemplates(signal: AbortSignal) {
    return this.#list('resources/templates/list', 'resourceTemplates', signal);
  }

  callTool(name: string, input: unknown, options: CallOptions) {
    return this.#ask('tools/call', { name, arguments: input }, options);
  }

  getPrompt(name: string, values: Readonly<Record<string, string>>, options: CallOptions) {
    return this.#ask('prompts/get', { name, arguments: values }, options);
  }

  readResource(uri: string, options: CallOptions) {
    return this.#ask('resources/read', { uri }, options);
  }

  /** While a person is asked for a server, none of its requests loses time. */
  async unhurried<T>(asking: () => Promise<T>): Promise<T> {
    const releases = [...this.#waiting].map((patience) => patience.hold());
    try {
      return await asking();
    } finally {
      for (const release of releases) release();
    }
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#endSession();
    await this.#client.close().catch(() => undefined);
    // A client whose connection is over already knows no transport any more.
    await this.#transport.close().catch(() => undefined);
    this.#ended();
  }

  /** A server that keeps sessions may forget this one; it isn't waited for long. */
  async #endSession(): Promise<void> {
    const { sessionId, terminateSession } = this.#transport;
    if (sessionId === undefined || terminateSession === undefined) return;
    const ended = terminateSession.call(this.#transport).catch(() => undefined);
    await Promise.race([ended, delay(SESSION_END_MS)]);
  }

  async #list(
    method: string,
    what: string,
    signal: AbortSignal,
  ): Promise<Result<readonly unknown[], string>> {
    const schema = pageSchema(what);
    const read = await allPages(MOST_LISTED, async (cursor) => {
      const params = cursor === undefined ? {} : { cursor };
      const page = await this.#request({ method, params }, schema, { signal, timeoutMs: LIST_MS });
      return page.ok ? page : fail(page.error.words);
    });
    if (!read.ok) return read;
    if (read.value.cut)
      this.#ports.log(t('Belay: only the first {0} of {1} count', read.value.items.length, what));
    return ok(read.value.items);
  }

  #ask(method: string, params: Record<string, unknown>, options: CallOptions) {
    return this.#request({ method, params }, anySchema, options);
  }

  async #request<Answer>(
    request: { readonly method: string; readonly params: Record<string, unknown> },
    schema: z.ZodType<Answer>,
    { signal, timeoutMs, onProgress }: CallOptions,
  ): Promise<Result<Answer, CallProblem>> {
    signal.throwIfAborted();
    const patience = new Patience(timeoutMs, MOST_PATIENCE);
    const stopped = AbortSignal.any([signal, patience.signal]);
    this.#waiting.add(patience);
    try {
      const options: RequestOptions = {
        signal: stopped,
        timeout: NEVER_MS,
        ...(onProgress ? { onprogress: (progress) => this.#progressed(progress, patience, onProgress) } : {}),
      };
      return ok((await this.#client.request(request, schema, options)) as Answer);
    } catch (error) {
      signal.throwIfAborted();
      const problem = callProblem(error, stopped.reason);
      if (needsSignIn(error)) this.#wantsSignIn(error);
      else if (problem.kind === 'lost' || problem.kind === 'unknown-session') this.lost(problem.words);
      return fail(problem);
    } finally {
      this.#waiting.delete(patience);
      patience.end();
    }
  }

  #progressed(
    {
      progress,
      total,
      message,
    }: { progress: number; total?: number | undefined; message?: string | undefined },
    patience: Patience,
    onProgress: (line: string) => void,
  ): void {
    patience.renew();
    const words = message ?? (total === undefined ? String(progress) : t('{0} of {1}', progress, total));
    onProgress(truncate(revealInvisible(words).replace(/\s+/g, ' ').trim(), MOST_PROGRESS));
  }

  #wantsSignIn(error: unknown): void {
    this.#ports.signIn?.demand(challengeOf(error));
    this.#end({ kind: 'sign-in', words: t('It wants you to sign in.') });
    void this.#client.close().catch(() => undefined);
  }

  /** What can't be reached any more is closed on this side too, so that it is opened anew. */
  lost(words: string): void {
    this.#end({ kind: 'failed', words: sentence(words) });
    void this.#client.close().catch(() => undefined);
  }

  #end(problem: ConnectProblem): void {
    this.isOver = true;
    this.#over.resolve(problem);
  }

  #ended(): void {
    const words = this.#isClosing
      ? t('it was stopped')
      : (this.#transport.reason ?? t('the connection was closed'));
    this.#end({ kind: 'failed', words: sentence(words) });
  }
}
