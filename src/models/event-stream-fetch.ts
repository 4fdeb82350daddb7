import { streamedResponse } from './streamed-response';
import { withTextArguments } from './text-arguments';

/** Milliseconds without a byte after which a reply counts as gone. Models think for minutes, and some say nothing meanwhile. */
const SILENCE = 300_000;
/** Ends a line that has no end, and the event that it belongs to. */
const LAST_LINES = Buffer.from('\n\n');

/** What is mended of a stream of events. */
export interface EventStreamOptions {
  /** The endpoint may send the arguments of a call as something else than text. */
  readonly looseArguments?: boolean;
  readonly silenceMs?: number;
}

/**
 * `fetch` for replies that stream as events, with what provider packages take amiss set right in one place: a last event counts though no
 * empty line stands behind it, a stream that falls silent ends in an error, arguments of calls are text. All else goes through untouched.
 */
export function eventStreamFetch(
  fetch: typeof globalThis.fetch,
  options: EventStreamOptions = {},
): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const isStream = response.headers.get('content-type')?.includes('event-stream');
    if (!response.ok || !response.body || !isStream) return response;
    return streamedResponse(mended(response.body, options), response);
  };
}

/** Neither a byte nor an end for too long: as good as gone. */
class SilentServer extends Error {
  readonly code = 'ETIMEDOUT';

  constructor(silenceMs: number) {
    super(`the server has been silent for ${Math.round(silenceMs / 1000)} seconds`);
  }
}

function mended(
  body: ReadableStream<Uint8Array>,
  { looseArguments = false, silenceMs = SILENCE }: EventStreamOptions,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const mend = looseArguments ? withTextArguments() : asItCame;
  let isSilent = false;
  const giveUp = (controller: ReadableStreamDefaultController) => {
    isSilent = true;
    const error = new SilentServer(silenceMs);
    controller.error(error);
    reader.cancel(error).catch(() => undefined);
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const patience = setTimeout(giveUp, silenceMs, controller);
        try {
          for (;;) {
            const { done, value } = await reader.read();
            if (isSilent) return;
            const ready = done ? mend(LAST_LINES) : mend(value);
            if (ready) controller.enqueue(ready);
            if (done) return controller.close();
            if (ready) return;
            patience.refresh();
          }
        } finally {
          clearTimeout(patience);
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

function asItCame(chunk: Uint8Array): Uint8Array {
  return chunk;
}
