import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { PromptStyle } from './prompt-style';

/** One endpoint that has models. Comes from the built-in list or from user settings, never from a workspace. */
export interface ProviderConfig {
  /** Which API it speaks. */
  readonly kind: 'anthropic' | 'openai' | 'google' | 'compatible';
  /** First part of the ids of its models; letters, digits, `-`, `_`, `.`. */
  readonly id: string;
  /** For people. */
  readonly name: string;
  /** With the version, without a slash at the end: `https://api.openai.com/v1`. */
  readonly baseUrl: string;
  /** Name of its key in the secret storage; absent where none is needed. */
  readonly keyName?: string;
  /** `keyName` may be empty: the endpoint works without one (a local server behind an optional key). */
  readonly keyOptional?: boolean;
  /** Whether its models see pictures, where the person says so; absent: judged by the model's name or its list. */
  readonly images?: boolean;
  /** Tokens of its models' window, where the person says so; absent: what its list or the model's name says. */
  readonly contextWindow?: number;
}

/** What a provider package needs to talk to one model. */
export interface ProviderSettings {
  readonly baseUrl: string;
  readonly modelId: string;
  readonly key: string | undefined;
  /** Whether the model sees pictures. */
  readonly images: boolean;
  readonly fetch: typeof globalThis.fetch;
}

/** What one provider package brings: a language model, and what its API wants differently. */
export interface Provider {
  readonly languageModel: LanguageModelV4;
  readonly style: PromptStyle;
  /** Last change of a request: cache marks, provider options. */
  prepare?(options: LanguageModelV4CallOptions): LanguageModelV4CallOptions;
}
