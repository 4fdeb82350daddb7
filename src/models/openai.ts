import { createOpenAI } from '@ai-sdk/openai';
import type { Provider, ProviderSettings } from './provider';

/** OpenAI's Responses API, or Chat Completions where the settings say so. */
export function openaiProvider({ baseUrl, modelId, key, fetch, api }: ProviderSettings): Provider {
  const provider = createOpenAI({ baseURL: baseUrl, apiKey: key ?? 'none', fetch });
  return {
    languageModel: api === 'chat' ? provider.chat(modelId) : provider.responses(modelId),
    style: { metadataKey: 'openai', plainReasoning: false },
    // Nothing is kept at the provider: the whole conversation travels with each request, reasoning encrypted.
    prepare: (options) => ({ ...options, providerOptions: { openai: { store: false } } }),
  };
}
