import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '#base/disposable';
import type { ReadyCore } from '#editor/core';
import { oneAtATime } from './one-at-a-time';

const FILES = '{.mcp.json,.vscode/mcp.json}';

/** Has the servers read anew when a place where they are written down changes, or whether they may start at all. */
export function watchConfig(
  { app, folder }: Pick<ReadyCore, 'app' | 'folder'>,
  failed: (error: unknown) => void,
): Disposable {
  const owned = new DisposableStore();
  const look = oneAtATime(() => app.mcp.refresh(), failed);
  const pattern = new vscode.RelativePattern(folder, FILES);
  const watcher = owned.add(vscode.workspace.createFileSystemWatcher(pattern));
  for (const changed of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete])
    owned.add(changed(look));
  owned.add(vscode.workspace.onDidGrantWorkspaceTrust(look));
  owned.add(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('belay.mcp')) look();
    }),
  );
  // The policy forbids servers.
  owned.add(app.settings.onDidChange(look));
  return owned;
}
