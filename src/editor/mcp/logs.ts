import * as vscode from 'vscode';
import type { Disposable } from '#base/disposable';
import { t } from '#base/l10n';
import type { Mcp } from './control';
import { fileName } from './file-name';

const SCHEME = 'belay-mcp-log';
/** Milliseconds between two looks at a log that is open: a server may write without a pause. */
const PAUSE_MS = 400;

/** Each server's log as a read-only document that grows while it is open. */
export class McpLogs implements vscode.TextDocumentContentProvider, Disposable {
  readonly #mcp: () => Mcp | undefined;
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #registered: Disposable;
  #pause: NodeJS.Timeout | undefined;

  readonly onDidChange = this.#changed.event;

  constructor(mcp: () => Mcp | undefined) {
    this.#mcp = mcp;
    this.#registered = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  }

  provideTextDocumentContent({ query }: vscode.Uri): string {
    return this.#mcp()?.log(query) || t('Nothing has happened yet.');
  }

  async open(server: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${fileName(server)}.log`, query: server });
    this.#changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    const end = document.lineAt(document.lineCount - 1).range.end;
    await vscode.window.showTextDocument(document, { preview: true, selection: new vscode.Range(end, end) });
  }

  refresh(): void {
    this.#pause ??= setTimeout(() => {
      this.#pause = undefined;
      for (const { uri } of vscode.workspace.textDocuments)
        if (uri.scheme === SCHEME) this.#changed.fire(uri);
    }, PAUSE_MS);
  }

  dispose(): void {
    clearTimeout(this.#pause);
    this.#registered.dispose();
    this.#changed.dispose();
  }
}
