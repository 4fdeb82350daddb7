import type { Model, ModelProblem, ModelTool } from '#models/model';
import type { ContextUse, Message, SentMessage, Usage } from '#protocol/message';

/** Tokens of a window that nobody told: what a model run at home takes at least once it is set up for agents. */
const UNKNOWN_WINDOW = 32_768;
/** A smaller one than this leaves no room for the system prompt and the tools, so nothing smaller is learned. */
const LEAST_WINDOW = 4096;
/** UTF-8 bytes of a token: English and code have 3 to 4, so an estimate errs on the safe side. */
const TOKEN_BYTES = 3.5;
/** What a message costs beside its text, and what a picture costs; providers take up to 1,600 for one. */
const MESSAGE_TOKENS = 8;
const IMAGE_TOKENS = 1600;
/** A provider's count this far below the estimate isn't one: some leave out what was cached, some say 1. */
const LEAST_SHARE = 0.3;

/** What is sent with every request beside the messages. */
export interface Surroundings {
  readonly system: string;
  readonly tools: readonly ModelTool[];
}

/** How many tokens a conversation takes of which window. Counts are the provider's, for what came since the last reply an estimate. */
export class ContextSize {
  readonly #learned = new Map<string, number>();
  #counted: { readonly tokens: number; readonly upTo: SentMessage } | undefined;

  /** Tokens that a request to this model may hold. */
  window({ id, contextWindow }: Pick<Model, 'id' | 'contextWindow'>): number {
    return this.#learned.get(id) ?? contextWindow ?? UNKNOWN_WINDOW;
  }

  /** Tokens of the next request. */
  used(sent: readonly SentMessage[], around: Surroundings): number {
    const counted = this.#counted;
    const index = counted ? sent.lastIndexOf(counted.upTo) : -1;
    if (counted && index >= 0) return counted.tokens + total(sent.slice(index + 1));
    return tokensAround(around) + total(sent);
  }

  /** What the provider counted for a request and its reply, which is the last message now. */
  count(usage: Usage, sent: readonly SentMessage[], around: Surroundings): void {
    const last = sent.at(-1);
    if (usage.inputTokens === undefined || last?.kind !== 'assistant') return;
    const tokens = usage.inputTokens + (usage.outputTokens ?? 0);
    const estimated = tokensAround(around) + total(sent);
    if (tokens >= estimated * LEAST_SHARE) this.#counted = { tokens, upTo: last };
  }

  /** The conversation was made shorter: it takes so many now. */
  shortened(tokens: number, sent: readonly SentMessage[]): void {
    const last = sent.at(-1);
    this.#counted = last && { tokens, upTo: last };
  }

  /** The model refused a request of so many tokens as too long. */
  overflowed({ id, contextWindow }: Model, problem: ModelProblem, used: number): void {
    const known = this.#learned.get(id) ?? contextWindow;
    const named = problem.window === undefined || problem.window === known ? used * 0.9 : problem.window;
    const learned = Math.max(LEAST_WINDOW, Math.floor(Math.min(named, known ?? Number.POSITIVE_INFINITY)));
    this.#learned.set(id, learned);
  }

  /** For people; undefined while the window isn't known. */
  shown(model: Model, sent: readonly SentMessage[], around: Surroundings): ContextUse | undefined {
    const window = this.#learned.get(model.id) ?? model.contextWindow;
    return window === undefined ? undefined : { used: this.used(sent, around), window };
  }
}

const sizes = new WeakMap<object, number>();

/** Roughly how many tokens a message takes. */
export function tokensOf(message: Message): number {
  const known = sizes.get(message);
  if (known !== undefined) return known;
  const size = MESSAGE_TOKENS + tokensIn(textOf(message)) + imagesOf(message) * IMAGE_TOKENS;
  sizes.set(message, size);
  return size;
}

/** Roughly how many tokens a text takes. */
export function tokensIn(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / TOKEN_BYTES);
}

export function total(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + tokensOf(message), 0);
}

const toolSizes = new WeakMap<readonly ModelTool[], number>();

function tokensAround({ system, tools }: Surroundings): number {
  const known = toolSizes.get(tools) ?? tokensIn(JSON.stringify(tools));
  toolSizes.set(tools, known);
  return known + tokensIn(system);
}

function textOf(message: Message): string {
  switch (message.kind) {
    case 'user':
      return message.text + message.attached;
    case 'note':
      return message.text;
    case 'result':
      return message.result.content;
    case 'compaction':
      return '';
    case 'assistant':
      return message.parts
        .map((part) => (part.kind === 'call' ? part.call.name + part.call.rawInput : part.text))
        .join('');
  }
}

function imagesOf(message: Message): number {
  if (message.kind === 'user') return message.images?.length ?? 0;
  return message.kind === 'result' ? (message.result.images?.length ?? 0) : 0;
}
