import * as vscode from 'vscode';
import type { AppSession } from '#app';
import { type Disposable, DisposableStore } from '#base/disposable';
import { SerialQueue } from '#base/queue';
import { type Post, showNotice } from '#editor/notices';
import { traceOf } from '#editor/report';
import type { Log } from '#host';
import { isLive } from '#protocol/event';
import { reshapes } from '#protocol/page';
import type { PanelState } from '#protocol/panel-state';
import type { ToPanel } from '#protocol/wire';
import { ChangesToReview } from './changes-to-review';
import { Outbox } from './outbox';
import type { ShownCore, StateWorld } from './state';

/** Milliseconds for which changes of the state are gathered. */
const GATHER = 30;

/** What the page is told: a snapshot when it says hello, events and states from then on. */
export class PageFeed implements Disposable {
  readonly #core: ShownCore;
  readonly #log: Log;
  readonly #gone: StateWorld['gone'];
  readonly #send: (message: ToPanel) => void;
  readonly #changes = new ChangesToReview();
  readonly #outbox = new Outbox((sessionId, events) => this.post({ type: 'events', sessionId, events }));
  /** A state never overtakes an older one. */
  readonly #queue = new SerialQueue();
  readonly #onOpen: (() => void)[] = [];
  #watched: { readonly session: AppSession; readonly subscription: Disposable } | undefined;
  /** The page that is drawn, from its hello until it is gone; `told` once it has its snapshot. */
  #page: { told: boolean } | undefined;
  #stateTimer: NodeJS.Timeout | undefined;

  constructor(world: {
    core: ShownCore;
    log: Log;
    send: (message: ToPanel) => void;
    gone?: StateWorld['gone'];
  }) {
    this.#core = world.core;
    this.#log = world.log;
    this.#gone = world.gone;
    this.#send = world.send;
  }

  /** False when nobody sees it. */
  readonly post: Post = (message) => {
    if (!this.#page?.told) return false;
    this.#send(message);
    return true;
  };

  /** A page has been drawn and knows nothing yet. */
  hello(): Promise<void> {
    const page = { told: false };
    this.#page = page;
    return this.#queue.run(() => this.#snapshot(page));
  }

  /** The page is gone: the next one that says hello learns everything by its snapshot. */
  close(): void {
    this.#page = undefined;
  }

  /** Now, or as soon as there is a page. */
  whenOpen(run: () => void): void {
    if (this.#page?.told) run();
    else this.#onOpen.push(run);
  }

  /** Sends what stands around the transcript, or all of it when another session is shown. */
  refresh(): void {
    if (!this.#page?.told) return;
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
  }

  /** Everything once more. */
  #anew(): void {
    const page = this.#page;
    if (page?.told) void this.#queue.run(() => this.#snapshot(page));
  }

  async #snapshot(page: { told: boolean }): Promise<void> {
    const state = await this.#state().catch((error: unknown) => this.#unreadable(error));
    if (page !== this.#page) return;
    // From here on nothing may wait: the transcript and the events after it must fit.
    const { session } = this.#core;
    this.#outbox.clear();
    this.#watch(session);
    page.told = true;
    this.post({ type: 'snapshot', state, transcript: session?.transcript() });
    for (const run of this.#onOpen.splice(0)) run();
  }

  async #update(): Promise<void> {
    const page = this.#page;
    if (!page) return;
    try {
      if (this.#watched?.session !== this.#core.session) return await this.#snapshot(page);
      const state = await this.#state();
      if (this.#watched?.session !== this.#core.session) return await this.#snapshot(page);
      this.#outbox.flush();
      this.post({ type: 'state', state });
    } catch (error) {
      // The page keeps what it has: the next change brings another state.
      this.#log.error(traceOf(error));
    }
  }

  /** A person may go to another session while a state is built: then it is built again, for that one. */
  async #state(): Promise<PanelState> {
    // Loaded with the first page: `activate` needs none of it.
    const { panelState } = await import('#editor/panel/state');
    await this.#core.start();
    for (;;) {
      const { session } = this.#core;
      const world = { trusted: vscode.workspace.isTrusted, changes: this.#changes, gone: this.#gone };
      const state = await panelState(this.#core, world);
      if (session === this.#core.session) return state;
    }
  }

  async #unreadable(error: unknown): Promise<PanelState> {
    this.#log.error(traceOf(error));
    const { unreadableState } = await import('#editor/panel/state');
    return unreadableState(this.#core, error);
  }

  #watch(session: AppSession | undefined): void {
    if (this.#watched?.session === session) return;
    this.#watched?.subscription.dispose();
    this.#changes.forget();
    this.#watched = session && { session, subscription: this.#listen(session) };
  }

  #listen(session: AppSession): Disposable {
    const listening = new DisposableStore();
    listening.add(
      session.onEvent((event) => {
        this.#changes.hear(event);
        // The page has a part of the session: what counts of the rest it can't know.
        if (!isLive(event) && reshapes(event)) return this.#anew();
        this.#outbox.add(event);
        if (!isLive(event)) this.refresh();
      }),
    );
    // The store itself failed, so no event tells it.
    listening.add(
      session.onProblem(({ title, detail }) =>
        showNotice(this.post, { sessionId: session.id, severity: 'error', title, detail }),
      ),
    );
    return listening;
  }
}
