import * as vscode from 'vscode';
import { CHECKPOINT_SCHEME, type CheckpointFileSystem } from '#editor/checkpoint-files';
import { setContext } from '#editor/context-keys';
import { activeTab, originalOf } from './active-tab';

/** What comparisons need of the window: their earlier sides as files, and keys that tell the editor which comparison is open. */
export function registerReview(files: CheckpointFileSystem): vscode.Disposable {
  const look = () => {
    const side = originalOf(activeTab())?.side;
    setContext('belay.reviewing', side === 'review');
    setContext('belay.turnDiff', side === 'before');
  };
  look();
  return vscode.Disposable.from(
    files,
    vscode.window.tabGroups.onDidChangeTabs(look),
    vscode.window.tabGroups.onDidChangeTabGroups(look),
    vscode.workspace.registerFileSystemProvider(CHECKPOINT_SCHEME, files, {
      isReadonly: true,
      isCaseSensitive: true,
    }),
  );
}
