import { createAnthropic } from '@ai-sdk/anthropic';
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider';
import type { Provider, ProviderSettings } from './provider';

/** Output limit for models of other makers behind this API; the package knows Anthropic's own and would give others 4096. */
const OTHER_MAKERS_OUTPUT = 16_384;

/** Anthropic's Messages API. */
export function anthropicProvider({ baseUrl, modelId, key, images, fetch }: ProviderSettings): Provider {
  const languageModel = createAnthropic({ baseURL: baseUrl, apiKey: key ?? 'none', fetch })(modelId);
  return {
    languageModel,
    style: { metadataKey: 'anthropic', plainReasoning: false, images: images ? 'in-results' : 'none' },
    prepare: (options) => ({
      ...withCacheMarks(options),
      providerOptions: {
        // Arguments stream as whole, valid JSON instead of unchecked fragments: calls wait for their end anyway.
        anthropic: { toolStreaming: false },
      },
      ...(modelId.includes('claude') ? {} : { maxOutputTokens: OTHER_MAKERS_OUTPUT }),
    }),
  };
}

const MARK: SharedV4ProviderOptions = { anthropic: { cacheControl: { type: 'ephemeral' } } };

/**
 * Marks where a cached prefix may end, four places at most (the API's limit): behind the tools, behind the system prompt, behind
 * the last two messages that aren't the model's. The earlier of these two is where the request before this one ended.
 */
function withCacheMarks(options: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
  const prompt = [...options.prompt];
  const system = prompt.findIndex((message) => message.role === 'system');
  const last = prompt.flatMap((message, index) =>
    message.role === 'user' || message.role === 'tool' ? [index] : [],
  );
  for (const index of [system, ...last.slice(-2)]) {
    const message = prompt[index];
    if (message) prompt[index] = marked(message);
  }
  const tools = options.tools?.map((tool, index, all) =>
    index === all.length - 1 && tool.type === 'function' ? marked(tool) : tool,
  );
  return { ...options, prompt, ...(tools ? { tools } : {}) };
}

function marked<T extends LanguageModelV4Message | { providerOptions?: SharedV4ProviderOptions }>(
  item: T,
): T {
  return { ...item, providerOptions: { ...item.providerOptions, ...MARK } };
}
