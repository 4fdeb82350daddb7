import * as vscode from 'vscode';
import { z } from 'zod';
import { t } from '#base/l10n';
import { KEY_VARIABLES, providersOf } from '#models/catalog';
import { demoSource } from '#models/demo/source';
import type { Model, ModelSource } from '#models/model';
import type { ProviderConfig } from '#models/provider';
import { type EndpointSource, endpointSource, joinSources } from '#models/source';
import type { ModelChoice } from '#protocol/wire';
import { editorModelSource } from './lm-model';
import type { EditorSecrets } from './secrets';

const PREFERRED = 'belay.preferredModel';
/** How many recently chosen models the panel's short list offers. */
const SHORT_LIST = 5;

const endpointSchema = z.object({
  id: z.string().regex(/^[a-z0-9][a-z0-9-]*$/),
  name: z.string().optional(),
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .refine((url) => !URL.parse(url)?.username && !URL.parse(url)?.password, {
      error: () => t('holds a password: store it with Set Provider Key instead'),
    }),
  api: z.enum(['openai', 'openai-chat', 'anthropic', 'google']).default('openai-chat'),
});

/** A provider that takes a key. `id` is the first part of its models' ids. */
interface KeyedProvider {
  readonly id: string;
  readonly name: string;
  readonly keyName: string;
  readonly baseUrl: string;
}

/** Every model that this window can reach: endpoints, the editor's own (`vscode.lm`), and the offline demo. */
export class EditorModels implements ModelSource {
  readonly #context: vscode.ExtensionContext;
  readonly #secrets: EditorSecrets;
  readonly #endpoints: EndpointSource;
  readonly #all: ModelSource;

  constructor(context: vscode.ExtensionContext, secrets: EditorSecrets) {
    this.#context = context;
    this.#secrets = secrets;
    this.#endpoints = endpointSource({
      providers: configuredProviders,
      key: async (name) => (await secrets.get(secretName(name))) ?? keyOfEnvironment(name),
      fetch: globalThis.fetch,
      machine: vscode.env.remoteName ?? t('this machine'),
    });
    this.#all = joinSources(demoSource, editorModelSource, this.#endpoints);
  }

  list(): Promise<readonly ModelChoice[]> {
    return this.#all.list();
  }

  get(id: string): ReturnType<ModelSource['get']> {
    return this.#all.get(id);
  }

  /** Everything that answers now, and what didn't, with the reason. */
  async listAll(): Promise<{
    readonly choices: readonly ModelChoice[];
    readonly problems: readonly { readonly name: string; readonly message: string }[];
  }> {
    const [own, survey] = await Promise.all([
      joinSources(demoSource, editorModelSource).list(),
      this.#endpoints.survey(),
    ]);
    return {
      choices: [...own, ...survey.choices],
      problems: [
        ...survey.unavailable.map(({ name, problem }) => ({ name, message: problem.message })),
        ...readEndpoints().problems,
      ],
    };
  }

  /** What the panel's menu offers without asking anybody: the last ones chosen and the demo. */
  async shortList(current: string | undefined): Promise<readonly ModelChoice[]> {
    const demo = await demoSource.list();
    const recent = this.#context.globalState.get<string[]>(PREFERRED, []);
    const ids = [...new Set([current, configured(), ...recent])].filter(
      (id): id is string => Boolean(id) && !demo.some((choice) => choice.id === id),
    );
    const named = await Promise.all(
      ids.slice(0, SHORT_LIST).map(async (id) => choiceOf(id, await this.get(id))),
    );
    return [...named, ...demo];
  }

  /** Model of a new session: the setting, else the last one chosen, else the demo. */
  async preferred(): Promise<string> {
    const recent = this.#context.globalState.get<string[]>(PREFERRED, []);
    const [demo] = await demoSource.list();
    return configured() || recent[0] || demo?.id || '';
  }

  async prefer(id: string): Promise<void> {
    const recent = this.#context.globalState.get<string[]>(PREFERRED, []);
    await this.#context.globalState.update(
      PREFERRED,
      [id, ...recent.filter((known) => known !== id)].slice(0, SHORT_LIST),
    );
  }

  /** Endpoints that take a key, for *Set Provider Key…*. */
  keyed(): readonly KeyedProvider[] {
    return configuredProviders().flatMap(({ id, name, keyName, baseUrl }) =>
      keyName ? [{ id, name, keyName, baseUrl }] : [],
    );
  }

  setKey(keyName: string, value: string): Promise<void> {
    return this.#secrets.set(secretName(keyName), value);
  }

  removeKey(keyName: string): Promise<void> {
    return this.#secrets.delete(secretName(keyName));
  }
}

/** Where there is no keyring (remote hosts, containers) a key may come from the host's environment. */
function keyOfEnvironment(keyName: string): string | undefined {
  return KEY_VARIABLES[keyName]?.map((variable) => process.env[variable]).find(Boolean);
}

const secretName = (keyName: string) => `belay.key.${keyName}`;

function configured(): string {
  return vscode.workspace.getConfiguration('belay').get<string>('model', '').trim();
}

function choiceOf(
  id: string,
  found: { readonly ok: true; readonly value: Model } | { readonly ok: false },
): ModelChoice {
  return found.ok
    ? { id, name: found.value.name, detail: found.value.providerName }
    : { id, name: id, detail: t('not available') };
}

/** Built-in endpoints and those of the user's settings (application scope: never from a workspace). */
function configuredProviders(): readonly ProviderConfig[] {
  return providersOf(readEndpoints().providers);
}

/** The user's own endpoints; an entry that can't be used is told in the model list. */
function readEndpoints(): {
  readonly providers: readonly ProviderConfig[];
  readonly problems: readonly { readonly name: string; readonly message: string }[];
} {
  const entries = vscode.workspace.getConfiguration('belay').get<unknown>('endpoints');
  const parsed = (Array.isArray(entries) ? entries : []).map((entry) => endpointSchema.safeParse(entry));
  return {
    providers: parsed.flatMap(({ data }) => (data ? [providerOf(data)] : [])),
    problems: parsed.flatMap(({ error }, index) =>
      error ? [{ name: `belay.endpoints[${index}]`, message: wordsOf(error) }] : [],
    ),
  };
}

function providerOf({ id, name, baseUrl, api }: z.infer<typeof endpointSchema>): ProviderConfig {
  return {
    kind: api === 'openai-chat' ? 'compatible' : api,
    id,
    name: name ?? id,
    baseUrl: baseUrl.replace(/\/+$/, ''),
    keyName: id,
    keyOptional: true,
  };
}

function wordsOf(error: z.ZodError): string {
  return error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
}
