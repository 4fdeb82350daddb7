import nodePath from 'node:path';
import * as vscode from 'vscode';
import { t } from '#base/l10n';
import type { Core } from '#editor/core';
import { readyCore } from '#editor/needs';

/** Opens a file of the folder that the person clicked. A path that leaves the folder, by `..` or by a link, isn't opened. */
export async function openWorkspaceFile(core: Core, path: string, line: number | undefined): Promise<void> {
  const { folder, host } = await readyCore(core);
  const uri = vscode.Uri.joinPath(folder.uri, path);
  const [real, root] = await Promise.all([
    host.files.realPath(uri.fsPath),
    host.files.realPath(folder.uri.fsPath),
  ]);
  if (!real || !root) throw new Error(t('{0} is not there.', path));
  if (isOutside(real, root)) throw new Error(t('{0} is outside this folder.', path));
  if ((await host.files.stat(real))?.kind === 'folder') {
    await vscode.commands.executeCommand('revealInExplorer', uri);
    return;
  }
  await openAt(uri, line);
}

/** Opens a settings file that counts, or counted a moment ago, by the name that traces give it: nothing else is opened by it. */
export async function openSettingsFile(core: Core, name: string, line: number | undefined): Promise<void> {
  const { app } = await readyCore(core);
  await app.settings.refresh();
  const file = app.settings.current().find((each) => each.name === name);
  if (!file) throw new Error(t('{0} is not there, or Belay does not read it now.', name));
  await openAt(vscode.Uri.file(file.path), line);
}

/** The editor chooses how: an image isn't text. */
async function openAt(uri: vscode.Uri, line: number | undefined): Promise<void> {
  const position = new vscode.Position(Math.max(0, (line ?? 1) - 1), 0);
  const selection = line === undefined ? {} : { selection: new vscode.Range(position, position) };
  await vscode.commands.executeCommand('vscode.open', uri, { preview: true, ...selection });
}

function isOutside(file: string, folder: string): boolean {
  const way = nodePath.relative(folder, file);
  return way === '..' || way.startsWith(`..${nodePath.sep}`) || nodePath.isAbsolute(way);
}

/** Web and mail addresses only; the editor itself asks before it opens a link to an unknown place. */
export async function openLink(url: string): Promise<void> {
  const uri = vscode.Uri.parse(url, true);
  if (!['https', 'http', 'mailto'].includes(uri.scheme))
    throw new Error(t('Only web and mail addresses are opened.'));
  await vscode.env.openExternal(uri);
}
