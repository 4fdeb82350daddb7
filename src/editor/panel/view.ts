import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '#base/disposable';
import { t } from '#base/l10n';
import type { Approvals } from '#editor/approvals';
import type { Core } from '#editor/core';
import { CHAT_VIEW } from '#editor/names';
import type { Post } from '#editor/notices';
import type { Place, Places } from '#editor/places';
import { ChatPage, type OnMessage, pageOptions } from './page';

/** What the page keeps. */
const KEPT = 'belay.panel';

interface ChatWorld {
  readonly core: Core;
  readonly approvals: Approvals;
  readonly places: Places;
  readonly extensionUri: vscode.Uri;
  readonly memento: vscode.Memento;
  readonly log: vscode.LogOutputChannel;
  readonly onMessage: OnMessage;
}

/** The chat panel: the view, and its page. */
export class ChatView implements vscode.WebviewViewProvider, Place, Disposable {
  readonly core: Core;
  readonly #approvals: Approvals;
  readonly #extensionUri: vscode.Uri;
  readonly #page: ChatPage;
  readonly #owned = new DisposableStore();
  #view: vscode.WebviewView | undefined;

  constructor({ core, approvals, places, extensionUri, memento, log, onMessage }: ChatWorld) {
    this.core = core;
    this.#approvals = approvals;
    this.#extensionUri = extensionUri;
    const kept = { get: () => memento.get(KEPT, ''), set: (json: string) => memento.update(KEPT, json) };
    const onFocus = (here: boolean) => places.focus(this, here);
    this.#page = this.#owned.add(new ChatPage({ core, extensionUri, log, kept, onMessage, onFocus }));
    const refresh = () => {
      this.#updateBadge();
      this.#page.refresh();
    };
    this.#owned.add(core.onDidChange(refresh));
    this.#owned.add(approvals.onDidChange(refresh));
    this.#owned.add(vscode.workspace.onDidGrantWorkspaceTrust(refresh));
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.#view = view;
    view.webview.options = pageOptions(this.#extensionUri);
    view.onDidChangeVisibility(() => {
      if (!view.visible) this.#page.hidden();
    });
    view.onDidDispose(() => {
      if (this.#view !== view) return;
      this.#view = undefined;
      this.#page.hidden();
    });
    this.#updateBadge();
    this.#page.draw(view.webview);
  }

  get isVisible(): boolean {
    return this.#view?.visible ?? false;
  }

  /** Shows the panel without taking the focus. */
  async show(): Promise<void> {
    if (this.#view) this.#view.show(true);
    else await vscode.commands.executeCommand(`${CHAT_VIEW}.open`, { preserveFocus: true });
  }

  /** Only on a person's wish: the panel takes the focus. */
  async focus(): Promise<void> {
    await vscode.commands.executeCommand(`${CHAT_VIEW}.focus`);
    this.#page.whenOpen(() => this.post({ type: 'focus-composer' }));
  }

  /** Only on a person's wish: the list of sessions, with the keyboard in its search. */
  async showSessions(): Promise<void> {
    await vscode.commands.executeCommand(`${CHAT_VIEW}.focus`);
    this.#page.whenOpen(() => this.post({ type: 'show-sessions' }));
  }

  /** False when nobody sees it. */
  readonly post: Post = (message) => this.#page.post(message);

  dispose(): void {
    this.#owned.dispose();
  }

  /** The question whose command is being edited on its card. */
  get editing(): string | undefined {
    return this.#page.editing;
  }

  #updateBadge(): void {
    if (!this.#view) return;
    const value = this.#approvals.waiting().length;
    const tooltip = value === 1 ? t('1 question waits for you') : t('{0} questions wait for you', value);
    this.#view.badge = value > 0 ? { value, tooltip } : undefined;
  }
}
