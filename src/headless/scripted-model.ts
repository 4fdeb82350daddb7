import type { Model, ModelEvent, ModelProblem, ModelRequest } from '#models/model';
import type { ModelItem } from '#protocol/scenario';

/**
 * A model that answers what a scenario wrote down, one item per request. When the items run out it says so and stops, so that a turn
 * ends; tests and scenarios see every request that it got.
 */
export class ScriptedModel implements Model {
  readonly id = 'scripted/scenario';
  readonly name = 'Scenario';
  readonly providerName = 'Scripted';
  readonly contextWindow: number;
  readonly #onRequest: (request: ModelRequest) => void;
  #items: ModelItem[] = [];

  /** The window is larger than any scenario, where none is named. */
  constructor(onRequest: (request: ModelRequest) => void = () => undefined, contextWindow = 10_000_000) {
    this.#onRequest = onRequest;
    this.contextWindow = contextWindow;
  }

  /** What the next requests are answered with. What an earlier turn left over is dropped. */
  play(items: readonly ModelItem[]): void {
    this.#items = [...items];
  }

  async *stream(request: ModelRequest): AsyncIterable<ModelEvent> {
    this.#onRequest(request);
    // One turn of the event loop, as a network would take: whoever cancels on a request gets heard.
    await new Promise((resolve) => setImmediate(resolve));
    request.signal.throwIfAborted();
    const item = this.#items.shift() ?? { text: 'The scenario has no more answers for this turn.' };
    yield* item.error ? [failure(item.error)] : reply(item);
  }
}

function* reply(item: ModelItem): Iterable<ModelEvent> {
  if (item.reasoning) {
    yield { kind: 'reasoning', delta: item.reasoning };
    yield { kind: 'reasoning-end', text: item.reasoning };
  }
  if (item.text) {
    yield { kind: 'text', delta: item.text };
    yield { kind: 'text-end', text: item.text };
  }
  const calls = item.calls ?? [];
  for (const [index, call] of calls.entries()) {
    const cut = item.cut === true && index === calls.length - 1;
    yield {
      kind: 'call',
      providerId: call.id,
      name: call.name,
      rawInput: call.rawInput ?? JSON.stringify(call.input ?? {}),
      ...(cut ? { cut } : {}),
    };
  }
  const reason = item.cut ? 'length' : calls.length > 0 ? 'tool-calls' : 'stop';
  yield { kind: 'finish', reason, usage: item.usage ?? {} };
}

function failure(error: NonNullable<ModelItem['error']>): ModelEvent {
  const problem: ModelProblem = {
    kind: kindOf(error.status),
    status: error.status,
    message: error.message ?? `The model's server answered with status ${error.status}.`,
    ...(error.retryAfter === undefined ? {} : { retryAfterMs: error.retryAfter * 1000 }),
  };
  return { kind: 'failure', problem };
}

function kindOf(status: number): ModelProblem['kind'] {
  if (status === 401 || status === 403) return 'auth';
  if (status === 402) return 'quota';
  if (status === 429) return 'rate';
  if (status === 413) return 'overflow';
  return status >= 500 ? 'overloaded' : 'provider';
}
