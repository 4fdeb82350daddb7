import * as vscode from 'vscode';
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
      case 'now':
        return readNow(vscode.Uri.joinPath(folder.uri, query.path), folder.uri);
    }
  };
}

/** Only files of the folder: an address is a text that anybody can write. */
async function readNow(file: vscode.Uri, folder: vscode.Uri): Promise<Uint8Array | undefined> {
  if (!file.path.startsWith(`${folder.path}/`)) return undefined;
  return vscode.workspace.fs.readFile(file).then(
    (bytes) => bytes,
    () => undefined,
  );
}
