import * as vscode from 'vscode';
import { t } from '#base/l10n';
import type { Core } from '#editor/core';

/** Opens a file of the folder that the person clicked. A path that leaves the folder, by `..` or by a link, isn't opened. */
export async function openWorkspaceFile(core: Core, path: string, line: number | undefined): Promise<void> {
  const ready = core.ready;
  if (!ready) return;
  const uri = vscode.Uri.joinPath(ready.folder.uri, path);
  const [real, root] = await Promise.all([
    ready.host.files.realPath(uri.fsPath),
    ready.host.files.realPath(ready.folder.uri.fsPath),
  ]);
  if (!real || !root) throw new Error(t('{0} is not there.', path));
  if (real !== root && !real.startsWith(root.endsWith('/') ? root : `${root}/`))
    throw new Error(t('{0} is outside this folder.', path));
  const position = new vscode.Position(Math.max(0, (line ?? 1) - 1), 0);
  await vscode.window.showTextDocument(uri, {
    preview: true,
    ...(line === undefined ? {} : { selection: new vscode.Range(position, position) }),
  });
}

/** Web and mail addresses only; the editor itself asks before it opens a link to an unknown place. */
export async function openLink(url: string): Promise<void> {
  const uri = vscode.Uri.parse(url, true);
  if (!['https', 'http', 'mailto'].includes(uri.scheme))
    throw new Error(t('Only web and mail addresses are opened.'));
  await vscode.env.openExternal(uri);
}
