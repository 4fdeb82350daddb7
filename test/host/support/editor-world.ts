import { createHash } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { diskFiles } from '#disk/files';
import { EditorDocuments } from '#editor/documents';
import { EditorEncodings } from '#editor/encodings';
import { editorFiles } from '#editor/landing';
import type { Files, Log } from '#host';
import type { AbsolutePath, Sha256 } from '#protocol/ids';

/** A folder inside the open workspace, the editor's Files port over it, and what a person has open. */
export interface EditorWorld extends AsyncDisposable {
  readonly files: Files;
  readonly documents: EditorDocuments;
  readonly encodings: EditorEncodings;
  readonly folder: AbsolutePath;
  put(name: string, content: string | Uint8Array, mode?: number): AbsolutePath;
  show(file: string, options?: vscode.TextDocumentShowOptions): Promise<vscode.TextEditor>;
}

/** A log that nobody reads. */
export const SILENT: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

export function editorWorld(): EditorWorld {
  const workspace = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  if (!workspace) throw new Error('the suite needs an open folder');
  const folder = realpathSync(mkdtempSync(path.join(workspace, 'landing-')));
  const disk = diskFiles();
  const documents = new EditorDocuments(disk);
  const encodings = new EditorEncodings(documents, SILENT);
  return {
    files: editorFiles(disk, documents, SILENT),
    documents,
    encodings,
    folder: folder as AbsolutePath,
    put(name, content, mode = 0o644) {
      const file = path.join(folder, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, content);
      chmodSync(file, mode);
      return file as AbsolutePath;
    },
    show: async (file, options) =>
      vscode.window.showTextDocument(vscode.Uri.file(file), { preview: false, ...options }),
    async [Symbol.asyncDispose]() {
      await closeAllEditors();
      encodings.dispose();
      documents.dispose();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function hash(data: string | Uint8Array): Sha256 {
  return createHash('sha256').update(data).digest('hex') as Sha256;
}

export function onDisk(file: string): string {
  return readFileSync(file, 'utf8');
}

const PATIENCE_MS = 60_000;

/** Waits for something that the editor does in its own time. */
export async function eventually(what: string, holds: () => boolean): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end; ) {
    if (holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`did not come to hold: ${what}`);
}

/** Unsaved text is thrown away: a test's own. */
async function closeAllEditors(): Promise<void> {
  for (const document of vscode.workspace.textDocuments) {
    if (!document.isDirty) continue;
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  }
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
}
