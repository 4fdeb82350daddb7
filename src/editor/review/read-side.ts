import * as vscode from 'vscode';
import { targetOf } from '#disk/links';
import type { ReadSide } from '#editor/checkpoint-files';
import type { Core } from '#editor/core';
import { readyCore } from '#editor/needs';

/** Reads the sides of comparisons that the core keeps. */
export function sideReader(core: Core): ReadSide {
  return async (query) => {
    const { app, folder } = await readyCore(core);
    switch (query.side) {
      case 'before':
      case 'after':
        return app.checkpointContent(query.checkpoint, query.path, query.side);
      case 'review':
        return app.session(query.session)?.review.baseline(query.path);
      case 'content':
        return app.keptContent(query.sha256);
      case 'link':
        return Buffer.from(query.target);
      case 'now':
        return readNow(vscode.Uri.joinPath(folder.uri, query.path), folder.uri);
    }
  };
}

/** Only files of the folder: an address is a text that anybody can write. Of a link what is written in it, not what it leads to. */
async function readNow(file: vscode.Uri, folder: vscode.Uri): Promise<Uint8Array | undefined> {
  if (!file.path.startsWith(`${folder.path}/`)) return undefined;
  const target = targetOf(file.fsPath);
  if (target !== undefined) return Buffer.from(target);
  return vscode.workspace.fs.readFile(file).then(
    (bytes) => bytes,
    () => undefined,
  );
}
