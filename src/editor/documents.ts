import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '#base/disposable';
import type { Documents, Files } from '#host';
import type { AbsolutePath } from '#protocol/ids';

/**
 * What the person has open and not saved. Paths are real paths: a file opened through a link counts as its target,
 * so real paths are looked up when a document opens or changes, never while a tool waits.
 */
export class EditorDocuments implements Documents, Disposable {
  readonly #realPaths = new Map<string, AbsolutePath>();
  readonly #disposables = new DisposableStore();

  readonly #files: Pick<Files, 'realPath'>;

  constructor(files: Pick<Files, 'realPath'>) {
    this.#files = files;
    for (const document of vscode.workspace.textDocuments) this.#learn(document);
    this.#disposables.add(vscode.workspace.onDidOpenTextDocument((document) => this.#learn(document)));
    this.#disposables.add(vscode.workspace.onDidChangeTextDocument(({ document }) => this.#learn(document)));
    this.#disposables.add(
      vscode.workspace.onDidCloseTextDocument((document) => this.#realPaths.delete(document.uri.fsPath)),
    );
  }

  /** The open document of that file; one with a tab or not. Other schemes may carry the same path, so the scheme counts. */
  find(path: AbsolutePath): vscode.TextDocument | undefined {
    return vscode.workspace.textDocuments.find(
      (document) => isOnDisk(document) && !document.isClosed && this.#pathOf(document) === path,
    );
  }

  /** An unsaved notebook of that path: it isn't a text document but its changes are the person's all the same. */
  dirtyNotebook(path: AbsolutePath): boolean {
    return vscode.workspace.notebookDocuments.some(
      (notebook) => notebook.isDirty && notebook.uri.scheme === 'file' && notebook.uri.fsPath === path,
    );
  }

  dirtyText(path: AbsolutePath): string | undefined {
    const document = this.find(path);
    return document?.isDirty ? document.getText() : undefined;
  }

  dirtyPaths(): readonly AbsolutePath[] {
    return vscode.workspace.textDocuments
      .filter((document) => isOnDisk(document) && document.isDirty)
      .map((document) => this.#pathOf(document));
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #pathOf(document: vscode.TextDocument): AbsolutePath {
    return this.#realPaths.get(document.uri.fsPath) ?? (document.uri.fsPath as AbsolutePath);
  }

  #learn(document: vscode.TextDocument): void {
    const path = document.uri.fsPath;
    if (!isOnDisk(document) || this.#realPaths.has(path)) return;
    this.#realPaths.set(path, path as AbsolutePath);
    this.#files.realPath(path).then(
      (real) => real && this.#realPaths.set(path, real),
      () => undefined,
    );
  }
}

function isOnDisk(document: vscode.TextDocument): boolean {
  return document.uri.scheme === 'file';
}
