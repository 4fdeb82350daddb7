import { delay } from '#base/queue';
import type { ModelEvent, ModelRequest } from '#models/model';
import { decide } from './decide';
import { taskOf } from './task';

/** Milliseconds between two words, so that a person sees the text come. */
const WORD_MS = 8;

/** What the demo answers to one request. The same request always gets the same answer. */
export async function* replyTo(request: ModelRequest, wordMs = WORD_MS): AsyncGenerator<ModelEvent> {
  const { say, calls = [] } = await decide(taskOf(request), request.signal);
  for (const word of say.match(/\s*\S+\s?/g) ?? []) {
    request.signal.throwIfAborted();
    if (wordMs > 0) await delay(wordMs, request.signal);
    yield { kind: 'text', delta: word };
  }
  if (say !== '') yield { kind: 'text-end', text: say };
  const step = request.messages.length;
  for (const [index, { name, input }] of calls.entries()) {
    yield { kind: 'call', providerId: `demo_${step}_${index + 1}`, name, rawInput: JSON.stringify(input) };
  }
  yield { kind: 'finish', reason: calls.length > 0 ? 'tool-calls' : 'stop', usage: {} };
}
