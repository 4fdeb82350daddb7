import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider';
import { assertNever } from '#base/result';
import type { CallId } from '#protocol/ids';
import type { AssistantPart, SentMessage } from '#protocol/message';
import type { ToolCall } from '#protocol/tool-call';
import type { ToolResult } from '#protocol/tool-result';
import { exchangeOf, type PromptHistory } from './prompt-exchange';
import { filePart, imagesOf, userText, withImages, withoutImages } from './prompt-images';
import { optionsOf, type PromptStyle } from './prompt-style';
import { WireIds } from './wire-ids';

type AssistantMessage = Extract<SentMessage, { kind: 'assistant' }>;
type AssistantContent = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'];

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
  const prompt: LanguageModelV4Prompt = [];
  if (system !== '') prompt.push({ role: 'system', content: system.toWellFormed() });
  prompt.push(...soFar(messages, style).messages);
  if (prompt.at(-1)?.role === 'assistant') addUserText(prompt, 'Continue.');
  return prompt;
}

/** A conversation only grows from request to request: the next one's prompt begins with what this one's came to. */
const earlier = new WeakMap<SentMessage, PromptSoFar>();

function soFar(messages: readonly SentMessage[], style: PromptStyle): PromptSoFar {
  const [first] = messages;
  const known = first && earlier.get(first);
  const prompt = known?.isBeginningOf(messages, style) ? known : new PromptSoFar(style);
  prompt.goOn(messages);
  if (first) earlier.set(first, prompt);
  return prompt;
}

/** What the messages of a conversation have come to, without the system prompt. */
class PromptSoFar {
  readonly #style: PromptStyle;
  readonly #ids = new WireIds();
  readonly #results = new Map<CallId, ToolResult>();
  #taken: readonly SentMessage[] = [];
  /** What comes later may change what is here: a call waits for its result, or pictures compete for their place. */
  #isOpen = false;
  readonly messages: LanguageModelV4Prompt = [];

  constructor(style: PromptStyle) {
    this.#style = style;
  }

  isBeginningOf(messages: readonly SentMessage[], style: PromptStyle): boolean {
    const taken = this.#taken;
    return (
      !this.#isOpen && this.#style === style && taken.every((message, index) => message === messages[index])
    );
  }

  /** Takes in what is new of a conversation that begins with what was taken. */
  goOn(messages: readonly SentMessage[]): void {
    const fresh = messages.slice(this.#taken.length);
    for (const message of fresh) this.#learn(message);
    const pictured = withImages(messages, this.#style.images ?? 'none');
    const history = {
      ids: this.#ids.all,
      results: this.#results,
      style: this.#style,
      withImages: pictured,
    };
    for (const message of fresh) addMessage(this.messages, message, history);
    this.#taken = messages;
    this.#isOpen = pictured.size > 0 || [...this.#ids.all.keys()].some((id) => !this.#results.has(id));
  }

  /** Of two results for a call the first counts. */
  #learn(message: SentMessage): void {
    this.#ids.add(message);
    if (message.kind === 'result' && !this.#results.has(message.callId))
      this.#results.set(message.callId, message.result);
  }
}

function addMessage(prompt: LanguageModelV4Prompt, message: SentMessage, history: PromptHistory): void {
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

function addUser(
  prompt: LanguageModelV4Prompt,
  message: Extract<SentMessage, { kind: 'user' }>,
  { style, withImages: pictured }: PromptHistory,
): void {
  const text = userText(message);
  const isKept = pictured.has(message.id);
  addUserText(prompt, isKept ? text : withoutImages(message, text, style.images ?? 'none'));
  const last = prompt.at(-1);
  if (isKept && last?.role === 'user')
    prompt.splice(-1, 1, { ...last, content: [...last.content, ...imagesOf(message).map(filePart)] });
}

/**
 * Joins neighbouring user messages: the chat templates of several local models demand that roles alternate. The message before is made
 * anew: the next request may take it as it was.
 */
function addUserText(prompt: LanguageModelV4Prompt, text: string): void {
  const wellFormed = text.toWellFormed();
  if (wellFormed.trim() === '') return;
  const last = prompt.at(-1);
  if (last?.role !== 'user') {
    prompt.push({ role: 'user', content: [{ type: 'text', text: wellFormed }] });
    return;
  }
  const part = last.content.at(-1);
  const content =
    part?.type === 'text'
      ? [...last.content.slice(0, -1), { ...part, text: `${part.text}\n\n${wellFormed}` }]
      : [...last.content, { type: 'text' as const, text: wellFormed }];
  prompt.splice(-1, 1, { ...last, content });
}

function addAssistant(
  prompt: LanguageModelV4Prompt,
  message: AssistantMessage,
  history: PromptHistory,
): void {
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
function addImages(prompt: LanguageModelV4Prompt, calls: readonly ToolCall[], history: PromptHistory): void {
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

function toContent(part: AssistantPart, history: PromptHistory): AssistantContent {
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
