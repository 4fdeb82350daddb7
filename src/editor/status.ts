import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '#base/disposable';
import { messageOf } from '#base/result';
import type { Log } from '#host';
import type { AgentEvent } from '#protocol/event';
import type { Approvals } from './approvals';
import { setContext } from './context-keys';
import type { Core } from './core';
import type { StatusBar } from './status-bar';

/** Keeps status bar and context keys true to what happens. */
export class StatusWatch implements Disposable {
  readonly #core: Core;
  readonly #approvals: Approvals;
  readonly #statusBar: StatusBar;
  readonly #log: Log;
  readonly #owned = new DisposableStore();
  #session: Core['session'];
  #listening: Disposable | undefined;

  constructor(world: { core: Core; approvals: Approvals; statusBar: StatusBar; log: Log }) {
    this.#core = world.core;
    this.#approvals = world.approvals;
    this.#statusBar = world.statusBar;
    this.#log = world.log;
    const update = () => void this.#update();
    this.#owned.add(world.core.onDidChange(update));
    this.#owned.add(world.approvals.onDidChange(update));
    this.#owned.add(vscode.workspace.onDidGrantWorkspaceTrust(update));
  }

  dispose(): void {
    this.#listening?.dispose();
    this.#owned.dispose();
  }

  async #update(): Promise<void> {
    const { session } = this.#core;
    this.#listen(session);
    setContext('belay.waiting', this.#approvals.waiting().length > 0);
    setContext('belay.running', session?.running ?? false);
    setContext('belay.canRedo', session?.canRedo() ?? false);
    setContext('belay.canRedoFiles', session?.canRedo('files') ?? false);
    try {
      await this.#draw();
    } catch (error) {
      this.#log.error(`status bar: ${messageOf(error)}`);
    }
  }

  async #draw(): Promise<void> {
    const sandbox = await this.#core.ready?.app.sandbox();
    // What is drawn is read after the wait: it may be another session by now, or none.
    const { session } = this.#core;
    if (!session || !sandbox) return this.#statusBar.idle();
    this.#statusBar.update({
      mode: session.transcript().mode,
      trusted: vscode.workspace.isTrusted,
      running: session.running,
      waiting: this.#approvals.waiting().length,
      sandbox,
    });
  }

  #listen(session: Core['session']): void {
    if (session === this.#session) return;
    this.#session = session;
    this.#listening?.dispose();
    this.#listening = session?.onEvent((event) => {
      if (concernsStatus(event)) void this.#update();
    });
  }
}

function concernsStatus({ type }: AgentEvent): boolean {
  return (
    type === 'turn.started' ||
    type === 'turn.ended' ||
    type === 'mode.changed' ||
    type.startsWith('checkpoint.')
  );
}
