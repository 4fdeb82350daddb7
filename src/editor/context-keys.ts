import * as vscode from 'vscode';

/** Keys that the manifest's `when` clauses ask for; docs/surface.md says what each means. */
type ContextKey =
  `belay.${'running' | 'waiting' | 'canRedo' | 'canRedoFiles' | 'chatFocused' | 'reviewing' | 'turnDiff' | 'hasMcpServers'}`;

/** Sets what `when` clauses see. */
export function setContext(key: ContextKey, value: boolean): void {
  void vscode.commands.executeCommand('setContext', key, value);
}
