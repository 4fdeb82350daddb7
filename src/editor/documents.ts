import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '#base/disposable';
import type { Documents, Files, SavesWatch } from '#host';
import type { AbsolutePath } from '#protocol/ids';

/**
 * What the person has open and not saved. Paths are real paths: a file opened through a link counts as its target,
 * so real paths are looked up when a document opens or changes, never while a tool waits.
 */
export class EditorDocuments implements Documents, Disposable {
  readonly #realPaths = new Map<string, AbsolutePath>();
  readonly #files: Pick<Files, 'realPath'>;
  readonly #disposables = new DisposableStore();

  constructor(files: Pick<Files, 'realPath'>) {
    this.#files = files;
    const { workspace } = vscode;
    for (const { uri } of [...workspace.textDocuments, ...workspace.notebookDocuments]) this.#learn(uri);
    for (const heard of [
      workspace.onDidOpenTextDocument(({ uri }) => this.#learn(uri)),
      workspace.onDidChangeTextDocument(({ document }) => this.#learn(document.uri)),
      workspace.onDidCloseTextDocument(({ uri }) => this.#forget(uri)),
      workspace.onDidOpenNotebookDocument(({ uri }) => this.#learn(uri)),
      workspace.onDidCloseNotebookDocument(({ uri }) => this.#forget(uri)),
    ])
      this.#disposables.add(heard);
  }

  /** The open document of that file; one with a tab or not. Other schemes may carry the same path, so the scheme counts. */
  find(path: AbsolutePath): vscode.TextDocument | undefined {
    return vscode.workspace.textDocuments.find(
      (document) => isOnDisk(document) && !document.isClosed && this.#pathOf(document.uri) === path,
    );
  }

  /** The open notebook of that file; one with a tab or not. */
  findNotebook(path: AbsolutePath): vscode.NotebookDocument | undefined {
    return vscode.workspace.notebookDocuments.find(
      (notebook) => isOnDisk(notebook) && !notebook.isClosed && this.#pathOf(notebook.uri) === path,
    );
  }

  /** An unsaved notebook of that path: it isn't a text document but its changes are the person's all the same. */
  dirtyNotebook(path: AbsolutePath): boolean {
    return this.findNotebook(path)?.isDirty ?? false;
  }

  dirtyText(path: AbsolutePath): string | undefined {
    const document = this.find(path);
    return document?.isDirty ? document.getText() : undefined;
  }

  dirtyPaths(): readonly AbsolutePath[] {
    return vscode.workspace.textDocuments
      .filter((document) => isOnDisk(document) && document.isDirty)
      .map((document) => this.#pathOf(document.uri));
  }

  /** A save is told of before and after it: the second word may come when the file has long been looked at. */
  watchSaves(): SavesWatch {
    const paths = new Set<AbsolutePath>();
    const disposables = new DisposableStore();
    const note = (uri: vscode.Uri) => {
      if (uri.scheme === 'file') paths.add(this.#pathOf(uri));
    };
    const { workspace } = vscode;
    for (const heard of [
      workspace.onWillSaveTextDocument(({ document }) => note(document.uri)),
      workspace.onDidSaveTextDocument(({ uri }) => note(uri)),
      workspace.onWillSaveNotebookDocument(({ notebook }) => note(notebook.uri)),
      workspace.onDidSaveNotebookDocument(({ uri }) => note(uri)),
    ])
      disposables.add(heard);
    return { paths: () => paths, dispose: () => disposables.dispose() };
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #pathOf({ fsPath }: vscode.Uri): AbsolutePath {
    return this.#realPaths.get(fsPath) ?? (fsPath as AbsolutePath);
  }

  /** The side of a diff has the same path under another scheme: its end isn't the file's. */
  #forget({ scheme, fsPath }: vscode.Uri): void {
    if (scheme === 'file') this.#realPaths.delete(fsPath);
  }

  #learn({ scheme, fsPath }: vscode.Uri): void {
    if (scheme !== 'file' || this.#realPaths.has(fsPath)) return;
    this.#realPaths.set(fsPath, fsPath as AbsolutePath);
    this.#files.realPath(fsPath).then(
      (real) => {
        // It may have been closed meanwhile.
        if (real && this.#realPaths.has(fsPath)) this.#realPaths.set(fsPath, real);
      },
      () => undefined,
    );
  }
}

function isOnDisk(document: { readonly uri: vscode.Uri }): boolean {
  return document.uri.scheme === 'file';
}
