import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '#base/disposable';
import { t } from '#base/l10n';
import { Watchdog } from '#commands/watchdog';
import type { EditorLog } from '#editor/log';
import { loginVariables } from '#editor/login-variables';
import { once } from '#editor/once';
import { plainText } from '#editor/plain-text';
import { languageFor, parseEntries, type ServerEntry } from './entries';
import { LanguageServer } from './server';
import { ServerLog } from './server-log';
import { startServer } from './start';

const SETTING = 'belay.languageServers';
const clock = { monotonic: () => performance.now() };

/**
 * The servers of `belay.languageServers` in this window. Each starts with the first document of its language that somebody opens, a tool
 * or a person, in a trusted folder on disk; from then on the editor asks it like any other.
 */
export class LanguageServers implements Disposable {
  readonly #log: EditorLog;
  readonly #owned = new DisposableStore();
  readonly #watchdog = this.#owned.add(new Watchdog());
  readonly #variables = once(loginVariables);
  readonly #servers = new Map<string, LanguageServer>();
  readonly #toldUntrusted = new Set<string>();
  /** Servers on their way out. */
  readonly #leaving = new Set<Promise<void>>();

  constructor(log: EditorLog) {
    this.#log = log;
    this.#read();
    this.#owned.add(vscode.workspace.onDidOpenTextDocument((document) => this.consider(document)));
    this.#owned.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.#considerAll()));
    this.#owned.add(vscode.workspace.onDidChangeWorkspaceFolders(() => this.#considerAll()));
    this.#owned.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(SETTING)) this.#read();
      }),
    );
  }

  get servers(): readonly LanguageServer[] {
    return [...this.#servers.values()];
  }

  /** The servers that this document is for, started where they may. */
  consider(document: vscode.TextDocument): readonly LanguageServer[] {
    if (document.uri.scheme !== 'file') return [];
    const { languageId, uri } = document;
    const serving = this.servers.filter(
      ({ entry }) => languageFor(entry, { path: uri.path, languageId }) !== undefined,
    );
    if (serving.length > 0 && vscode.workspace.getWorkspaceFolder(uri) !== undefined)
      for (const server of serving) this.#need(server);
    return serving;
  }

  /** Ends all of them. Resolves when no process is left. */
  async close(): Promise<void> {
    for (const name of [...this.#servers.keys()]) this.#drop(name);
    await Promise.all(this.#leaving);
    this.#owned.dispose();
  }

  dispose(): void {
    void this.close();
  }

  #considerAll(): void {
    for (const document of vscode.workspace.textDocuments) this.consider(document);
  }

  #need(server: LanguageServer): void {
    const { name } = server.entry;
    if (vscode.workspace.isTrusted) server.need();
    else if (!this.#toldUntrusted.has(name)) {
      this.#toldUntrusted.add(name);
      this.#log.info(`language server ${name}: not started, because this folder is not trusted`);
    }
  }

  /** Servers whose entry is as it was run on. */
  #read(): void {
    const { entries, problems } = parseEntries(vscode.workspace.getConfiguration().get(SETTING));
    for (const problem of problems) this.#log.error(problem);
    const now = new Map(entries.map((entry) => [entry.name, entry]));
    for (const [name, { entry }] of this.#servers)
      if (JSON.stringify(now.get(name)) !== JSON.stringify(entry)) this.#drop(name);
    for (const entry of entries) if (!this.#servers.has(entry.name)) this.#add(entry);
    this.#considerAll();
  }

  #drop(name: string): void {
    const leaving = this.#servers.get(name)?.stop();
    this.#servers.delete(name);
    if (!leaving) return;
    this.#leaving.add(leaving);
    void leaving.finally(() => this.#leaving.delete(leaving));
  }

  #add(entry: ServerEntry): void {
    const log = new ServerLog(entry.name, this.#log, clock.monotonic);
    const server = new LanguageServer({
      ...{ entry, log, clock },
      start: async (signal) => {
        // The library is loaded with the first start: it takes some 70 ms.
        const [{ connector }, variables] = await Promise.all([
          import('#editor/language-servers/client'),
          this.#variables(),
        ]);
        const [first = homedir(), ...more] = workspaceFolders();
        const place = { variables, log, home: homedir(), watchdog: this.#watchdog };
        const connect = connector(entry, { channel: this.#log, log });
        return startServer({ ...place, entry, connect, workspace: [first, ...more] }, signal);
      },
    });
    server.onDidChange((state) => {
      if (state.kind === 'failed') void this.#tellFailed(server, state.why);
    });
    this.#servers.set(entry.name, server);
  }

  async #tellFailed(server: LanguageServer, why: string): Promise<void> {
    const [restart, showLog] = [t('Restart'), t('Show Log')];
    const text = t('Language server “{0}” does not run: {1}', server.entry.name, why);
    const chosen = await vscode.window.showWarningMessage(
      plainText(this.#log.redacted(text)),
      restart,
      showLog,
    );
    if (chosen === restart) await server.restart();
    if (chosen === showLog) this.#log.show(true);
  }
}

function workspaceFolders(): readonly string[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.flatMap(({ uri }) => (uri.scheme === 'file' ? [uri.fsPath] : []));
}
