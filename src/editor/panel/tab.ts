import * as vscode from 'vscode';
import type { AppSession } from '#app';
import { type Disposable, DisposableStore } from '#base/disposable';
import { Emitter } from '#base/emitter';
import { t } from '#base/l10n';
import { truncate } from '#base/text';
import type { Approvals } from '#editor/approvals';
import { type Core, isUnused, type ReadyCore } from '#editor/core';
import type { Post } from '#editor/notices';
import type { Place, Places } from '#editor/places';
import { seenCore } from '#editor/seen-core';
import { goneWords } from './gone';
import type { KeptOfTabs } from './kept-of-tabs';
import { ChatPage, type OnMessage, pageOptions } from './page';

export interface TabWorld {
  /** The window's. */
  readonly core: Core;
  readonly approvals: Approvals;
  readonly places: Places;
  readonly extensionUri: vscode.Uri;
  readonly log: vscode.LogOutputChannel;
  readonly kept: KeptOfTabs;
  /** What carries out the wishes of a page that stands there. */
  readonly messages: (core: Core, post: Post) => OnMessage;
  /** Shows a session in a tab of its own. */
  readonly open: (sessionId: string) => Promise<void>;
}

/** Most characters of a title: a tab is as wide as its words. */
const LONGEST_TITLE = 40;

/** One session in a tab of the editor area. What it opens opens in tabs too; closing it leaves the session as it is. */
export class SessionTab implements Place, Disposable {
  /** As it is seen here: its session is the tab's. */
  readonly core: Core;
  readonly #world: TabWorld;
  readonly #panel: vscode.WebviewPanel;
  readonly #page: ChatPage;
  readonly #changed = new Emitter<void>();
  readonly #owned = new DisposableStore();
  #sessionId: string | undefined;
  /** Looked up once: who looks again at a session that is being closed would open it anew. */
  #held: { readonly ready: ReadyCore; readonly session: AppSession } | undefined;

  constructor(panel: vscode.WebviewPanel, sessionId: string | undefined, world: TabWorld) {
    const { core, approvals, places, extensionUri, log, kept, messages } = world;
    this.#world = world;
    this.#panel = panel;
    this.#sessionId = sessionId;
    this.core = seenCore(core, {
      session: () => this.#session(),
      show: world.open,
      newSession: (ready) => this.#newSession(ready),
      onDidChange: this.#changed.event,
    });
    this.#page = this.#owned.add(
      new ChatPage({
        ...{ core: this.core, extensionUri, log },
        kept: { get: () => kept.get(this.#sessionId), set: (json) => kept.set(this.#sessionId, json) },
        onMessage: messages(this.core, (message) => this.post(message)),
        onFocus: (here) => places.focus(this, here),
        gone: ({ history }) => goneWords(history, this.#sessionId),
      }),
    );
    this.#owned.add(this.#changed);
    this.#owned.add(places.add(this));
    const refresh = () => this.#refresh();
    this.#owned.add(core.onDidChange(refresh));
    this.#owned.add(approvals.onDidChange(refresh));
    this.#owned.add(vscode.workspace.onDidGrantWorkspaceTrust(refresh));
    panel.webview.options = pageOptions(extensionUri);
    panel.onDidChangeViewState(() => this.#viewChanged());
    panel.onDidDispose(() => this.dispose());
    this.#refresh();
  }

  get sessionId(): string | undefined {
    return this.#sessionId;
  }

  get isVisible(): boolean {
    return this.#panel.visible;
  }

  /** Whether it is what its group shows and the group is the active one. */
  get isActive(): boolean {
    return this.#panel.active;
  }

  get editing(): string | undefined {
    return this.#page.editing;
  }

  /** False when nobody sees it. */
  readonly post: Post = (message) => this.#page.post(message);

  draw(): void {
    this.#page.draw(this.#panel.webview);
  }

  /** Brings it into sight; the focus stays where it is. */
  show(): void {
    this.#panel.reveal(undefined, true);
  }

  /** Only on a person's wish: it takes the focus. At a turn, or else in the composer. */
  focus(turn?: number): void {
    this.#panel.reveal(undefined, false);
    this.#page.whenOpen(() => {
      const { session } = this.core;
      if (session && turn !== undefined) this.post({ type: 'reveal', sessionId: session.id, turn });
      else this.post({ type: 'focus-composer' });
    });
  }

  close(): void {
    this.#panel.dispose();
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #session(): AppSession | undefined {
    const { ready } = this.#world.core;
    if (this.#held && this.#held.ready === ready) return this.#held.session;
    const session = this.#sessionId === undefined ? undefined : ready?.app.session(this.#sessionId);
    this.#held = ready && session && { ready, session };
    return session;
  }

  /** Where the tab's own session is gone the new one takes its place; else it gets a tab of its own, unless nothing was said in this one. */
  async #newSession(ready: ReadyCore): Promise<void> {
    const modelId = await ready.models.preferred();
    if (this.#world.core.ready !== ready) throw new Error(t('The folder has just changed. Try again.'));
    const shown = this.core.session;
    if (shown && isUnused(shown)) return;
    const made = ready.app.createSession({ modelId });
    if (shown) return this.#world.open(made.id);
    this.#sessionId = made.id;
    this.#refresh();
  }

  #viewChanged(): void {
    if (!this.#panel.visible) this.#page.hidden();
    this.#world.places.changed();
  }

  #refresh(): void {
    this.#changed.emit();
    this.#page.refresh();
    const { session } = this.core;
    const waits = this.#world.approvals.waiting().some(({ sessionId }) => sessionId === this.#sessionId);
    // Of a session that can't be read now the tab keeps the name it had.
    if (session) this.#panel.title = truncate(session.title || t('New session'), LONGEST_TITLE);
    this.#panel.iconPath = tabIcon(this.#world.extensionUri, waits);
  }
}

/** Belay's sign, with a dot while a question waits. */
function tabIcon(
  extensionUri: vscode.Uri,
  waits: boolean,
): { readonly light: vscode.Uri; readonly dark: vscode.Uri } {
  const file = (theme: string) =>
    vscode.Uri.joinPath(extensionUri, 'media', `tab${waits ? '-waiting' : ''}-${theme}.svg`);
  return { light: file('light'), dark: file('dark') };
}
