import { lookup } from 'node:dns/promises';
import { connect, isIP, type Socket } from 'node:net';
import { fail, ok, type Result } from '#base/result';
import { isPublic } from './addresses';
import type { HostList } from './host-list';
import { type Target, targetWords } from './target';

/** The network as this machine has it; another one in tests. */
export interface Outside {
  /** Addresses of a name; rejects when there are none. */
  resolve(name: string): Promise<readonly string[]>;
  /** Begins to connect; the address is never a name. */
  connect(address: string, port: number): Socket;
}

/** Why a request goes nowhere, in one sentence for people and models. */
export interface Refusal {
  /** An answer of HTTP: 403 where the list says no. */
  readonly status: 403 | 502;
  readonly words: string;
  /** With 403: what the list doesn't hold, in few words. */
  readonly unlisted?: string;
}

export const OUTSIDE: Outside = {
  resolve: async (name) => (await lookup(name, { all: true })).map(({ address }) => address),
  connect: (address, port) => connect({ host: address, port, autoSelectFamily: false }),
};

const LONGEST_WAIT_MS = 10_000;
/** Of a name's addresses so many are tried. */
const MOST_ADDRESSES = 3;

/**
 * Connects to a target that the list allows, at the very address that was judged. A name never leads to this machine or
 * its network, whatever its owner says: only an address that stands in the list as such does.
 */
export async function reach(
  target: Target,
  { hosts, outside }: { readonly hosts: HostList; readonly outside: Outside },
): Promise<Result<Socket, Refusal>> {
  const at = targetWords(target);
  if (!hosts.allows(target)) {
    const words = `the sandbox refuses ${at}: the setting belay.sandbox.allowedHosts does not list it`;
    return fail({ status: 403, words, unlisted: at });
  }
  const addresses = await addressesOf(target, outside);
  if (addresses.length === 0) return fail({ status: 502, words: `${target.host} has no address` });
  // The list holds this very address.
  const open = isIP(target.host) !== 0 ? addresses : addresses.filter(isPublic);
  if (open.length === 0) {
    const address = addresses[0] ?? '';
    const words = `the sandbox refuses ${at}: it is an address of this machine or its network (${address}); the setting belay.sandbox.allowedHosts would have to list that address itself`;
    return fail({ status: 403, words, unlisted: `${at} (at ${address}, in your own network)` });
  }
  for (const address of open.slice(0, MOST_ADDRESSES)) {
    const socket = await connected(outside.connect(address, target.port));
    if (socket) return ok(socket);
  }
  return fail({ status: 502, words: `${at} does not answer` });
}

async function addressesOf({ host }: Target, outside: Outside): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host];
  const { promise: late, resolve } = Promise.withResolvers<readonly string[]>();
  const timer = setTimeout(() => resolve([]), LONGEST_WAIT_MS);
  try {
    return await Promise.race([outside.resolve(host).catch(() => []), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Undefined when it can't be reached, or not in time. Its errors are heard from the beginning: none may end the process. */
function connected(socket: Socket): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const failed = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve(undefined);
    };
    const timer = setTimeout(failed, LONGEST_WAIT_MS);
    socket.on('error', failed);
    socket.once('connect', () => {
      clearTimeout(timer);
      resolve(socket);
    });
  });
}
