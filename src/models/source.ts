import { t } from '#base/l10n';
import { fail, ok, type Result } from '#base/result';
import type { ModelChoice } from '#protocol/panel-state';
import { splitModelId } from './catalog';
import { type ListedModel, listModels } from './list-models';
import { modelOf, needsKey } from './load-model';
import type { Model, ModelProblem, ModelSource } from './model';
import { isLocal, missingKey } from './problem';
import type { ProviderConfig } from './provider';

/** What the endpoints' models are reached with. */
export interface EndpointOptions {
  /** Read anew each time: settings change. */
  providers(): readonly ProviderConfig[];
  /** The key stored under a provider's `keyName`. */
  key(keyName: string): Promise<string | undefined>;
  readonly fetch: typeof globalThis.fetch;
  /** Where the requests start: "this machine", "the SSH host dev", "the container". */
  readonly machine: string;
  readonly timeoutMs?: number;
}

/** What asking every endpoint came to. */
export interface Survey {
  readonly choices: readonly ModelChoice[];
  /** Endpoints that could not be asked, and why. */
  readonly unavailable: readonly {
    readonly providerId: string;
    readonly name: string;
    readonly problem: ModelProblem;
  }[];
}

/** Models of endpoints, which can also say why one of them has none. */
export interface EndpointSource extends ModelSource {
  survey(signal?: AbortSignal): Promise<Survey>;
}

/** Models of the configured endpoints. Each endpoint is asked at the same time, each with its time limit. */
export function endpointSource(options: EndpointOptions): EndpointSource {
  /** Names and windows from the last lists, so that `get` need not ask. */
  const known = new Map<string, ListedModel>();

  async function survey(signal?: AbortSignal): Promise<Survey> {
    const asked = await Promise.all(
      options.providers().map(async (provider) => ask(provider, options, signal)),
    );
    const choices: ModelChoice[] = [];
    const unavailable: Survey['unavailable'][number][] = [];
    for (const { provider, result } of asked) {
      if (!result.ok) {
        unavailable.push({ providerId: provider.id, name: provider.name, problem: result.error });
        continue;
      }
      for (const model of result.value) {
        const id = `${provider.id}/${model.id}`;
        known.set(id, model);
        choices.push({ id, name: model.name, detail: placeOf(provider, options.machine) });
      }
    }
    return { choices, unavailable };
  }

  async function get(id: string): Promise<Result<Model, string>> {
    const parts = splitModelId(id);
    const provider = options.providers().find((each) => each.id === parts?.providerId);
    if (!parts || !provider) return fail(noSuchModel(id));
    const key = async () => (provider.keyName === undefined ? undefined : options.key(provider.keyName));
    if (needsKey(provider) && !(await key())) return fail(missingKey(provider.name).message);
    const model = known.get(id) ?? { id: parts.modelId };
    return ok(modelOf(provider, model, { key, fetch: options.fetch, machine: options.machine }));
  }

  return { survey, list: async () => (await survey()).choices, get };
}

async function ask(provider: ProviderConfig, options: EndpointOptions, signal: AbortSignal | undefined) {
  const key = provider.keyName === undefined ? undefined : await options.key(provider.keyName);
  if (needsKey(provider) && !key) return { provider, result: fail(missingKey(provider.name)) };
  const { fetch, machine, timeoutMs } = options;
  const result = await listModels(provider, key, { fetch, machine, signal, timeoutMs });
  return { provider, result };
}

/** "Anthropic"; "Ollama on this machine". */
function placeOf({ name, baseUrl }: ProviderConfig, machine: string): string {
  return isLocal(baseUrl) ? t('{0} on {1}', name, machine) : name;
}

/** Several sources as one, asked in order; ids tell them apart. */
export function joinSources(...sources: readonly ModelSource[]): ModelSource {
  return {
    list: async () => (await Promise.all(sources.map((source) => source.list()))).flat(),
    async get(id) {
      const errors: string[] = [];
      for (const source of sources) {
        const found = await source.get(id);
        if (found.ok) return found;
        errors.push(found.error);
      }
      // A source that knows the id and lacks a key has more to say than those that don't know it.
      return fail(errors.findLast((error) => error !== noSuchModel(id)) ?? noSuchModel(id));
    },
  };
}

/** What every source says of an id that isn't one of its own. */
export function noSuchModel(id: string): string {
  return t('There is no model “{0}”. Choose one with “Belay: Select Model”.', id);
}
