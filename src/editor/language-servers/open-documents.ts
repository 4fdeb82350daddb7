import * as vscode from 'vscode';
import type { VisibleDocuments } from 'vscode-languageclient/node';

/** All open documents as the visible ones: a server that is asked for problems is asked for those without a tab too. */
export class OpenDocuments implements VisibleDocuments {
  readonly #opened = new vscode.EventEmitter<Set<vscode.Uri>>();
  readonly #closed = new vscode.EventEmitter<Set<vscode.Uri>>();
  readonly #listeners = [
    vscode.workspace.onDidOpenTextDocument(({ uri }) => this.#opened.fire(new Set([uri]))),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#closed.fire(new Set([uri]))),
  ];
  readonly onOpen = this.#opened.event;
  readonly onClose = this.#closed.event;

  isActive(document: vscode.TextDocument | vscode.Uri): boolean {
    return vscode.window.activeTextEditor?.document.uri.toString() === uriOf(document).toString();
  }

  isVisible(document: vscode.TextDocument | vscode.Uri): boolean {
    const uri = uriOf(document).toString();
    return vscode.workspace.textDocuments.some((each) => each.uri.toString() === uri);
  }

  getResources(): Set<vscode.Uri> {
    return new Set(vscode.workspace.textDocuments.map(({ uri }) => uri));
  }

  dispose(): void {
    for (const one of [...this.#listeners, this.#opened, this.#closed]) one.dispose();
  }
}

function uriOf(document: vscode.TextDocument | vscode.Uri): vscode.Uri {
  return 'uri' in document ? document.uri : document;
}
