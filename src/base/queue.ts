/** Runs tasks one after another in the order they were given; a failed task doesn't stop the next. */
export class SerialQueue {
  #tail: Promise<unknown> = Promise.resolve();

  run<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(task, task);
    this.#tail = result.catch(() => undefined);
    return result;
  }
}

/** Does work beside something that waits for the disk or the network: it begins when the event loop turns, and costs no time of its own. */
export async function meanwhile<T>(work: () => T): Promise<T> {
  await new Promise((resolve) => setImmediate(resolve));
  return work();
}

/** Waits, unless the signal says stop first (then rejects with its reason). `ms` in milliseconds. */
export function delay(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', stop, { once: true });
    function done() {
      signal?.removeEventListener('abort', stop);
      resolve();
    }
    function stop() {
      clearTimeout(timer);
      reject(signal?.reason);
    }
  });
}
