import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '#base/disposable';
import { Emitter } from '#base/emitter';
import { t } from '#base/l10n';
import { demoSource } from '#models/demo/source';
import type { ModelSource } from '#models/model';
import { type EndpointSource, endpointSource, joinSources } from '#models/source';
import type { ModelChoice } from '#protocol/panel-state';
import { configuredProviders, type EndpointProblem, endpointProblems, keyOfEnvironment } from './endpoints';
import { editorModelSource } from './lm-model';
import type { EditorSecrets } from './secrets';

const PREFERRED = 'belay.preferredModel';
/** How many recently chosen models the panel's short list offers. */
const SHORT_LIST = 5;

/** A provider that takes a key. `id` is the first part of its models' ids. */
interface KeyedProvider {
  readonly id: string;
  readonly name: string;
  readonly keyName: string;
  readonly baseUrl: string;
}

/** Every model that this window can reach: endpoints, the editor's own (`vscode.lm`), and the offline demo. */
export class EditorModels implements ModelSource, Disposable {
  readonly #context: vscode.ExtensionContext;
  readonly #secrets: EditorSecrets;
  readonly #endpoints: EndpointSource;
  readonly #all: ModelSource;
  readonly #owned = new DisposableStore();
  readonly #changed = this.#owned.add(new Emitter<void>());
  /** Asked for with each state of the panel, and it takes calls into the window: kept until it may be another. */
  #short: { readonly ids: string; readonly list: Promise<readonly ModelChoice[]> } | undefined;

  /** Settings, keys or the editor's own models changed. */
  readonly onDidChange = this.#changed.event;

  constructor(context: vscode.ExtensionContext, secrets: EditorSecrets) {
    this.#context = context;
    this.#secrets = secrets;
    this.#endpoints = endpointSource({
      providers: configuredProviders,
      key: async (name) => (await secrets.get(secretName(name))) ?? keyOfEnvironment(name),
      fetch: globalThis.fetch,
      machine: machineName(),
    });
    this.#all = joinSources(demoSource, editorModelSource, this.#endpoints);
    const changed = () => {
      this.#short = undefined;
      this.#changed.emit();
    };
    this.#owned.add(vscode.lm.onDidChangeChatModels(changed));
    this.#owned.add(context.secrets.onDidChange(changed));
    this.#owned.add(
      vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('belay') && changed()),
    );
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
    readonly problems: readonly EndpointProblem[];
  }> {
    const [own, survey] = await Promise.all([
      joinSources(demoSource, editorModelSource).list(),
      this.#endpoints.survey(),
    ]);
    return {
      choices: [...own, ...survey.choices],
      problems: [
        ...survey.unavailable.map(({ name, problem }) => ({ name, message: problem.message })),
        ...endpointProblems(),
      ],
    };
  }

  /** What the panel's menu offers without asking anybody: the last ones chosen and the demo. */
  shortList(current: string | undefined): Promise<readonly ModelChoice[]> {
    const ids = [...new Set([current ?? '', configured(), ...this.#recent()])].filter((id) => id !== '');
    const known = ids.join('\n');
    if (this.#short?.ids !== known) this.#short = { ids: known, list: this.#named(ids) };
    return this.#short.list;
  }

  /** Model of a new session: the setting, else the last one chosen, else the demo. */
  async preferred(): Promise<string> {
    const [demo] = await demoSource.list();
    return configured() || this.#recent()[0] || demo?.id || '';
  }

  async prefer(id: string): Promise<void> {
    const others = this.#recent().filter((known) => known !== id);
    await this.#context.globalState.update(PREFERRED, [id, ...others].slice(0, SHORT_LIST));
  }

  /** Endpoints that take a key, for *Set Provider Key…*. */
  keyed(): readonly KeyedProvider[] {
    return configuredProviders().flatMap(({ id, name, keyName, baseUrl }) =>
      keyName ? [{ id, name, keyName, baseUrl }] : [],
    );
  }

  /** Whether a key is stored, for *Remove Provider Key…*; one of the environment isn't. */
  async hasKey(keyName: string): Promise<boolean> {
    return (await this.#secrets.get(secretName(keyName))) !== undefined;
  }

  setKey(keyName: string, value: string): Promise<void> {
    return this.#secrets.set(secretName(keyName), value);
  }

  removeKey(keyName: string): Promise<void> {
    return this.#secrets.delete(secretName(keyName));
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #recent(): readonly string[] {
    return this.#context.globalState.get<string[]>(PREFERRED, []);
  }

  async #named(ids: readonly string[]): Promise<readonly ModelChoice[]> {
    const demo = await demoSource.list();
    const others = ids.filter((id) => !demo.some((choice) => choice.id === id)).slice(0, SHORT_LIST);
    return [...(await Promise.all(others.map((id) => this.#choice(id)))), ...demo];
  }

  /** A model that can't be had is named all the same: it was chosen. */
  async #choice(id: string): Promise<ModelChoice> {
    const found = await this.get(id).catch(() => undefined);
    return found?.ok
      ? { id, name: found.value.name, detail: found.value.providerName }
      : { id, name: id, detail: t('not available') };
  }
}

/** Where models are reached from, in words. */
export function machineName(): string {
  return vscode.env.remoteName ?? t('this machine');
}

const secretName = (keyName: string) => `belay.key.${keyName}`;

function configured(): string {
  return vscode.workspace.getConfiguration('belay').get<string>('model', '').trim();
}
