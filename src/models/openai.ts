import { createOpenAI } from '@ai-sdk/openai';
import type { Provider, ProviderSettings } from './provider';

/** OpenAI's Responses API. Chat Completions is for `compatible` endpoints. */
export function openaiProvider({ baseUrl, modelId, key, images, fetch }: ProviderSettings): Provider {
  return {
    languageModel: createOpenAI({ baseURL: baseUrl, apiKey: key ?? 'none', fetch }).responses(modelId),
    style: { metadataKey: 'openai', plainReasoning: false, images: images ? 'in-results' : 'none' },
    // Nothing is kept at the provider: the whole conversation travels with each request, reasoning encrypted.
    prepare: (options) => ({ ...options, providerOptions: { openai: { store: false } } }),
  };
}
