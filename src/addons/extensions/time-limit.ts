/** Work of others took longer than it may. */
export class TookTooLong extends Error {
  override readonly name = 'TookTooLong';
}

/**
 * Waits for work of others so many milliseconds and not longer; then the signal that it was given aborts. Others' code may throw before
 * it returns a promise, return no promise, or never end.
 */
export async function withinTime<T>(
  work: (signal: AbortSignal) => Promise<T>,
  ms: number,
  signal: AbortSignal = new AbortController().signal,
): Promise<T> {
  const limit = new AbortController();
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const error = new TookTooLong(`it did not end within ${Math.round(ms / 1000)} s`);
    late.reject(error);
    limit.abort(error);
  }, ms);
  try {
    return await Promise.race([work(AbortSignal.any([signal, limit.signal])), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
