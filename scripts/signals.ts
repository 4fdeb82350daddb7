import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Resolves at the first Ctrl-C, termination or hang-up. Until then those signals don't end the process, so that it can clean up. */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    // A pending promise alone doesn't keep Node running.
    const alive = setInterval(() => undefined, 60_000);
    for (const signal of SIGNALS) {
      process.once(signal, () => {
        clearInterval(alive);
        resolve();
      });
    }
  });
}

/** Makes those signals an orderly exit: unlike a signal's own end it runs what waits for `exit`, such as the killing of servers. */
export function exitOnSignals(): void {
  for (const signal of SIGNALS) process.once(signal, () => process.exit(128 + constants.signals[signal]));
}
