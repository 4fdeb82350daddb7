import * as vscode from 'vscode';
import { switched } from './disabled';

const KEY = 'mcp.disabled';

/** Switches servers and tools (`server/tool`) in the person's own settings. */
export async function switchAll(names: readonly string[], on: boolean): Promise<void> {
  const configuration = vscode.workspace.getConfiguration('belay');
  const current: unknown = configuration.get(KEY);
  const list = Array.isArray(current) ? current.filter((name) => typeof name === 'string') : [];
  await configuration.update(KEY, switched(list, names, on), vscode.ConfigurationTarget.Global);
}
