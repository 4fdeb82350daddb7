import type {
  JSONObject,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolCallPart,
  LanguageModelV4ToolResultPart,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider';
import { assertNever } from '#base/result';
import type { CallId } from '#protocol/ids';
import type { AssistantPart, SentMessage } from '#protocol/message';
import type { ProviderMetadata, ToolCall } from '#protocol/tool-call';
import type { ToolResult } from '#protocol/tool-result';
import {
  filePart,
  type ImagePlace,
  imagesOf,
  outputWithImages,
  type Pictured,
  userText,
  withImages,
  withoutImages,
} from './prompt-images';
import { legal, wireIds } from './wire-ids';

type AssistantMessage = Extract<SentMessage, { kind: 'assistant' }>;
interface History {
  readonly ids: ReadonlyMap<CallId, string>;
  readonly results: ReadonlyMap<CallId, ToolResult>;
  readonly style: PromptStyle;
  /** Calls whose results, and messages that, bring their pictures along. */
  readonly withImages: Pictured;
}
type AssistantContent = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'];

/** How one provider's history differs from another's. */
export interface PromptStyle {
  /** The provider's own key in provider metadata: what other providers signed means nothing to it and is left out. */
  readonly metadataKey: string;
  /** `provider/model`: what another model of the same provider signed is left out too. Absent: all that has the key is handed back. */
  readonly modelId?: string;
  /** Takes reasoning that carries no signature. */
  readonly plainReasoning: boolean;
  /** Where the pictures of results go; absent: nowhere. */
  readonly images?: ImagePlace;
}

/** What a call gets whose result was never recorded: providers refuse a history in which a call stays open. */
const NO_RESULT = 'No result was recorded for this call. It may have run in part: look before you try again.';

/**
 * The history as providers take it, right by construction: each call has exactly one result, in order, directly behind its
 * message; results without a call are left out; ids are unique; arguments are JSON objects; text is well-formed Unicode;
 * nothing is empty; the last word is never the model's.
 */
export function toPrompt(
  system: string,
  messages: readonly SentMessage[],
  style: PromptStyle,
): LanguageModelV4Prompt {
  const results = firstResults(messages);
  const pictured = withImages(messages, style.images ?? 'none');
  const history = { ids: wireIds(messages), results, style, withImages: pictured };
  const prompt: LanguageModelV4Prompt = [];
  if (system !== '') prompt.push({ role: 'system', content: system.toWellFormed() });
  for (const message of messages) {
    switch (message.kind) {
      case 'user':
        addUser(prompt, message, history);
        break;
      case 'note':
        addUserText(prompt, message.text);
        break;
      case 'assistant':
        addAssistant(prompt, message, history);
        break;
      case 'result':
        break;
      default:
        assertNever(message);
    }
  }
  if (prompt.at(-1)?.role === 'assistant') addUserText(prompt, 'Continue.');
  return prompt;
}

function firstResults(messages: readonly SentMessage[]): ReadonlyMap<CallId, ToolResult> {
  const results = new Map<CallId, ToolResult>();
  for (const message of messages) {
    if (message.kind === 'result' && !results.has(message.callId))
      results.set(message.callId, message.result);
  }
  return results;
}

function addUser(
  prompt: LanguageModelV4Prompt,
  message: Extract<SentMessage, { kind: 'user' }>,
  { style, withImages: pictured }: History,
): void {
  const text = userText(message);
  const isKept = pictured.has(message.id);
  addUserText(prompt, isKept ? text : withoutImages(message, text, style.images ?? 'none'));
  const last = prompt.at(-1);
  if (isKept && last?.role === 'user') last.content.push(...imagesOf(message).map(filePart));
}

/** Joins neighbouring user messages: the chat templates of several local models demand that roles alternate. */
function addUserText(prompt: LanguageModelV4Prompt, text: string): void {
  const wellFormed = text.toWellFormed();
  if (wellFormed.trim() === '') return;
  const last = prompt.at(-1);
  const part = last?.role === 'user' ? last.content.at(-1) : undefined;
  if (part?.type === 'text') part.text += `\n\n${wellFormed}`;
  else if (last?.role === 'user') last.content.push({ type: 'text', text: wellFormed });
  else prompt.push({ role: 'user', content: [{ type: 'text', text: wellFormed }] });
}

function addAssistant(prompt: LanguageModelV4Prompt, message: AssistantMessage, history: History): void {
  const content = inOrder(
    message.parts.flatMap((part) => toContent(ownPart(part, message, history.style), history)),
  );
  if (content.length === 0) return;
  prompt.push({ role: 'assistant', content });
  const calls = message.parts.flatMap((part) => (part.kind === 'call' ? [part.call] : []));
  if (calls.length === 0) return;
  prompt.push({ role: 'tool', content: calls.map((call) => exchangeOf(call, history).answer) });
  if (history.style.images === 'after-results') addImages(prompt, calls, history);
}

/**
 * Calls last, so that their results stand directly behind them, and each with the reasoning before it that led to it. Reasoning that led
 * to nothing is left out: OpenAI and Anthropic refuse it.
 */
function inOrder(content: AssistantContent): AssistantContent {
  const texts: AssistantContent = [];
  const calls: AssistantContent = [];
  let reasoning: AssistantContent = [];
  for (const part of content) {
    if (part.type === 'reasoning') reasoning.push(part);
    else {
      (part.type === 'tool-call' ? calls : texts).push(...reasoning, part);
      reasoning = [];
    }
  }
  return [...texts, ...calls];
}

/** The pictures of one batch, as a message of the user's: each behind the name of its call. */
function addImages(prompt: LanguageModelV4Prompt, calls: readonly ToolCall[], history: History): void {
  const content = calls.flatMap((call) => {
    const result = history.results.get(call.id);
    if (!result || !history.withImages.has(call.id)) return [];
    const images = imagesOf(result).map(filePart);
    const text = `What ${call.name} ${call.rawInput} returned as an image:`.toWellFormed();
    return images.length === 0 ? [] : [{ type: 'text' as const, text }, ...images];
  });
  if (content.length > 0) prompt.push({ role: 'user', content });
}

/** A part without what only the model that made it could read. */
function ownPart(part: AssistantPart, { modelId }: AssistantMessage, style: PromptStyle): AssistantPart {
  if (modelId === undefined || style.modelId === undefined || modelId === style.modelId) return part;
  if (part.kind === 'call')
    return part.call.providerMetadata ? { kind: 'call', call: unsigned(part.call) } : part;
  const { providerMetadata: _, ...plain } = part;
  return plain;
}

/** The same object for the same call: what it came to on the wire is looked up by it. */
function unsigned(call: ToolCall): ToolCall {
  const known = unsignedCalls.get(call);
  if (known) return known;
  const { providerMetadata: _, ...plain } = call;
  unsignedCalls.set(call, plain);
  return plain;
}

const unsignedCalls = new WeakMap<ToolCall, ToolCall>();

function toContent(part: AssistantPart, history: History): AssistantContent {
  const { style } = history;
  switch (part.kind) {
    case 'text': {
      const options = optionsOf(part.providerMetadata, style);
      // An empty text may carry a signature; one of blanks is refused by Anthropic.
      if (part.text.trim() === '' && (part.text !== '' || !options.providerOptions)) return [];
      return [{ type: 'text', text: part.text.toWellFormed(), ...options }];
    }
    case 'reasoning': {
      const options = optionsOf(part.providerMetadata, style);
      const plain = style.plainReasoning && !part.providerMetadata && part.text !== '';
      // Not made well-formed: a signature covers this text exactly as it came.
      return options.providerOptions || plain ? [{ type: 'reasoning', text: part.text, ...options }] : [];
    }
    case 'call':
      return [exchangeOf(part.call, history).call];
    default:
      return assertNever(part);
  }
}

/** A call and its answer as they go over the wire, and what they were made from. */
interface Exchange {
  readonly id: string;
  readonly result: ToolResult | undefined;
  readonly style: PromptStyle;
  readonly isKept: boolean;
  readonly call: LanguageModelV4ToolCallPart;
  readonly answer: LanguageModelV4ToolResultPart;
}

/** A conversation is sent again and again, and only grows: what its calls came to is kept as long as they are. */
const exchanges = new WeakMap<ToolCall, Exchange>();

function exchangeOf(call: ToolCall, { ids, results, style, withImages }: History): Exchange {
  const id = ids.get(call.id) ?? legal(call.providerId);
  const result = results.get(call.id);
  const isKept = withImages.has(call.id);
  const known = exchanges.get(call);
  if (known?.id === id && known.result === result && known.style === style && known.isKept === isKept)
    return known;
  const wire = { toolCallId: id, toolName: legal(call.name, 'unknown') };
  const exchange: Exchange = {
    id,
    result,
    style,
    isKept,
    call: {
      type: 'tool-call',
      ...wire,
      input: wireInput(call.rawInput),
      ...optionsOf(call.providerMetadata, style),
    },
    answer: { type: 'tool-result', ...wire, output: outputOf(result, style.images ?? 'none', isKept) },
  };
  exchanges.set(call, exchange);
  return exchange;
}

function outputOf(
  result: ToolResult | undefined,
  place: ImagePlace,
  isKept: boolean,
): LanguageModelV4ToolResultPart['output'] {
  const text = (result?.content ?? NO_RESULT).toWellFormed() || '(no output)';
  if (result?.status !== 'success') return { type: 'error-text', value: text };
  return result.images ? outputWithImages(result, text, { place, isKept }) : { type: 'text', value: text };
}

/** Arguments that are no JSON object go back as `{}`: providers refuse a history that holds anything else. */
export function wireInput(raw: string): JSONObject {
  try {
    const value: unknown = JSON.parse(raw, (_key, inner: unknown) =>
      typeof inner === 'string' ? inner.toWellFormed() : inner,
    );
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as JSONObject) : {};
  } catch {
    return {};
  }
}

function optionsOf(
  metadata: ProviderMetadata | undefined,
  { metadataKey }: PromptStyle,
): { providerOptions?: SharedV4ProviderOptions } {
  const own = metadata?.[metadataKey];
  return own ? { providerOptions: { [metadataKey]: own as JSONObject } } : {};
}
