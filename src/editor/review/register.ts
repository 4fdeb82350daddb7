import * as vscode from 'vscode';
import { CHECKPOINT_SCHEME, CheckpointFileSystem, type SideQuery } from '#editor/checkpoint-files';
import { setContext } from '#editor/context-keys';
import type { Core } from '#editor/core';
import type { EditorLog } from '#editor/log';
import { readyCore } from '#editor/needs';
import { traceOf } from '#editor/report';
import { activeTab, originalOf } from './place';

/** What comparisons need of the window: their earlier sides as files, and keys that tell the editor which comparison is open. */
export function registerReview(core: Core, log: EditorLog): vscode.Disposable {
  const files = new CheckpointFileSystem((query) => readSide(core, query));
  const refresh = () =>
    void files.refresh().catch((error: unknown) => log.error(`review: ${traceOf(error)}`));
  const look = () => {
    const side = originalOf(activeTab())?.side;
    setContext('belay.reviewing', side === 'review');
    setContext('belay.turnDiff', side === 'before');
  };
  look();
  return vscode.Disposable.from(
    files,
    core.onDidChange(refresh),
    vscode.window.tabGroups.onDidChangeTabs(look),
    vscode.window.tabGroups.onDidChangeTabGroups(look),
    vscode.workspace.registerFileSystemProvider(CHECKPOINT_SCHEME, files, {
      isReadonly: true,
      isCaseSensitive: true,
    }),
  );
}

async function readSide(
  core: Core,
  query: Exclude<SideQuery, { readonly side: 'nothing' }>,
): Promise<Uint8Array | undefined> {
  const { app, folder } = await readyCore(core);
  switch (query.side) {
    case 'before':
    case 'after':
      return app.checkpointContent(query.checkpoint, query.path, query.side);
    case 'review':
      return app.session(query.session)?.review.baseline(query.path);
    case 'content':
      return app.keptContent(query.sha256);
    case 'now':
      return readNow(vscode.Uri.joinPath(folder.uri, query.path), folder.uri);
  }
}

/** Only files of the folder: an address is a text that anybody can write. */
async function readNow(file: vscode.Uri, folder: vscode.Uri): Promise<Uint8Array | undefined> {
  if (!file.path.startsWith(`${folder.path}/`)) return undefined;
  return vscode.workspace.fs.readFile(file).then(
    (bytes) => bytes,
    () => undefined,
  );
}
