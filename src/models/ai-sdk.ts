import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4FunctionTool,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider';
import { t } from '#base/l10n';
import { assertNever } from '#base/result';
import type { Usage } from '#protocol/message';
import type { FinishReason, ModelEvent, ModelProblem, ModelRequest, ModelTool } from './model';
import { describe, type Endpoint } from './problem';
import { toPrompt } from './prompt';
import type { PromptStyle } from './prompt-style';
import type { Provider } from './provider';
import { ReplyParts } from './reply-parts';
import { brokenOff, problemOf } from './sdk-problem';

/** Streams one reply through an AI SDK provider's own `doStream`: no second retry, no tool execution, no telemetry. */
export async function* streamReply(
  provider: Provider,
  request: ModelRequest,
  endpoint: Endpoint,
): AsyncGenerator<ModelEvent> {
  let answered = false;
  for await (const event of attempt(provider, request, endpoint)) {
    if (!answered && event.kind === 'failure' && mayBeImages(event.problem, provider, request)) {
      // A picture stays in the history: were it sent on, a provider that can't read it would refuse every later request.
      const style = { ...provider.style, images: 'none' as const };
      return yield* attempt({ ...provider, style }, request, endpoint);
    }
    answered = true;
    yield event;
  }
}

/** What providers answer to a picture that they can't read or a model that doesn't see, in the words of HTTP. */
const REFUSED: ReadonlySet<number | undefined> = new Set([400, 404, 413, 415, 422]);

function mayBeImages(
  { kind, status }: ModelProblem,
  { style }: Provider,
  { messages }: ModelRequest,
): boolean {
  const sent = style.images !== undefined && style.images !== 'none';
  if (!sent || kind !== 'provider' || !REFUSED.has(status)) return false;
  return messages.some(
    (message) =>
      (message.kind === 'result' && message.result.images !== undefined) ||
      (message.kind === 'user' && message.images !== undefined),
  );
}

async function* attempt(
  { languageModel, style, prepare }: Provider,
  request: ModelRequest,
  endpoint: Endpoint,
): AsyncGenerator<ModelEvent> {
  const parts = new ReplyParts();
  let begun = false;
  let reader: ReadableStreamDefaultReader<LanguageModelV4StreamPart> | undefined;
  try {
    const options = toCallOptions(request, style);
    const { stream } = await languageModel.doStream(prepare ? prepare(options) : options);
    reader = stream.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      request.signal.throwIfAborted();
      if (done) break;
      if (value.type === 'error') return yield failed(problemOf(value.error, endpoint, begun));
      begun ||= value.type !== 'stream-start';
      if (value.type === 'finish') return yield* end(parts, value, endpoint);
      yield* parts.add(value);
    }
    yield failed(brokenOff(endpoint));
  } catch (error) {
    if (request.signal.aborted) throw request.signal.reason;
    yield failed(problemOf(error, endpoint));
  } finally {
    // Closes the connection when the reader of this reply left early.
    void reader?.cancel().catch(() => undefined);
  }
}

function toCallOptions(request: ModelRequest, style: PromptStyle): LanguageModelV4CallOptions {
  return {
    prompt: toPrompt(request.system, request.messages, style),
    abortSignal: request.signal,
    ...(request.tools.length > 0 ? { tools: request.tools.map(toFunctionTool) } : {}),
  };
}

function toFunctionTool({ name, description, inputSchema }: ModelTool): LanguageModelV4FunctionTool {
  // Optional arguments stay optional: OpenAI's strict mode would make the model send null for them.
  return { type: 'function', name, description, inputSchema, strict: false };
}

type FinishPart = Extract<LanguageModelV4StreamPart, { type: 'finish' }>;

function* end(
  parts: ReplyParts,
  { finishReason, usage }: FinishPart,
  endpoint: Endpoint,
): Generator<ModelEvent> {
  if (finishReason.unified === 'interrupted') return yield failed(brokenOff(endpoint));
  if (finishReason.unified === 'error')
    return yield failed(
      describe({ text: t('it gave up in the middle of a reply'), answered: true }, endpoint),
    );
  const cut = finishReason.unified === 'length';
  yield* parts.closeBlocks();
  const calls = parts.calls({ cut });
  yield* calls;
  yield { kind: 'finish', reason: reasonOf(finishReason.unified, calls.length > 0), usage: usageOf(usage) };
}

function reasonOf(unified: LanguageModelV4FinishReason['unified'], hasCalls: boolean): FinishReason {
  switch (unified) {
    // Several OpenAI-compatible servers say `stop` behind calls.
    case 'stop':
    case 'tool-calls':
      return hasCalls ? 'tool-calls' : 'stop';
    case 'length':
    case 'content-filter':
    case 'error':
    case 'other':
      return unified;
    case 'interrupted':
      return 'error';
    default:
      return assertNever(unified);
  }
}

function usageOf({ inputTokens, outputTokens }: LanguageModelV4Usage): Usage {
  return {
    ...(inputTokens.total === undefined ? {} : { inputTokens: inputTokens.total }),
    ...(outputTokens.total === undefined ? {} : { outputTokens: outputTokens.total }),
    ...(inputTokens.cacheRead === undefined ? {} : { cachedInputTokens: inputTokens.cacheRead }),
  };
}

function failed(problem: ModelProblem): ModelEvent {
  return { kind: 'failure', problem };
}
