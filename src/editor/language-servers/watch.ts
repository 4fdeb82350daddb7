import * as vscode from 'vscode';
import type { Disposable } from '#base/disposable';
import type { ConfiguredServers, ServedBy } from '#editor/language/served';
import type { EditorLog } from '#editor/log';
import { once } from '#editor/once';
import { traceOf } from '#editor/report';
import type { LanguageServers } from './language-servers';

const SETTING = 'belay.languageServers';

/**
 * Costs the start of the editor nothing: the servers' part of Belay is loaded when the setting names one and a file of this workspace is
 * open, or when somebody asks.
 */
export class LanguageServerWatch implements ConfiguredServers, Disposable {
  readonly #log: EditorLog;
  readonly #listeners: readonly Disposable[];
  readonly #load = once(async () => {
    const { LanguageServers } = await import('#editor/language-servers/language-servers');
    return new LanguageServers(this.#log);
  });
  #loaded: Promise<LanguageServers> | undefined;
  #ready: LanguageServers | undefined;
  #closed = false;

  constructor(log: EditorLog) {
    this.#log = log;
    this.#listeners = [
      vscode.workspace.onDidOpenTextDocument(() => this.#look()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(SETTING)) this.#look();
      }),
    ];
    // Not within activate().
    setImmediate(() => this.#look());
  }

  /** The servers; undefined when the setting names none. */
  async servers(): Promise<LanguageServers | undefined> {
    if (this.#closed || !(this.#loaded || namesOne())) return undefined;
    this.#loaded ??= this.#load();
    this.#ready = await this.#loaded;
    return this.#ready;
  }

  by(document: vscode.TextDocument): ServedBy | undefined {
    return this.#ready?.by(document);
  }

  async started(document: vscode.TextDocument): Promise<void> {
    await (await this.servers())?.started(document);
  }

  async looked(document: vscode.TextDocument): Promise<void> {
    await this.#ready?.looked(document);
  }

  isAnyRunning(): boolean {
    return this.#ready?.isAnyRunning() ?? false;
  }

  hasLooked(document: vscode.TextDocument): boolean {
    return this.#ready?.hasLooked(document) ?? false;
  }

  /** Ends all servers. Resolves when no process of theirs is left. */
  async close(): Promise<void> {
    this.dispose();
    await (await this.#loaded)?.close();
  }

  dispose(): void {
    this.#closed = true;
    for (const listener of this.#listeners) listener.dispose();
  }

  #look(): void {
    if (this.#loaded || !vscode.workspace.textDocuments.some(({ uri }) => isOnDisk(uri))) return;
    this.servers().catch((error: unknown) => this.#log.error(traceOf(error)));
  }
}

function namesOne(): boolean {
  const value: unknown = vscode.workspace.getConfiguration().get(SETTING);
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

function isOnDisk(uri: vscode.Uri): boolean {
  return uri.scheme === 'file' && vscode.workspace.getWorkspaceFolder(uri) !== undefined;
}
