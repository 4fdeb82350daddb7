import { type ResolvedHttp, type ResolvedServer, resolveServer } from '#addons/mcp/config/resolve';
import type { FoundServer } from '#addons/mcp/config/server';
import type { Connection, ConnectProblem } from '#addons/mcp/connection/connection';
import type { SignInAgent } from '#addons/mcp/connection/sign-in-agent';
import { fail, type Result } from '#base/result';
import type { Watchdog } from '#commands/watchdog';
import type { Host } from '#host';
import type { AbsolutePath } from '#protocol/ids';
import { inputValues } from './inputs';
import type { Listed } from './inventory';

/** What starting any server of a folder takes. */
export interface OpeningPorts {
  readonly host: Host;
  readonly root: AbsolutePath;
  readonly watchdog: Watchdog;
}

/** One attempt to start one server. */
export interface Opening {
  readonly found: FoundServer;
  readonly signal: AbortSignal;
  log(line: string): void;
  /** What is never to be shown of it. */
  keepSecret(values: readonly string[]): void;
  /** Who knows its tokens: the one that it has had from its first start on, else a new one. */
  agent(make: () => Promise<SignInAgent | undefined>): Promise<SignInAgent | undefined>;
  changed(what: Listed): void;
}

/** Replaces the variables of a server, starts or reaches it, and greets it. */
export async function openServer(
  opening: Opening,
  { host, root, watchdog }: OpeningPorts,
): Promise<Result<Connection, ConnectProblem>> {
  const { found, signal, log, changed } = opening;
  const server = found.config.name;
  const resolved = await resolve(opening, { host, root });
  if (!resolved.ok) return fail({ kind: 'hopeless', words: resolved.error });
  opening.keepSecret(resolved.value.secrets);
  const { clock, questions, random } = host;
  const target = resolved.value;
  const signIn =
    target.kind === 'http' ? await opening.agent(() => agentOf(target, server, host)) : undefined;
  const ports = { server, clock, root, questions, watchdog, log, changed };
  const marker = `${process.pid}.mcp-${random.id()}`;
  // With the first server that starts comes the SDK.
  const { connect } = await import('#addons/mcp/connection/connect');
  return connect(target, { ...ports, marker, signIn }, signal);
}

async function agentOf(
  target: ResolvedHttp,
  server: string,
  { questions, signIn, vault }: Host,
): Promise<SignInAgent | undefined> {
  const { signInAgent } = await import('#addons/mcp/connection/oauth-agent');
  return signInAgent(target, { server, questions, signIn, vault });
}

function resolve(
  { found, signal }: Opening,
  { host, root }: Pick<OpeningPorts, 'host' | 'root'>,
): Promise<Result<ResolvedServer, string>> {
  const { environment, settings } = host;
  return resolveServer(found, {
    environment,
    root,
    variables: environment.variables,
    extra: settings.current().commandEnvironment,
    input: inputValues(found, host, signal),
  });
}
