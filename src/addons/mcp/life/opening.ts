import { type ResolvedServer, resolveServer } from '#addons/mcp/config/resolve';
import type { FoundServer } from '#addons/mcp/config/server';
import type { Connect, Connection, ConnectProblem } from '#addons/mcp/connection/connection';
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
  /** In tests; else the one that loads the SDK with the first server. */
  readonly connect?: Connect | undefined;
}

/** One attempt to start one server. */
export interface Opening {
  readonly found: FoundServer;
  readonly signal: AbortSignal;
  log(line: string): void;
  /** What is never to be shown of it. */
  keepSecret(values: readonly string[]): void;
  changed(what: Listed): void;
}

/** Replaces the variables of a server, starts or reaches it, and greets it. */
export async function openServer(
  opening: Opening,
  { host, root, watchdog, connect }: OpeningPorts,
): Promise<Result<Connection, ConnectProblem>> {
  const { found, signal, log, changed } = opening;
  const resolved = await resolve(opening, { host, root });
  if (!resolved.ok) return fail({ kind: 'hopeless', words: resolved.error });
  opening.keepSecret(resolved.value.secrets);
  const open = connect ?? (await import('#addons/mcp/connection/connect')).connect;
  const { clock, questions, random } = host;
  const ports = { server: found.config.name, clock, root, questions, watchdog, log, changed };
  const marker = `${process.pid}.mcp-${random.id()}`;
  return open(resolved.value, { ...ports, marker, signIn: undefined }, signal);
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
