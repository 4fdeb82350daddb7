import type { FetchLike } from '@modelcontextprotocol/client';
import { t } from '#base/l10n';
import { delay } from '#base/queue';

/** Most bytes of one answer, and of one event of a stream. */
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * `fetch` for a server and for what it says of signing in. The platform's own: the editor teaches it the person's proxy and certificates,
 * and it can be told to follow no redirect (the SDK follows those that stay with the server). Addresses that a server names are reached by
 * https alone, and those of this machine only where the server itself is on it: what it says must not make Belay knock at doors that
 * only this machine sees.
 */
export function fetchFor(server: URL): FetchLike {
  const isLocal = isLoopback(server);
  return async (input, init) => {
    const url = new URL(input);
    const isSafe = isOfThisMachine(url) ? isLocal : url.protocol === 'https:';
    const isAllowed = url.origin === server.origin || isSafe;
    if (!isAllowed)
      throw new Error(t('{0} is not reached: only https is, for what a server names', url.origin));
    return bounded(await fetch(url, { ...init, redirect: 'manual' }));
  };
}

/** Whether an address means this very machine. */
export function isLoopback(url: URL): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return (
    host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127(\.\d+){3}$/.test(host)
  );
}

/** Wider than what is trusted as loopback: this is for refusing. */
function isOfThisMachine(url: URL): boolean {
  const host = url.hostname.replace(/\.$/, '');
  return (
    isLoopback(url) || /^(localhost|0\.0\.0\.0|\[::\]|\[::ffff:(7f|0:)[0-9a-f]*:?[0-9a-f]*\])$/.test(host)
  );
}

/** So many streams may be opened at once, and then one in each of these stretches, in milliseconds. */
const MOST_STREAMS = 10;
const STREAM_MS = 1000;

/**
 * Opens streams (that is what GET is for here) no faster than that. A server says itself when a stream that it ended is opened anew: at
 * once and for ever, if it likes. `now` in milliseconds, never going back.
 */
export function paced(inner: FetchLike, now: () => number): FetchLike {
  let next = Number.NEGATIVE_INFINITY;
  return async (input, init) => {
    if ((init?.method ?? 'GET') !== 'GET') return inner(input, init);
    const at = now();
    next = Math.max(next, at - MOST_STREAMS * STREAM_MS) + STREAM_MS;
    if (next > at) await delay(next - at, init?.signal ?? undefined);
    return inner(input, init);
  };
}

/** An answer without an end must not fill the memory. */
function bounded(response: Response): Response {
  if (response.body === null) return response;
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  let bytes = 0;
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes = isStream && endsEvent(chunk) ? 0 : bytes + chunk.length;
        if (bytes > MOST_BYTES) controller.error(new Error(t('the server sent more than 16 MB at once')));
        else controller.enqueue(chunk);
      },
    }),
  );
  const { status, statusText, headers } = response;
  return new Response(counted, { status, statusText, headers });
}

const LINE_FEED = 10;
const RETURN = 13;

/** Whether an empty line is in it. One that two chunks share is missed: then the next one counts. */
function endsEvent(chunk: Uint8Array): boolean {
  for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, at + 1)) {
    const next = chunk[at + 1] === RETURN ? at + 2 : at + 1;
    if (chunk[next] === LINE_FEED) return true;
  }
  return false;
}
