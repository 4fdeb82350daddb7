import { delay as realDelay } from '#base/queue';
import type { Model, ModelEvent, ModelProblem, ModelRequest } from './model';
import { isPassing } from './problem';

/** Retries after the first try. */
const MAX_RETRIES = 5;
/** A provider that wants a longer pause than this is not waited for: the person decides. */
const LONGEST_WAIT_MS = 60_000;
const FIRST_WAIT_MS = 1000;

/** How to wait, and whom to tell. */
export interface RetryOptions {
  /** Told before each wait. `attempt` counts the retries from 1. */
  onRetry?(retry: Retry): void;
  /** How to wait; tests hand in one that doesn't. Rejects when the signal aborts. */
  delay?(ms: number, signal: AbortSignal): Promise<void>;
  /** A number from 0 to 1, so that many windows don't come back in the same instant. */
  random?(): number;
}

/** A request that is about to be made again. */
export interface Retry {
  readonly attempt: number;
  readonly attempts: number;
  readonly delayMs: number;
  readonly reason: string;
}

/**
 * Streams a reply and tries again when the provider is busy or out of reach. The only layer that retries. Only before anything of
 * the reply was handed on: a reply that broke off later ends in its failure, so nothing is shown or run twice.
 */
export async function* streamWithRetry(
  model: Pick<Model, 'stream'>,
  request: ModelRequest,
  { onRetry, delay = realDelay, random = Math.random }: RetryOptions = {},
): AsyncGenerator<ModelEvent> {
  for (let attempt = 1; ; attempt++) {
    let problem: ModelProblem | undefined;
    let begun = false;
    for await (const event of model.stream(request)) {
      if (event.kind === 'failure' && !begun) problem = event.problem;
      else yield event;
      begun = true;
    }
    if (!problem) return;
    const wait = waitFor(problem, attempt, random());
    if (wait === undefined) return yield { kind: 'failure', problem };
    onRetry?.({ attempt, attempts: MAX_RETRIES, delayMs: wait, reason: problem.message });
    await delay(wait, request.signal);
    request.signal.throwIfAborted();
  }
}

/** 1, 2, 4, 8, 16 seconds, up to a quarter more; never less than the provider asks for. Undefined: don't try again. */
function waitFor(problem: ModelProblem, attempt: number, random: number): number | undefined {
  if (attempt > MAX_RETRIES || !isPassing(problem)) return undefined;
  const backoff = Math.round(FIRST_WAIT_MS * 2 ** (attempt - 1) * (1 + random / 4));
  const wait = Math.max(backoff, problem.retryAfterMs ?? 0);
  return wait > LONGEST_WAIT_MS ? undefined : wait;
}
