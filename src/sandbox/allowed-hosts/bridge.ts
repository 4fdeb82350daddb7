import { type BridgeFacts, bridgeLink, bridgeSockets } from './bridge-parts';
import { FRAME, HEAD_BYTES, MOST_DATA_BYTES, WINDOW_BYTES } from './frames';

/** Where it listens, on the loopback of the command's own network: outside the range that systems give out by themselves. */
export const BRIDGE_PORT = 17_128;

/**
 * A whole program for `node -e`: carries connections on the loopback of a sandbox over one inherited socket to the gateway.
 * Once it can be reached it prints its process id and closes its output. It is no security boundary: it runs beside the
 * command, which may do to it what it likes; what counts is decided at the other end.
 */
export function bridgeProgram(fd: number): string {
  const facts: BridgeFacts = {
    port: BRIDGE_PORT,
    fd,
    frame: FRAME,
    headBytes: HEAD_BYTES,
    mostBytes: MOST_DATA_BYTES,
    windowBytes: WINDOW_BYTES,
  };
  return `(${bridge})(require, process, ${JSON.stringify(facts)}, { bridgeLink: ${bridgeLink}, bridgeSockets: ${bridgeSockets} });`;
}

interface Parts {
  readonly bridgeLink: typeof bridgeLink;
  readonly bridgeSockets: typeof bridgeSockets;
}

/** Runs elsewhere, as the functions of bridge-parts.ts do, and like them may name nothing but its parameters. */
function bridge(require: NodeJS.Require, process: NodeJS.Process, facts: BridgeFacts, parts: Parts): void {
  const net: typeof import('node:net') = require('node:net');
  const fs: typeof import('node:fs') = require('node:fs');
  const link = new net.Socket({ fd: facts.fd, readable: true, writable: true });
  link.on('error', () => process.exit(1)).on('close', () => process.exit(0));
  // It goes with the namespace; a signal for the command's own processes must not take its network away first.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);

  /** Heard where it is tried; beside a command nobody listens. */
  const failed = (error: Error) => {
    fs.writeSync(2, error.message);
    process.exit(1);
  };

  const { send, onFrame } = parts.bridgeLink(link, facts);
  const { carry, take } = parts.bridgeSockets(send, facts);
  onFrame(take);

  let isReachable = false;
  const server = net.createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    if (isReachable) carry(socket);
    else socket.on('error', () => undefined).end();
  });
  server.on('error', failed);
  server.listen(facts.port, '127.0.0.1', 511, () => {
    // Where loopback is down one can listen there, but nobody comes.
    const trial = net.connect(facts.port, '127.0.0.1', () => trial.resume());
    trial.on('error', failed);
    trial.on('end', () => {
      isReachable = true;
      fs.writeSync(1, String(process.pid));
      fs.closeSync(1);
    });
  });
}
