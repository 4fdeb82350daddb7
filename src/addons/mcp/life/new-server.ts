import type { FoundServer } from '#addons/mcp/config/server';
import type { SignInAgent } from '#addons/mcp/connection/sign-in-agent';
import { Offers } from '#addons/mcp/tools/offer';
import type { ManagedServer } from './managed-server';
import { type OpeningPorts, openServer } from './opening';
import { ServerLife } from './server-life';
import { ServerLog } from './server-log';

/** What a server needs beside what starts it. */
export interface ServerPorts extends OpeningPorts {
  pause(ms: number, signal: AbortSignal): Promise<void>;
  /** What it is given is a secret from now on. */
  keepSecret(values: readonly string[]): void;
  /** Its log has another line. */
  logged(): void;
  /** Its state, or what it offers, is another. */
  changed(server: ManagedServer): void;
}

/** A server that doesn't live yet. */
export function newServer(found: FoundServer, ports: ServerPorts): ManagedServer {
  const log = new ServerLog(ports.host.clock, () => ports.logged());
  const life = new ServerLife({
    open: (signal, changed) =>
      openServer(
        {
          found,
          signal,
          log: (line) => log.add(line),
          keepSecret: (values) => {
            log.hide(values);
            ports.keepSecret(values);
          },
          agent: (make) => agentOf(make),
          changed,
        },
        ports,
      ),
    pause: (ms, signal) => ports.pause(ms, signal),
    monotonic: () => ports.host.clock.monotonic(),
    log: (line) => log.add(line),
    changed: () => ports.changed(server),
  });
  const server: ManagedServer = {
    found,
    life,
    log,
    offers: new Offers(),
    offer: { definitions: [], rows: [] },
    judged: undefined,
    hindrance: undefined,
    agent: undefined,
    isHeld: false,
    isReconsidered: false,
  };
  return server;

  /** The first one stays: it may be leading somebody through a sign-in, and was told what the server wants. */
  async function agentOf(make: () => Promise<SignInAgent | undefined>): Promise<SignInAgent | undefined> {
    server.agent ??= await make();
    return server.agent;
  }
}
