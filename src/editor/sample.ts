import * as vscode from 'vscode';
import { t } from '#base/l10n';

/** Copies the bundled sample project to where the person says and opens it. Nothing there is overwritten. */
export async function openSample(context: vscode.ExtensionContext): Promise<void> {
  const parent = await vscode.window.showOpenDialog({
    canSelectFiles: false,
    canSelectFolders: true,
    openLabel: t('Put the Sample Here'),
  });
  if (!parent?.[0]) return;
  const target = vscode.Uri.joinPath(parent[0], 'belay-sample');
  try {
    await vscode.workspace.fs.copy(vscode.Uri.joinPath(context.extensionUri, 'media', 'sample'), target, {
      overwrite: false,
    });
  } catch (error) {
    if (!(error instanceof vscode.FileSystemError && error.code === 'FileExists')) throw error;
  }
  await vscode.commands.executeCommand('vscode.openFolder', target);
}
