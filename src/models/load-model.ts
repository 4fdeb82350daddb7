import type { Model, ModelEvent, ModelRequest } from './model';
import { type Endpoint, missingKey } from './problem';
import type { Provider, ProviderConfig, ProviderSettings } from './provider';

/** How to get at an endpoint. */
export interface Access {
  /** The endpoint's key as it is now; asked before each request, so a new key counts at once. */
  key(): Promise<string | undefined>;
  readonly fetch: typeof globalThis.fetch;
  /** Where Belay runs, for words about local endpoints. */
  readonly machine?: string;
}

/** A model of an endpoint. Its provider package is loaded with the first request. */
export function modelOf(
  config: ProviderConfig,
  model: { readonly id: string; readonly name?: string; readonly contextWindow?: number },
  access: Access,
): Model {
  return {
    id: `${config.id}/${model.id}`,
    name: model.name ?? model.id,
    providerName: config.name,
    ...(model.contextWindow === undefined ? {} : { contextWindow: model.contextWindow }),
    stream: (request) => stream(config, model.id, access, request),
  };
}

async function* stream(
  config: ProviderConfig,
  modelId: string,
  access: Access,
  request: ModelRequest,
): AsyncGenerator<ModelEvent> {
  const key = config.keyName === undefined ? undefined : await access.key();
  if (needsKey(config) && !key) return yield { kind: 'failure', problem: missingKey(config.name) };
  request.signal.throwIfAborted();
  const { streamReply } = await import('#models/ai-sdk');
  const settings: ProviderSettings = {
    baseUrl: config.baseUrl,
    modelId,
    key,
    fetch: access.fetch,
    ...(config.api ? { api: config.api } : {}),
  };
  const endpoint: Endpoint = {
    providerName: config.name,
    baseUrl: config.baseUrl,
    ...(key ? { key } : {}),
    ...(access.machine ? { machine: access.machine } : {}),
  };
  yield* streamReply(await providerOf(config, settings), request, endpoint);
}

/** True when nothing can be asked of the endpoint without a key. */
export function needsKey({ keyName, keyOptional }: ProviderConfig): boolean {
  return keyName !== undefined && keyOptional !== true;
}

async function providerOf({ kind }: ProviderConfig, settings: ProviderSettings): Promise<Provider> {
  switch (kind) {
    case 'anthropic':
      return (await import('#models/anthropic')).anthropicProvider(settings);
    case 'openai':
      return (await import('#models/openai')).openaiProvider(settings);
    case 'google':
      return (await import('#models/google')).googleProvider(settings);
    case 'compatible':
      return (await import('#models/compatible')).compatibleProvider(settings);
  }
}
