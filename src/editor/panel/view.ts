import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { AppSession } from '#app';
import { type Disposable, DisposableStore } from '#base/disposable';
import { t } from '#base/l10n';
import { SerialQueue } from '#base/queue';
import { messageOf } from '#base/result';
import type { Approvals } from '#editor/approvals';
import { setContext } from '#editor/context-keys';
import type { Core } from '#editor/core';
import { isLive } from '#protocol/event';
import type { ToHost, ToPanel } from '#protocol/wire';
import { panelHtml } from './html';
import { Outbox } from './outbox';

export const CHAT_VIEW = 'belay.chat';

/** What the page keeps: drafts, reading places, unfolded rows. */
const KEPT = 'belay.panel';

/** Milliseconds for which changes of the state are gathered. */
const GATHER = 30;

/** The chat panel: a page that is told a snapshot when it says hello, and events from then on. */
export class ChatView implements vscode.WebviewViewProvider, Disposable {
  readonly #core: Core;
  readonly #approvals: Approvals;
  readonly #extensionUri: vscode.Uri;
  readonly #memento: vscode.Memento;
  readonly #log: vscode.LogOutputChannel;
  readonly #onMessage: (message: ToHost) => Promise<void>;
  readonly #owned = new DisposableStore();
  readonly #outbox = new Outbox((sessionId, events) => this.post({ type: 'events', sessionId, events }));
  #view: vscode.WebviewView | undefined;
  #watched: { readonly session: AppSession; readonly subscription: Disposable } | undefined;
  #ready = false;
  #stateTimer: NodeJS.Timeout | undefined;
  /** A state never overtakes an older one. */
  readonly #queue = new SerialQueue();
  readonly #onReady: (() => void)[] = [];

  constructor(world: {
    core: Core;
    approvals: Approvals;
    extensionUri: vscode.Uri;
    memento: vscode.Memento;
    log: vscode.LogOutputChannel;
    onMessage: (message: ToHost) => Promise<void>;
  }) {
    this.#core = world.core;
    this.#approvals = world.approvals;
    this.#extensionUri = world.extensionUri;
    this.#memento = world.memento;
    this.#log = world.log;
    this.#onMessage = world.onMessage;
    this.#owned.add(world.core.onDidChange(() => this.refresh()));
    this.#owned.add(world.approvals.onDidChange(() => this.refresh()));
    this.#owned.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.refresh()));
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.#view = view;
    this.#ready = false;
    view.webview.options = {
      enableScripts: true,
      enableForms: false,
      localResourceRoots: [vscode.Uri.joinPath(this.#extensionUri, 'dist')],
    };
    view.webview.onDidReceiveMessage((raw: unknown) => this.#receive(raw));
    // A hidden page is gone: what is told to it from here on it learns by the snapshot, once it is drawn again and says hello.
    view.onDidChangeVisibility(() => {
      if (!view.visible) this.#gone();
    });
    view.onDidDispose(() => {
      if (this.#view !== view) return;
      this.#view = undefined;
      this.#gone();
    });
    view.webview.html = panelHtml(view.webview, {
      extensionUri: this.#extensionUri,
      nonce: randomBytes(16).toString('base64'),
      kept: this.#memento.get(KEPT, ''),
    });
  }

  #gone(): void {
    this.#ready = false;
    setContext('belay.chatFocused', false);
  }

  /** Shows the panel without taking the focus. */
  async show(): Promise<void> {
    if (this.#view) this.#view.show(true);
    else await vscode.commands.executeCommand(`${CHAT_VIEW}.open`, { preserveFocus: true });
  }

  /** Only on a person's wish: the panel takes the focus. */
  async focus(): Promise<void> {
    await vscode.commands.executeCommand(`${CHAT_VIEW}.focus`);
    this.#whenReady(() => this.post({ type: 'focus-composer' }));
  }

  /** False when nobody sees it. */
  post(message: ToPanel): boolean {
    if (!this.#ready || !this.#view) return false;
    void this.#view.webview.postMessage(message);
    return true;
  }

  /** Sends what stands around the transcript, or all of it when another session is shown. */
  refresh(): void {
    this.#updateBadge();
    if (!this.#ready) return;
    this.#stateTimer ??= setTimeout(() => {
      // What changes from here on needs another one.
      this.#stateTimer = undefined;
      void this.#queue.run(() => this.#update());
    }, GATHER);
  }

  dispose(): void {
    clearTimeout(this.#stateTimer);
    this.#outbox.clear();
    this.#watched?.subscription.dispose();
    this.#owned.dispose();
  }

  async #receive(raw: unknown): Promise<void> {
    const { toHostSchema } = await import('#protocol/wire');
    const parsed = toHostSchema.safeParse(raw);
    if (!parsed.success)
      return this.#log.warn(
        `panel: dropped a message that doesn't parse: ${parsed.error.issues.map((issue) => issue.message).join('; ')}`,
      );
    try {
      await this.#carryOut(parsed.data);
    } catch (error) {
      this.#log.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
      this.post({
        type: 'notice',
        sessionId: this.#core.session?.id,
        severity: 'error',
        title: t('That did not work'),
        detail: messageOf(error),
      });
    }
  }

  /** What is about the page itself is done here, without loading what people's wishes need. */
  async #carryOut(message: ToHost): Promise<void> {
    switch (message.type) {
      case 'hello':
        return this.#queue.run(() => this.#snapshot());
      case 'keep':
        return void (await this.#memento.update(KEPT, message.kept));
      case 'focus':
        return setContext('belay.chatFocused', message.focused);
      default:
        return this.#onMessage(message);
    }
  }

  async #snapshot(): Promise<void> {
    const state = await buildState(this.#core, vscode.workspace.isTrusted);
    // From here on nothing may wait: the transcript and the events after it must fit.
    this.#outbox.clear();
    this.#watch(this.#core.session);
    this.#ready = true;
    this.post({ type: 'snapshot', state, transcript: this.#core.session?.transcript() });
    for (const run of this.#onReady.splice(0)) run();
  }

  async #update(): Promise<void> {
    try {
      if (this.#watched?.session !== this.#core.session) return await this.#snapshot();
      const state = await buildState(this.#core, vscode.workspace.isTrusted);
      this.#outbox.flush();
      this.post({ type: 'state', state });
    } catch (error) {
      this.#log.error(`panel: ${messageOf(error)}`);
    }
  }

  #watch(session: AppSession | undefined): void {
    if (this.#watched?.session === session) return;
    this.#watched?.subscription.dispose();
    if (!session) {
      this.#watched = undefined;
      return;
    }
    const subscription = new DisposableStore();
    subscription.add(
      session.onEvent((event) => {
        this.#outbox.add(event);
        if (!isLive(event)) this.refresh();
      }),
    );
    // The store itself failed, so no event tells it.
    subscription.add(
      session.onProblem(({ title, detail }) =>
        this.post({ type: 'notice', sessionId: session.id, severity: 'error', title, detail }),
      ),
    );
    this.#watched = { session, subscription };
  }

  #updateBadge(): void {
    if (!this.#view) return;
    const waiting = this.#approvals.waiting().length;
    this.#view.badge =
      waiting > 0
        ? {
            value: waiting,
            tooltip: waiting === 1 ? t('1 question waits for you') : t('{0} questions wait for you', waiting),
          }
        : undefined;
  }

  #whenReady(run: () => void): void {
    if (this.#ready) run();
    else this.#onReady.push(run);
  }
}

/** Loaded with the first page: `activate` needs none of it. */
async function buildState(core: Core, trusted: boolean) {
  const { panelState } = await import('#editor/panel/state');
  return panelState(core, trusted);
}
