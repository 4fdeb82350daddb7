import type { Duplex } from 'node:stream';
import type { Disposable } from '#base/disposable';
import { BRIDGE_PORT, bridgeProgram } from './bridge';
import { Gateway } from './gateway';
import type { HostList } from './host-list';
import { sparing } from './names';
import { OUTSIDE, type Outside } from './reach';

/** What a command without the network may reach nevertheless. */
export interface AllowedHosts {
  /** As the person wrote them. */
  readonly names: readonly string[];
  /** A way for one command. */
  open(): HostsOfCommand;
}

/** What has to run beside one command, and what came of it. */
export interface HostsOfCommand {
  /** A program of Node, and the program that runs it. */
  readonly node: string;
  readonly program: string;
  /** What the command has to know. */
  readonly env: Readonly<Record<string, string>>;
  /** Takes the outer end of the socket whose inner end the program was given. */
  serve(link: Duplex): Disposable;
  /** "example.com:443": what the command wanted to reach and the list doesn't hold. */
  refused(): readonly string[];
}

/** The descriptor at which the program finds its socket; it must be handed over as this one. */
export const BRIDGE_FD = 5;

/** `node`: the program that this extension runs in. */
export function allowedHosts(hosts: HostList, node: string, outside: Outside = OUTSIDE): AllowedHosts {
  const program = bridgeProgram(BRIDGE_FD);
  const shared = sparing(outside);
  return {
    names: hosts.names,
    open() {
      const gateway = new Gateway({ hosts, outside: shared });
      return {
        node,
        program,
        env: PROXY_VARIABLES,
        serve: (link) => gateway.serve(link),
        refused: () => gateway.refused(),
      };
    },
  };
}

const PROXY = `http://127.0.0.1:${BRIDGE_PORT}`;
const OWN_NETWORK = 'localhost,127.0.0.1,::1';

/** Programs read either case; curl takes `http_proxy` in lower case only. */
const PROXY_VARIABLES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].flatMap((name) => [
      [name, PROXY],
      [name.toLowerCase(), PROXY],
    ]),
  ),
  NO_PROXY: OWN_NETWORK,
  no_proxy: OWN_NETWORK,
  // Yarn looks for its own. Node's fetch would look if told to, but every Node would then start in twice its time.
  YARN_HTTP_PROXY: PROXY,
  YARN_HTTPS_PROXY: PROXY,
};
