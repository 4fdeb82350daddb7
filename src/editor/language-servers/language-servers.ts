import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '#base/disposable';
import { t } from '#base/l10n';
import { Watchdog } from '#commands/watchdog';
import type { ConfiguredServers, ServedBy } from '#editor/language/served';
import type { EditorLog } from '#editor/log';
import { loginVariables } from '#editor/login-variables';
import { once } from '#editor/once';
import { plainText } from '#editor/plain-text';
import { languageFor, parseEntries, type ServerEntry } from './entries';
import { OwnServer } from './own-server';
import { isYoung, servedBy } from './served-by';
import type { LanguageServer } from './server';

const SETTING = 'belay.languageServers';
/** How long a question waits for a server on its way, and for the problems of a file: longer while the server is young. */
const START_MS = 5000;
const LOOK_MS = { young: 5000, grown: 1500 };

/**
 * The servers of `belay.languageServers` in this window. Each starts with the first document of its language that somebody opens, a tool
 * or a person, in a trusted folder on disk; from then on the editor asks it like any other.
 */
export class LanguageServers implements ConfiguredServers, Disposable {
  readonly #log: EditorLog;
  readonly #setting: () => unknown;
  readonly #owned = new DisposableStore();
  readonly #watchdog = this.#owned.add(new Watchdog());
  readonly #variables = once(loginVariables);
  readonly #servers = new Map<string, OwnServer>();
  readonly #toldUntrusted = new Set<string>();
  /** Servers on their way out. */
  readonly #leaving = new Set<Promise<void>>();

  /** `setting` says what the setting holds. */
  constructor(log: EditorLog, setting: () => unknown = settingNow) {
    this.#log = log;
    this.#setting = setting;
    this.#read();
    this.#owned.add(vscode.workspace.onDidOpenTextDocument((document) => this.#consider(document)));
    this.#owned.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.#considerAll()));
    this.#owned.add(vscode.workspace.onDidChangeWorkspaceFolders(() => this.#considerAll()));
    this.#owned.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(SETTING)) this.#read();
      }),
    );
  }

  get servers(): readonly LanguageServer[] {
    return [...this.#servers.values()].map(({ server }) => server);
  }

  by(document: vscode.TextDocument): ServedBy | undefined {
    return servedBy(this.#for(document), document, vscode.workspace.isTrusted);
  }

  async started(document: vscode.TextDocument): Promise<void> {
    this.#consider(document);
    const signal = AbortSignal.timeout(START_MS);
    await Promise.all(this.#for(document).map(({ server }) => server.settled(signal)));
  }

  async looked(document: vscode.TextDocument): Promise<void> {
    const running = this.#for(document).filter(({ server }) => server.state.kind === 'running');
    await Promise.all(
      running.map((own) => own.reports.wait(document, isYoung(own) ? LOOK_MS.young : LOOK_MS.grown)),
    );
  }

  isAnyRunning(): boolean {
    return this.servers.some(({ state }) => state.kind === 'running');
  }

  hasLooked(document: vscode.TextDocument): boolean {
    return this.#for(document).some(({ reports }) => reports.has(document));
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

  #for({ uri, languageId }: vscode.TextDocument): readonly OwnServer[] {
    if (uri.scheme !== 'file') return [];
    return [...this.#servers.values()].filter(
      ({ server }) => languageFor(server.entry, { path: uri.path, languageId }) !== undefined,
    );
  }

  #considerAll(): void {
    for (const document of vscode.workspace.textDocuments) this.#consider(document);
  }

  /** Starts the servers of a document of this workspace, where they may. */
  #consider(document: vscode.TextDocument): void {
    const serving = this.#for(document);
    if (serving.length === 0 || vscode.workspace.getWorkspaceFolder(document.uri) === undefined) return;
    for (const { server } of serving) {
      const { name } = server.entry;
      if (vscode.workspace.isTrusted) server.need();
      else if (!this.#toldUntrusted.has(name)) {
        this.#toldUntrusted.add(name);
        this.#log.info(`language server ${name}: not started, because this folder is not trusted`);
      }
    }
  }

  /** Servers whose entry is as it was run on. */
  #read(): void {
    const { entries, problems } = parseEntries(this.#setting());
    for (const problem of problems) this.#log.error(problem);
    const now = new Map(entries.map((entry) => [entry.name, entry]));
    for (const [name, { server }] of this.#servers)
      if (JSON.stringify(now.get(name)) !== JSON.stringify(server.entry)) this.#drop(name);
    for (const entry of entries) if (!this.#servers.has(entry.name)) this.#add(entry);
    this.#considerAll();
  }

  #drop(name: string): void {
    const leaving = this.#servers.get(name)?.server.stop();
    this.#servers.delete(name);
    if (!leaving) return;
    this.#leaving.add(leaving);
    void leaving.finally(() => this.#leaving.delete(leaving));
  }

  #add(entry: ServerEntry): void {
    const own = new OwnServer(entry, {
      channel: this.#log,
      watchdog: this.#watchdog,
      variables: this.#variables,
    });
    own.server.onDidChange((state) => {
      if (state.kind === 'failed') void this.#tellFailed(own.server, state.why);
    });
    this.#servers.set(entry.name, own);
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

function settingNow(): unknown {
  return vscode.workspace.getConfiguration().get(SETTING);
}
