import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Outside } from '#sandbox/allowed-hosts/reach';

/** Addresses of the public internet as far as the gateway can tell; they lead to servers of the test. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'allowed.example': ['93.184.215.14'],
  'two.example': ['10.0.0.7', '93.184.215.14'],
  'inner.example': ['10.0.0.7'],
  'rebound.example': ['127.0.0.1'],
  'metadata.example': ['169.254.169.254'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'dead.example': ['93.184.215.99'],
};

export interface TestWorld {
  readonly outside: Outside;
  readonly port: number;
  /** Names that were looked up and addresses that were connected to, in order. */
  readonly seen: string[];
  /** Connections that are open at the server now. */
  open(): number;
}

/** An outside without an internet: every address but the dead one is the given server of this machine. */
export async function worldOf(server: Server): Promise<TestWorld> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const open = new Set<object>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.on('error', () => undefined).once('close', () => open.delete(socket));
  });
  onTestFinished(() => void server.close());
  const seen: string[] = [];
  return {
    port,
    seen,
    open: () => open.size,
    outside: {
      async resolve(name) {
        seen.push(name);
        const found = NAMES[name];
        if (!found) throw new Error('ENOTFOUND');
        return found;
      },
      connect(address, wanted) {
        seen.push(`${address} ${wanted}`);
        return connect({ host: '127.0.0.1', port: address === '93.184.215.99' ? 1 : port });
      },
    },
  };
}

/** Answers each plain request by what it was, and echoes what is sent through a tunnel. */
export function httpWorld(): Promise<TestWorld> {
  const server = createHttpServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts).toString();
      const { method, url, headers } = request;
      response.setHeader('X-Kept', 'yes');
      response.end(`${JSON.stringify({ method, url, headers, body })}\n`);
    });
  });
  return worldOf(server);
}

/** A server that sends back what it gets. */
export function echoWorld(): Promise<TestWorld> {
  return worldOf(createServer({ allowHalfOpen: true }, (socket) => void socket.pipe(socket)));
}
