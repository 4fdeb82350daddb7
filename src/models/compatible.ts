import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { Provider, ProviderSettings } from './provider';

const NAME = 'compatible';

/** Whatever speaks OpenAI's Chat Completions: Ollama, LM Studio, vLLM, OpenRouter, a company's own gateway. */
export function compatibleProvider({ baseUrl, modelId, key, images, fetch }: ProviderSettings): Provider {
  const provider = createOpenAICompatible({
    name: NAME,
    baseURL: baseUrl,
    fetch,
    includeUsage: true,
    ...(key ? { apiKey: key } : {}),
  });
  return {
    languageModel: provider(modelId),
    // A result is text alone in this API.
    style: { metadataKey: NAME, plainReasoning: true, images: images ? 'after-results' : 'none' },
  };
}
