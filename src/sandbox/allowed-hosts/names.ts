import { SerialQueue } from '#base/queue';
import type { Outside } from './reach';

/** A name's addresses are asked for once in this time, by however many connections. */
const FRESH_MS = 30_000;
const MOST_KEPT = 1000;
/** Each look-up holds one of the few threads that files are read by as well: a command must not be able to hold them all. */
const AT_ONCE = 2;

/** The same outside, which looks names up sparingly. */
export function sparing(outside: Outside): Outside {
  const queues = Array.from({ length: AT_ONCE }, () => new SerialQueue());
  const kept = new Map<string, { readonly at: number; readonly addresses: Promise<readonly string[]> }>();
  let turn = 0;
  return {
    connect: (address, port) => outside.connect(address, port),
    resolve(name) {
      const known = kept.get(name);
      const now = performance.now();
      if (known && now - known.at < FRESH_MS) return known.addresses;
      if (kept.size >= MOST_KEPT) kept.clear();
      turn = (turn + 1) % AT_ONCE;
      const queue = queues[turn] ?? new SerialQueue();
      const addresses = queue.run(() => outside.resolve(name));
      // Who asks again after a failure may have more luck.
      addresses.catch(() => kept.delete(name));
      kept.set(name, { at: now, addresses });
      return addresses;
    },
  };
}
