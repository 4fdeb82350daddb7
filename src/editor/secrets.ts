import type * as vscode from 'vscode';
import type { Secrets } from '#host';

/** Names of keys that Belay has stored, so that their values can be redacted from the first minute on. */
const NAMES_KEY = 'belay.secretNames';

/** Keys in SecretStorage. */
export class EditorSecrets implements Secrets {
  readonly #context: vscode.ExtensionContext;
  readonly #values = new Map<string, string>();
  #loaded: Promise<void> | undefined;

  constructor(context: vscode.ExtensionContext) {
    this.#context = context;
    context.subscriptions.push(context.secrets.onDidChange(({ key }) => void this.#refresh(key)));
  }

  /** Learns the stored values; called before the first turn, never in `activate`. */
  load(): Promise<void> {
    this.#loaded ??= Promise.all(this.#names().map((name) => this.#refresh(name))).then(() => undefined);
    return this.#loaded;
  }

  async get(name: string): Promise<string | undefined> {
    const stored = await this.#context.secrets.get(name);
    if (stored) this.#values.set(name, stored);
    return stored || undefined;
  }

  async set(name: string, value: string): Promise<void> {
    await this.#context.secrets.store(name, value);
    this.#values.set(name, value);
    await this.#context.globalState.update(NAMES_KEY, [...new Set([...this.#names(), name])]);
  }

  async delete(name: string): Promise<void> {
    await this.#context.secrets.delete(name);
    await this.#context.globalState.update(
      NAMES_KEY,
      this.#names().filter((known) => known !== name),
    );
  }

  /** Deleted keys stay in the list while this window lives: text written before may still hold them. */
  values(): readonly string[] {
    return [...this.#values.values()].sort((a, b) => b.length - a.length);
  }

  #names(): readonly string[] {
    return this.#context.globalState.get<string[]>(NAMES_KEY, []);
  }

  async #refresh(name: string): Promise<void> {
    const value = await this.#context.secrets.get(name);
    if (value) this.#values.set(name, value);
  }
}
