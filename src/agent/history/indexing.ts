import type { Disposable } from '#base/disposable';
import { messageOf } from '#base/result';
import type { Log } from '#host';
import type { Store } from '#store/store';

/** Events of one slice, and milliseconds of rest between two: nobody shall notice. */
const SLICE = 200;
const REST = 30;
/** Milliseconds before it begins: a window that opens has other things to do. */
const LATER = 3000;

/** Indexes sessions of before there was an index, a little at a time, until all are. */
export function indexInBackground(store: Store, log: Log): Disposable {
  let timer: NodeJS.Timeout | undefined;
  const next = (delay: number) => {
    timer = setTimeout(step, delay);
    timer.unref();
  };
  const step = () => {
    try {
      if (store.history.indexSome(SLICE)) next(REST);
    } catch (error) {
      // Search then finds less; the next start tries again.
      log.warn(`history: indexing stopped: ${messageOf(error)}`);
    }
  };
  next(LATER);
  return { dispose: () => clearTimeout(timer) };
}
