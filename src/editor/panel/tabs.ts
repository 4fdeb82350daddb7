import * as vscode from 'vscode';
import * as z from 'zod';
import { type Disposable, DisposableStore } from '#base/disposable';
import { t } from '#base/l10n';
import type { Core } from '#editor/core';
import { SESSION_TAB } from '#editor/names';
import { readyCore } from '#editor/needs';
import { oneLine } from '#editor/plain-text';
import type { SessionSummary } from '#protocol/panel-state';
import { KeptOfTabs } from './kept-of-tabs';
import { pageOptions } from './page';
import { SessionTab, type TabWorld } from './tab';

/** What of a page's memory says which session it showed; `begun`: something was said in it. */
const keptSchema = z.object({
  state: z.object({ session: z.string().min(1), begun: z.boolean().optional() }),
});

/** The sessions that are open in tabs of the editor area, each at most once. */
export class SessionTabs implements Disposable {
  readonly #core: Core;
  readonly #world: TabWorld;
  readonly #tabs = new Set<SessionTab>();
  readonly #owned = new DisposableStore();

  constructor(world: Omit<TabWorld, 'kept' | 'open'> & { readonly memento: vscode.Memento }) {
    this.#core = world.core;
    const kept = new KeptOfTabs(world.memento);
    this.#world = { ...world, kept, open: (sessionId) => this.open(sessionId) };
    this.#owned.add(
      world.core.onWillGo((sessionId) => {
        this.#of(sessionId)?.close();
        void kept.set(sessionId, undefined);
      }),
    );
  }

  /** Only on a person's wish: the session's tab takes the focus, at a turn if one is given. */
  async open(sessionId: string, turn?: number): Promise<void> {
    const { app } = await readyCore(this.#core);
    const session = app.session(sessionId);
    if (!session) throw new Error(t('That session is not in this folder.'));
    const { kept, extensionUri } = this.#world;
    await kept.prune((id) => app.history.folderOf(id) !== undefined);
    const known = this.#of(sessionId);
    if (known) return known.focus(turn);
    const place = { viewColumn: vscode.ViewColumn.Active, preserveFocus: false };
    const panel = vscode.window.createWebviewPanel(
      SESSION_TAB,
      session.title,
      place,
      pageOptions(extensionUri),
    );
    const tab = this.#take(panel, sessionId);
    tab.draw();
    tab.focus(turn);
  }

  /** The command: the session of the panel, or one of a list, that one first. */
  async openPicked(): Promise<void> {
    const { app } = await readyCore(this.#core);
    const shown = this.#core.session?.id;
    const sessions = app.sessions();
    const first = sessions.filter(({ id }) => id === shown);
    const others = sessions.filter(({ id }) => id !== shown);
    const chosen = others.length === 0 ? shown : await pick([...first, ...others]);
    if (chosen !== undefined) await this.open(chosen);
  }

  /** The tab that is being worked in. */
  get active(): SessionTab | undefined {
    return [...this.#tabs].find(({ isActive }) => isActive);
  }

  /** The session's tab, if it has one. */
  of(sessionId: string): Pick<SessionTab, 'show' | 'focus'> | undefined {
    return this.#of(sessionId);
  }

  /** A tab of an earlier window. One in whose session nothing had been said begins a new one: nobody keeps such a session. */
  async restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const { data } = keptSchema.safeParse(state);
    const sessionId = data?.state.session;
    const known = sessionId === undefined ? undefined : this.#of(sessionId);
    if (known) {
      panel.dispose();
      return known.show();
    }
    const tab = this.#take(panel, sessionId);
    const core = await this.#core.start();
    const isUnused = data?.state.begun === false && !tab.core.session;
    if (core.kind === 'ready' && isUnused) await tab.core.newSession(core);
    tab.draw();
  }

  dispose(): void {
    this.#owned.dispose();
    for (const tab of this.#tabs) tab.dispose();
  }

  #take(panel: vscode.WebviewPanel, sessionId: string | undefined): SessionTab {
    const tab = new SessionTab(panel, sessionId, this.#world);
    this.#tabs.add(tab);
    panel.onDidDispose(() => this.#tabs.delete(tab));
    return tab;
  }

  #of(sessionId: string): SessionTab | undefined {
    return [...this.#tabs].find((tab) => tab.sessionId === sessionId);
  }
}

/** The one that a person picks: the first needs no more than Enter. */
async function pick(sessions: readonly SessionSummary[]): Promise<string | undefined> {
  const items = sessions.map(({ id, title, at }) => ({
    label: oneLine(title),
    description: new Date(at).toLocaleString(),
    id,
  }));
  const title = t('Open which session in an editor tab?');
  return (await vscode.window.showQuickPick(items, { title }))?.id;
}
