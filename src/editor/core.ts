import * as vscode from 'vscode';
import type { App, AppSession } from '#app';
import { type Disposable, DisposableStore } from '#base/disposable';
import { Emitter } from '#base/emitter';
import { t } from '#base/l10n';
import { messageOf } from '#base/result';
import { firstSession } from './first-session';
import type { Asking, EditorHost } from './host';
import type { EditorLog } from './log';
import type { EditorModels } from './models';
import { traceOf } from './report';
import { RunningMark } from './running-mark';
import { showStartNotice } from './start-notice';

/** The core of a folder, and what the editor built it with. */
export interface ReadyCore {
  readonly kind: 'ready';
  readonly app: App;
  readonly folder: vscode.WorkspaceFolder;
  readonly host: EditorHost;
  readonly models: EditorModels;
}

/** Why there is no core, or the core. */
export type CoreState =
  | { readonly kind: 'no-folder' }
  | { readonly kind: 'choose'; readonly folders: readonly vscode.WorkspaceFolder[] }
  | { readonly kind: 'failed'; readonly title: string; readonly detail: string }
  | ReadyCore;

const LAST_SESSION = 'belay.lastSession';
const LAST_FOLDER = 'belay.lastFolder';

/** The core as it is seen from where a person looks at a session, be that the panel or a tab: `session` is the one shown there. */
export type Core = Omit<EditorCore, 'close' | 'dispose'>;

/**
 * The core of this window, built at first use: nothing of it is loaded by `activate`. A window has one folder's core;
 * in a multi-root workspace the person chooses which folder. Its session is the panel's.
 */
export class EditorCore implements Disposable {
  readonly #context: vscode.ExtensionContext;
  readonly #log: EditorLog;
  readonly #asking: Asking;
  readonly #changed = new Emitter<void>();
  readonly #leaving = new Emitter<string>();
  readonly #folders: Disposable;
  #state: Promise<CoreState> | undefined;
  #ready: ReadyCore | undefined;
  #owned = new DisposableStore();
  #session: AppSession | undefined;
  /** A turn that the closing ends was left: its mark stays. */
  #closing = false;

  /** The state, the session shown, the list of sessions, the settings or the models changed. */
  readonly onDidChange = this.#changed.event;

  /** A session is about to go, by its id: from now on nothing may look at it. */
  readonly onWillGo = this.#leaving.event;

  constructor(context: vscode.ExtensionContext, log: EditorLog, asking: Asking) {
    this.#context = context;
    this.#log = log;
    this.#asking = asking;
    this.#folders = vscode.workspace.onDidChangeWorkspaceFolders(() => this.#foldersChanged());
  }

  /** Builds the core if that hasn't happened. Never rejects: what goes wrong is a state with words for people. */
  start(): Promise<CoreState> {
    this.#state ??= this.#build();
    return this.#state;
  }

  /** The core if it has been built, without building it. */
  get ready(): ReadyCore | undefined {
    return this.#ready;
  }

  /** The session that the panel shows. */
  get session(): AppSession | undefined {
    return this.#session;
  }

  /** Throws when this folder has no such session, in words for people. */
  async show(sessionId: string): Promise<void> {
    const session = this.#ready?.app.session(sessionId);
    if (!session) throw new Error(t('That session is not in this folder.'));
    this.#session = session;
    this.#changed.emit();
    await this.#context.workspaceState.update(LAST_SESSION, sessionId);
  }

  /** A session with nothing in it is used again rather than kept beside a new one. */
  async newSession(ready: ReadyCore): Promise<void> {
    const modelId = await ready.models.preferred();
    if (this.#ready !== ready) throw new Error(t('The folder has just changed. Try again.'));
    const shown = this.#session;
    const empty = shown && isUnused(shown) ? shown : undefined;
    await this.show((empty ?? ready.app.createSession({ modelId })).id);
  }

  /** Lets go of a session that is about to be deleted, wherever it is shown. */
  async leaveSession(ready: ReadyCore, sessionId: string): Promise<void> {
    const modelId = await ready.models.preferred();
    this.#leaving.emit(sessionId);
    if (this.#session?.id === sessionId) await this.show(ready.app.createSession({ modelId }).id);
  }

  /** Leaves the folder worked in, if another is chosen; throws while a turn runs there. */
  async chooseFolder(folder: vscode.WorkspaceFolder): Promise<void> {
    const place = folder.uri.toString();
    if (this.#ready?.folder.uri.toString() === place) return;
    if (this.#ready?.app.sessions().some(({ running }) => running))
      throw new Error(t('A turn is running. Stop it before you choose another folder.'));
    await this.#context.workspaceState.update(LAST_FOLDER, place);
    await this.#restart();
  }

  /** Builds anew what could not be built; else only tells everybody to look again. */
  async retry(): Promise<void> {
    if ((await this.start()).kind === 'failed') await this.#restart();
    else this.#changed.emit();
  }

  /** Stops turns, kills commands, closes the database: what `deactivate` has 5 s for. */
  async close(): Promise<void> {
    this.#closing = true;
    const state = await this.#state;
    try {
      if (state?.kind === 'ready') await state.app.close();
    } finally {
      this.dispose();
    }
  }

  dispose(): void {
    this.#folders.dispose();
    this.#owned.dispose();
    this.#changed.dispose();
    this.#leaving.dispose();
  }

  async #build(): Promise<CoreState> {
    const state = await this.#open();
    if (state.kind === 'ready') {
      this.#ready = state;
      for (const notice of state.app.startNotices) showStartNotice(notice);
    } else this.#release();
    this.#changed.emit();
    return state;
  }

  async #open(): Promise<CoreState> {
    const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
    const folder = this.#pick(folders);
    if (folders.length === 0) return { kind: 'no-folder' };
    if (!folder) return { kind: 'choose', folders };
    try {
      return await this.#createIn(folder);
    } catch (error) {
      this.#log.error(traceOf(error));
      return {
        kind: 'failed',
        title: t('Belay could not start'),
        detail: t('{0}. Nothing was changed. The log has more: Belay: Show Log.', messageOf(error)),
      };
    }
  }

  async #createIn(folder: vscode.WorkspaceFolder): Promise<CoreState> {
    const [{ createApp }, { createEditorHost }, { EditorModels }] = await Promise.all([
      import('#app'),
      import('#editor/host'),
      import('#editor/models'),
    ]);
    const host = this.#owned.add(createEditorHost(this.#context, this.#log, this.#asking));
    await host.secrets.load();
    const models = this.#owned.add(new EditorModels(this.#context, host.secrets));
    const created = await createApp(host, { folder: folder.uri.fsPath, models });
    if (!created.ok) return { kind: 'failed', ...created.error };
    const app = this.#owned.add(created.value);
    this.#log.redactWith(app.redact);
    const last = this.#context.workspaceState.get<string>(LAST_SESSION);
    this.#session = await firstSession(app, last, () => models.preferred());
    this.#markRunning(app, folder.uri);
    this.#owned.add(app.onNotice((notice) => showStartNotice(notice)));
    this.#owned.add(app.onDidChange(() => this.#changed.emit()));
    this.#owned.add(models.onDidChange(() => this.#changed.emit()));
    return { kind: 'ready', app, folder, host, models };
  }

  #markRunning(app: App, folder: vscode.Uri): void {
    const mark = new RunningMark(this.#context.globalStorageUri, folder);
    mark.clear();
    const update = () => {
      if (!this.#closing) mark.set(app.sessions().some(({ running }) => running));
    };
    this.#owned.add(app.onDidChange(update));
  }

  /** The only folder, or the one chosen before. */
  #pick(folders: readonly vscode.WorkspaceFolder[]): vscode.WorkspaceFolder | undefined {
    if (folders.length <= 1) return folders[0];
    const chosen = this.#context.workspaceState.get<string>(LAST_FOLDER);
    return folders.find(({ uri }) => uri.toString() === chosen);
  }

  #foldersChanged(): void {
    if (this.#closing) return;
    const kept =
      this.#ready &&
      vscode.workspace.workspaceFolders?.some(
        ({ uri }) => uri.toString() === this.#ready?.folder.uri.toString(),
      );
    if (!kept && this.#state) void this.#restart();
  }

  /** One after the other: the next core finds sessions that the last one has let go of. */
  #restart(): Promise<CoreState> {
    const before = this.#state;
    this.#state = (async () => {
      const last = await before;
      try {
        if (last?.kind === 'ready') await last.app.close();
      } catch (error) {
        this.#log.error(`closing failed: ${messageOf(error)}`);
      }
      this.#release();
      return this.#build();
    })();
    return this.#state;
  }

  #release(): void {
    this.#owned.dispose();
    this.#owned = new DisposableStore();
    this.#ready = undefined;
    this.#session = undefined;
  }
}

/** Whether nothing was said in it, and may be said here. */
export function isUnused(session: AppSession): boolean {
  return !session.elsewhere && session.transcript().turns.length === 0;
}
