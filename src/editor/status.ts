import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '#base/disposable';
import type { Approvals } from './approvals';
import { setContext } from './context-keys';
import type { Core } from './core';
import type { StatusBar } from './status-bar';

/** Keeps status bar and context keys true to what happens. */
export function watchStatus(core: Core, approvals: Approvals, statusBar: StatusBar): Disposable {
  const owned = new DisposableStore();
  let watched: Disposable | undefined;
  const update = async () => {
    const { session, ready } = core;
    watched?.dispose();
    watched = session?.onEvent((event) => {
      if (
        event.type === 'turn.started' ||
        event.type === 'turn.ended' ||
        event.type === 'mode.changed' ||
        event.type.startsWith('checkpoint.')
      )
        void update();
    });
    const waiting = approvals.waiting().length;
    setContext('belay.waiting', waiting > 0);
    setContext('belay.running', session?.running ?? false);
    setContext('belay.canRedo', session?.canRedo ?? false);
    if (!ready || !session) {
      statusBar.idle();
      return;
    }
    const sandbox = await ready.app.sandbox();
    if (core.session !== session) return;
    const { mode } = session.transcript();
    const trusted = vscode.workspace.isTrusted;
    statusBar.update({ mode, trusted, running: session.running, waiting, sandbox });
  };
  owned.add(core.onDidChange(() => void update()));
  owned.add(approvals.onDidChange(() => void update()));
  owned.add(vscode.workspace.onDidGrantWorkspaceTrust(() => void update()));
  owned.add({ dispose: () => watched?.dispose() });
  return owned;
}
