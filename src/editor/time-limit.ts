/** The window didn't answer in time: it may be gone while the extension host lives on. */
export class WindowSilent extends Error {
  override readonly name = 'WindowSilent';
}

/**
 * Bounds a call into the window. A host can outlive its window for hours, and then every such call hangs
 * (observed in VS Code 1.139), so none is made without a limit. `ms` in milliseconds. A stop by `signal` ends the wait, not the call.
 */
export async function withinTime<T>(
  call: Thenable<T>,
  ms: number,
  what: string,
  signal?: AbortSignal,
): Promise<T> {
  const stopped = Promise.withResolvers<never>();
  const stop = () => stopped.reject(signal?.reason);
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted) stop();
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new WindowSilent(`the editor did not answer within ${ms} ms: ${what}`)),
      ms,
    );
  });
  try {
    return await Promise.race([call, silence, stopped.promise]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}
