/**
 * Asks somebody else's code and waits for so many milliseconds at most. A stop or the limit ends the wait at once, whether they hear of it
 * or not; then it rejects with the signal's reason, a `TimeoutError` for the limit.
 */
export async function askOthers<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  { signal, ms }: { readonly signal: AbortSignal; readonly ms: number },
): Promise<T> {
  const either = AbortSignal.any([signal, AbortSignal.timeout(ms)]);
  either.throwIfAborted();
  const ended = Promise.withResolvers<never>();
  const onEnd = () => ended.reject(either.reason);
  either.addEventListener('abort', onEnd, { once: true });
  try {
    return await Promise.race([ask(either), ended.promise]);
  } finally {
    either.removeEventListener('abort', onEnd);
  }
}

/** Whether a wait ended by its limit. */
export function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError';
}
