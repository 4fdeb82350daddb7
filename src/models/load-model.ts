import { eventStreamFetch } from './event-stream-fetch';
import type { ListedModel } from './list-models';
import type { Model, ModelEvent, ModelRequest } from './model';
import { type Endpoint, missingKey } from './problem';
import type { Provider, ProviderConfig, ProviderSettings } from './provider';
import { seesImages } from './sees-images';
import { windowOf } from './windows';

/** How to get at an endpoint. */
export interface Access {
  /** The endpoint's key as it is now; asked before each request, so a new key counts at once. */
  key(): Promise<string | undefined>;
  readonly fetch: typeof globalThis.fetch;
  /** Where Belay runs, for words about local endpoints. */
  readonly machine?: string;
}

/** A model of an endpoint. Its provider package is loaded with the first request, and built anew only for another key. */
export function modelOf(
  config: ProviderConfig,
  model: Pick<ListedModel, 'id'> & Partial<ListedModel>,
  access: Access,
): Model {
  let built: { readonly key: string | undefined; readonly provider: Provider } | undefined;
  const id = `${config.id}/${model.id}`;
  const images = seesImages(config, model);
  const contextWindow = windowFor(config, model);
  const fetch = eventStreamFetch(access.fetch, { looseArguments: config.kind === 'compatible' });
  const providerFor = async (key: string | undefined) => {
    const settings = { baseUrl: config.baseUrl, modelId: model.id, key, images, fetch };
    if (!built || built.key !== key) {
      const provider = await providerOf(config, settings);
      built = { key, provider: { ...provider, style: { ...provider.style, modelId: id } } };
    }
    return built.provider;
  };
  return {
    id,
    name: model.name ?? model.id,
    providerName: config.name,
    ...(contextWindow === undefined ? {} : { contextWindow }),
    images,
    stream: (request) => stream(config, access, providerFor, request),
  };
}

/** What the person says, else what the endpoint's list says, else what is known of the maker's models. */
function windowFor(config: ProviderConfig, model: Partial<ListedModel>): number | undefined {
  if (config.contextWindow !== undefined) return config.contextWindow;
  if (model.contextWindow !== undefined) return model.contextWindow;
  const name = model.id ?? '';
  return config.kind === 'compatible' && config.id !== 'openrouter'
    ? undefined
    : windowOf(name.slice(name.lastIndexOf('/') + 1));
}

async function* stream(
  config: ProviderConfig,
  access: Access,
  providerFor: (key: string | undefined) => Promise<Provider>,
  request: ModelRequest,
): AsyncGenerator<ModelEvent> {
  const key = config.keyName === undefined ? undefined : await access.key();
  if (needsKey(config) && !key) return yield { kind: 'failure', problem: missingKey(config.name) };
  request.signal.throwIfAborted();
  const { streamReply } = await import('#models/ai-sdk');
  const { name: providerName, baseUrl } = config;
  const endpoint: Endpoint = { providerName, baseUrl, key, machine: access.machine };
  yield* streamReply(await providerFor(key), request, endpoint);
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
