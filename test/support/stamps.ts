import { delay } from '#base/queue';
import { StampClock } from '#disk/stamps';

/** Milliseconds after which stamps have moved on any system whose clock of stamps can't be read. */
const LONG = 50;

/** Waits until a file that is touched from now on gets a later stamp than all that were touched before. */
export async function stampsMoveOn(): Promise<void> {
  const clock = StampClock.open();
  if (!clock) return delay(LONG);
  const reached = await clock.momentAfter(clock.read());
  clock.dispose();
  if (!reached) throw new Error('the clock that stamps files stands');
}
