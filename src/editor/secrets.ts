import type * as vscode from 'vscode';
import type { Disposable } from '#base/disposable';
import { messageOf } from '#base/result';
import type { Log, Secrets } from '#host';
import { WindowSilent, withinTime } from './time-limit';

/** Names of keys that Belay has stored, so that their values can be redacted from the first minute on. */
const NAMES_KEY = 'belay.secretNames';
/** Milliseconds that the window may take to answer: it holds the secrets, and may be gone while the host lives on. */
const WINDOW_LIMIT = 4000;

/** Keys in SecretStorage. */
export class EditorSecrets implements Secrets, Disposable {
  readonly #context: Pick<vscode.ExtensionContext, 'secrets' | 'globalState'>;
  readonly #log: Log;
  readonly #subscription: Disposable;
  readonly #current = new Map<string, string>();
  readonly #seen = new Set<string>();
  #loaded: Promise<void> | undefined;

  constructor(context: Pick<vscode.ExtensionContext, 'secrets' | 'globalState'>, log: Log) {
    this.#context = context;
    this.#log = log;
    this.#subscription = context.secrets.onDidChange(({ key }) => void this.#refresh(key));
  }

  /** Learns the stored values; called before the first turn, never in `activate`. */
  load(): Promise<void> {
    this.#loaded ??= Promise.all(this.#names().map((name) => this.#refresh(name))).then(() => undefined);
    return this.#loaded;
  }

  /** What is stored; from a window that doesn't answer, what it last said. */
  async get(name: string): Promise<string | undefined> {
    try {
      this.#learn(name, await withinTime(this.#context.secrets.get(name), WINDOW_LIMIT, 'secrets'));
    } catch (error) {
      if (!(error instanceof WindowSilent)) throw error;
      this.#log.warn(`secrets: ${error.message}`);
    }
    return this.#current.get(name);
  }

  async set(name: string, value: string): Promise<void> {
    await this.#context.secrets.store(name, value);
    this.#learn(name, value);
    await this.#context.globalState.update(NAMES_KEY, [...new Set([...this.#names(), name])]);
  }

  async delete(name: string): Promise<void> {
    await this.#context.secrets.delete(name);
    this.#learn(name, undefined);
    await this.#context.globalState.update(
      NAMES_KEY,
      this.#names().filter((known) => known !== name),
    );
  }

  /** Redacts these too while this window lives: parts of what is stored, such as a token in a text of JSON. */
  hide(values: readonly string[]): void {
    for (const value of values) this.#seen.add(value);
  }

  /** The longest first. Replaced and deleted keys stay while this window lives: text written before may still hold them. */
  values(): readonly string[] {
    return [...this.#seen].sort((a, b) => b.length - a.length);
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  #names(): readonly string[] {
    return this.#context.globalState.get<string[]>(NAMES_KEY, []);
  }

  /** A keyring that fails must not keep Belay from starting: who needs the key is told then. */
  async #refresh(name: string): Promise<void> {
    try {
      await this.get(name);
    } catch (error) {
      this.#log.warn(`secrets: ${name} could not be read: ${messageOf(error)}`);
    }
  }

  #learn(name: string, value: string | undefined): void {
    if (value) {
      this.#current.set(name, value);
      this.#seen.add(value);
    } else this.#current.delete(name);
  }
}
