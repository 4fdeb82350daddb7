import { Server } from 'node:net';

// Loaded before a server that takes any port but doesn't say which: it is told on stderr.
const { listen } = Server.prototype;
Server.prototype.listen = function told(this: Server, ...args: unknown[]) {
  this.once('listening', () => {
    const address = this.address();
    if (typeof address === 'object' && address) process.stderr.write(`listening on ${address.port}.\n`);
  });
  return Reflect.apply(listen, this, args) as Server;
} as typeof listen;
