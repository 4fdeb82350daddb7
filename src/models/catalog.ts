import type { ProviderConfig } from './provider';

/** Endpoints that Belay knows by itself. Custom ones from user settings come behind them and may replace one by its id. */
const BUILT_IN_PROVIDERS: readonly ProviderConfig[] = [
  {
    kind: 'anthropic',
    id: 'anthropic',
    name: 'Anthropic',
    baseUrl: 'https://api.anthropic.com/v1',
    keyName: 'anthropic',
  },
  { kind: 'openai', id: 'openai', name: 'OpenAI', baseUrl: 'https://api.openai.com/v1', keyName: 'openai' },
  {
    kind: 'google',
    id: 'google',
    name: 'Google',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    keyName: 'google',
  },
  {
    kind: 'compatible',
    id: 'openrouter',
    name: 'OpenRouter',
    baseUrl: 'https://openrouter.ai/api/v1',
    keyName: 'openrouter',
  },
  { kind: 'compatible', id: 'ollama', name: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1' },
  { kind: 'compatible', id: 'lmstudio', name: 'LM Studio', baseUrl: 'http://127.0.0.1:1234/v1' },
  { kind: 'compatible', id: 'vllm', name: 'vLLM', baseUrl: 'http://127.0.0.1:8000/v1' },
];

/** Names of environment variables that may hold a provider's key where there is no keyring. */
export const KEY_VARIABLES: Readonly<Record<string, readonly string[]>> = {
  anthropic: ['ANTHROPIC_API_KEY'],
  openai: ['OPENAI_API_KEY'],
  google: ['GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY', 'GOOGLE_API_KEY'],
  openrouter: ['OPENROUTER_API_KEY'],
};

/** The built-in endpoints and the user's own, by id; a custom one replaces a built-in of the same id. */
export function providersOf(custom: readonly ProviderConfig[] = []): readonly ProviderConfig[] {
  const byId = new Map(BUILT_IN_PROVIDERS.map((provider) => [provider.id, provider]));
  for (const provider of custom) byId.set(provider.id, provider);
  return [...byId.values()];
}

/** `provider/model`; only the first slash parts them, model names have slashes too. */
export function splitModelId(
  id: string,
): { readonly providerId: string; readonly modelId: string } | undefined {
  const slash = id.indexOf('/');
  return slash > 0 && slash < id.length - 1
    ? { providerId: id.slice(0, slash), modelId: id.slice(slash + 1) }
    : undefined;
}
