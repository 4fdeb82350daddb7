import * as vscode from 'vscode';
import { t } from '#base/l10n';
import { shownLine, shownRow } from '#editor/questions/shown';
import type { McpPlace, McpServerRow } from '#protocol/mcp';
import type { Mcp } from './control';
import { stateLook, stateWords } from './words';

/** Lets the person pick a server; undefined when they don't. Throws in words for people where there is none. */
export async function pickServer(mcp: Mcp, title: string): Promise<string | undefined> {
  const rows = mcp.servers();
  if (rows.length === 0)
    throw new Error(t('No MCP server is written down. Run “Belay: MCP Servers” to see where.'));
  const items = rows.map((row) => ({
    label: shownRow(row.name, 80),
    description: shownRow(stateWords(row)),
    iconPath: new vscode.ThemeIcon(stateLook(row.state).icon),
    name: row.name,
  }));
  return (await vscode.window.showQuickPick(items, { title }))?.name;
}

/** Opens the place where something is written down, at its line. */
export async function openPlace(place: McpPlace, folder: vscode.Uri): Promise<void> {
  if (place.kind === 'user') {
    await vscode.commands.executeCommand('workbench.action.openSettings', '@id:belay.mcp.servers');
    return;
  }
  const at = new vscode.Position(Math.max(0, place.line - 1), 0);
  await vscode.window.showTextDocument(vscode.Uri.joinPath(folder, place.file), {
    selection: new vscode.Range(at, at),
  });
}

/** Opens `.mcp.json`, or an unsaved one with an example where there is none. */
export async function openConfig(folder: vscode.Uri): Promise<void> {
  const file = vscode.Uri.joinPath(folder, '.mcp.json');
  const isThere = await vscode.workspace.fs.stat(file).then(
    () => true,
    () => false,
  );
  if (isThere) return void (await vscode.window.showTextDocument(file));
  const document = await vscode.workspace.openTextDocument(file.with({ scheme: 'untitled' }));
  const editor = await vscode.window.showTextDocument(document);
  if (document.getText() === '') await editor.insertSnippet(new vscode.SnippetString(EXAMPLE));
}

/** Tells that a server ended by itself, with the way to what it last said. */
export async function tellEnded(row: McpServerRow, showLog: () => Promise<void>): Promise<void> {
  const log = t('Show Log');
  const name = shownLine(row.name, 80);
  // The view and the log have the rest.
  const why = shownLine(row.detail.split(/(?<=[.!?])\s/, 1)[0] ?? '', 160);
  const words =
    row.state === 'failed'
      ? t('The MCP server {0} failed: {1}', name, why)
      : t('The MCP server {0} ended and is started again: {1}', name, why);
  if ((await vscode.window.showWarningMessage(words, log)) === log) await showLog();
}

const EXAMPLE = `{
  "mcpServers": {
    "\${1:memory}": {
      "command": "\${2:npx}",
      "args": [\${3:"-y", "@modelcontextprotocol/server-memory"}]
    }
  }
}
`;
