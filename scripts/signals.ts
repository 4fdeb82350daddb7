import { constants } from 'node:os';
import { whenOrphaned } from './bootstrap/process.mjs';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Resolves at the first Ctrl-C, termination or hang-up, or when whoever started this process is gone. Those signals no longer end the
 * process, so that it can clean up: one Ctrl-C often comes twice, from the terminal and from npm.
 */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    // A pending promise alone doesn't keep Node running.
    const alive = setInterval(() => undefined, 60_000);
    const stop = () => {
      clearInterval(alive);
      resolve();
    };
    for (const signal of SIGNALS) process.on(signal, stop);
    whenOrphaned(stop);
  });
}

/** Makes those an orderly exit: unlike a signal's own end it runs what waits for `exit`, such as the killing of servers. */
export function exitOnSignals(): void {
  for (const signal of SIGNALS) process.once(signal, () => process.exit(128 + constants.signals[signal]));
  whenOrphaned(() => process.exit(1));
}
