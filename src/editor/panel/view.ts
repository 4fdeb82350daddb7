import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '#base/disposable';
import { t } from '#base/l10n';
import { messageOf } from '#base/result';
import type { Approvals } from '#editor/approvals';
import { setContext } from '#editor/context-keys';
import type { Core } from '#editor/core';
import { CHAT_VIEW } from '#editor/names';
import { type Post, showNotice } from '#editor/notices';
import { traceOf } from '#editor/report';
import type { ToHost } from '#protocol/wire';
import { PageFeed } from './feed';
import { panelHtml } from './html';

/** What the page keeps: drafts, reading places, unfolded rows. */
const KEPT = 'belay.panel';

interface ChatWorld {
  readonly core: Core;
  readonly approvals: Approvals;
  readonly extensionUri: vscode.Uri;
  readonly memento: vscode.Memento;
  readonly log: vscode.LogOutputChannel;
  /** Carries out a message of the page that isn't about the page itself. */
  readonly onMessage: (message: ToHost) => Promise<void>;
}

/** The chat panel: the view, its page, and what the page asks. */
export class ChatView implements vscode.WebviewViewProvider, Disposable {
  readonly #world: ChatWorld;
  readonly #feed: PageFeed;
  readonly #owned = new DisposableStore();
  #view: vscode.WebviewView | undefined;
  #editing: string | undefined;

  constructor(world: ChatWorld) {
    this.#world = world;
    const send = (message: Parameters<Post>[0]) => void this.#view?.webview.postMessage(message);
    this.#feed = this.#owned.add(new PageFeed({ core: world.core, log: world.log, send }));
    const refresh = () => {
      this.#updateBadge();
      this.#feed.refresh();
    };
    this.#owned.add(world.core.onDidChange(refresh));
    this.#owned.add(world.approvals.onDidChange(refresh));
    this.#owned.add(vscode.workspace.onDidGrantWorkspaceTrust(refresh));
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    const { extensionUri, memento } = this.#world;
    this.#view = view;
    this.#feed.close();
    view.webview.options = {
      enableScripts: true,
      enableForms: false,
      localResourceRoots: [vscode.Uri.joinPath(extensionUri, 'dist')],
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
    this.#updateBadge();
    view.webview.html = panelHtml(view.webview, {
      extensionUri,
      nonce: randomBytes(16).toString('base64'),
      kept: memento.get(KEPT, ''),
      words: vscode.l10n.bundle,
    });
  }

  /** Shows the panel without taking the focus. */
  async show(): Promise<void> {
    if (this.#view) this.#view.show(true);
    else await vscode.commands.executeCommand(`${CHAT_VIEW}.open`, { preserveFocus: true });
  }

  /** Only on a person's wish: the panel takes the focus. */
  async focus(): Promise<void> {
    await vscode.commands.executeCommand(`${CHAT_VIEW}.focus`);
    this.#feed.whenOpen(() => this.post({ type: 'focus-composer' }));
  }

  /** Only on a person's wish: the list of sessions, with the keyboard in its search. */
  async showSessions(): Promise<void> {
    await vscode.commands.executeCommand(`${CHAT_VIEW}.focus`);
    this.#feed.whenOpen(() => this.post({ type: 'show-sessions' }));
  }

  /** False when nobody sees it. */
  readonly post: Post = (message) => this.#feed.post(message);

  dispose(): void {
    this.#owned.dispose();
  }

  /** The question whose command is being edited on its card. */
  get editing(): string | undefined {
    return this.#editing;
  }

  #gone(): void {
    this.#editing = undefined;
    this.#feed.close();
    setContext('belay.chatFocused', false);
  }

  /** Never rejects: what a person asked for and didn't get is told to them. */
  async #receive(raw: unknown): Promise<void> {
    const { log, core } = this.#world;
    try {
      const { toHostSchema } = await import('#protocol/wire');
      const { data, error } = toHostSchema.safeParse(raw);
      if (data) return await this.#carryOut(data);
      const why = error.issues.map((issue) => issue.message).join('; ');
      log.warn(`panel: dropped a message that doesn't parse: ${why}`);
    } catch (error) {
      log.error(traceOf(error));
      const [title, detail] = [t('That did not work'), messageOf(error)];
      showNotice(this.post, { sessionId: core.session?.id, severity: 'error', title, detail });
    }
  }

  /** What is about the page itself is done here, without loading what people's wishes need. */
  async #carryOut(message: ToHost): Promise<void> {
    switch (message.type) {
      case 'hello':
        return this.#feed.hello();
      case 'keep':
        return void (await this.#world.memento.update(KEPT, message.kept));
      case 'editing':
        this.#editing = message.approvalId;
        return;
      case 'focus':
        return setContext('belay.chatFocused', message.focused);
      default:
        return this.#world.onMessage(message);
    }
  }

  #updateBadge(): void {
    if (!this.#view) return;
    const value = this.#world.approvals.waiting().length;
    const tooltip = value === 1 ? t('1 question waits for you') : t('{0} questions wait for you', value);
    this.#view.badge = value > 0 ? { value, tooltip } : undefined;
  }
}
