import type { Result } from '#base/result';
import type { SentMessage, Usage } from '#protocol/message';
import type { ModelChoice } from '#protocol/panel-state';
import type { ProviderMetadata } from '#protocol/tool-call';

/** A tool as the model sees it. `inputSchema` is JSON Schema of an object. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** One request: everything the model shall know, and how to stop it. */
export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly SentMessage[];
  readonly tools: readonly ModelTool[];
  readonly signal: AbortSignal;
}

/** Why a reply ended, in the words that all providers share. */
export type FinishReason = 'stop' | 'tool-calls' | 'length' | 'content-filter' | 'error' | 'other';

/**
 * What comes back, in order. A reply ends with exactly one `finish` or one `failure`.
 * Calls come last, when the end of the reply is known: after a `failure` there is none, so a reply that broke off runs nothing.
 */
export type ModelEvent =
  | { readonly kind: 'text'; readonly delta: string }
  /** A block of text is whole. */
  | { readonly kind: 'text-end'; readonly text: string; readonly providerMetadata?: ProviderMetadata }
  | { readonly kind: 'reasoning'; readonly delta: string }
  | { readonly kind: 'reasoning-end'; readonly text: string; readonly providerMetadata?: ProviderMetadata }
  | {
      readonly kind: 'call';
      readonly providerId: string;
      readonly name: string;
      /** The argument text as it came, JSON or not. */
      readonly rawInput: string;
      readonly providerMetadata?: ProviderMetadata;
      /** The output limit fell into this call: it must not run, even if what came is valid JSON. */
      readonly cut?: boolean;
      /** How many of the reply's blocks came before it; absent: all. A signature holds for the order in which things were said. */
      readonly behind?: number;
    }
  | { readonly kind: 'finish'; readonly reason: FinishReason; readonly usage: Usage }
  | { readonly kind: 'failure'; readonly problem: ModelProblem };

/** Why there is no (whole) reply. `message` is for people: what happened, then what to do. It never holds a key. */
export interface ModelProblem {
  readonly kind: 'auth' | 'quota' | 'rate' | 'overloaded' | 'network' | 'overflow' | 'provider';
  /** HTTP status, where there was an answer. */
  readonly status?: number;
  /** How long the provider asks to wait. */
  readonly retryAfterMs?: number;
  /** Tokens that the model takes, where a refusal of a request as too long names them. */
  readonly window?: number;
  readonly message: string;
}

/** A language model. Failure is a value in the stream; only an abort throws (the signal's reason). */
export interface Model {
  /** `provider/model`. */
  readonly id: string;
  readonly name: string;
  readonly providerName: string;
  /** Most tokens that a request may hold, where known. */
  readonly contextWindow?: number;
  /** It sees the pictures of results; absent: it doesn't, and is told so in words. */
  readonly images?: boolean;
  stream(request: ModelRequest): AsyncIterable<ModelEvent>;
}

/** Where models come from: what can be chosen, and one of them by its id. */
export interface ModelSource {
  /** What is really there now; asks the endpoints. Those that can't answer are left out (`survey` names them). */
  list(): Promise<readonly ModelChoice[]>;
  /** `id` is `provider/model`; asks no endpoint. The error is a sentence for people that says what to do. */
  get(id: string): Promise<Result<Model, string>>;
}
