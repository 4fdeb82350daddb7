import { createGoogle } from '@ai-sdk/google';
import type { Provider, ProviderSettings } from './provider';

/** Google's Gemini API. */
export function googleProvider({ baseUrl, modelId, key, images, fetch }: ProviderSettings): Provider {
  return {
    languageModel: createGoogle({ baseURL: baseUrl, apiKey: key ?? 'none', fetch })(modelId),
    style: { metadataKey: 'google', plainReasoning: false, images: images ? 'in-results' : 'none' },
  };
}
