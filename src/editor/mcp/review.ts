import * as vscode from 'vscode';
import type { Disposable } from '#base/disposable';
import { t } from '#base/l10n';
import { shownLine } from '#editor/questions/shown';
import type { McpQuestion } from '#protocol/mcp';
import { fileName } from './file-name';

const SCHEME = 'belay-mcp';
/** Of the manifest: coloured as JSON, its lines wrapped so that nothing lies out of sight, and no server that finds faults in it. */
const LANGUAGE = 'belay-mcp';
/** Contents kept for tabs that are open: enough for all that a person reviews in one window. */
const MOST = 100;

/** Shows what a server wants accepted as it was when it was asked: what a person accepts is what they saw. */
export class McpReview implements vscode.TextDocumentContentProvider, Disposable {
  readonly #texts = new Map<string, string>();
  readonly #registered: Disposable;

  constructor() {
    this.#registered = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return (
      this.#texts.get(uri.toString()) ?? t('This is no longer asked. Review it anew in the view MCP Servers.')
    );
  }

  /** Old and new side by side, or the content where nothing was accepted before. Only on a person's click. */
  async open(question: McpQuestion): Promise<void> {
    const after = await this.#document(question, 'after', question.after);
    if (question.before === undefined) {
      await vscode.window.showTextDocument(after, { preview: true });
      return;
    }
    const before = await this.#document(question, 'before', question.before);
    const title = t('{0} (accepted ↔ now)', shownLine(nameOf(question), 80));
    await vscode.commands.executeCommand('vscode.diff', before, after, title);
  }

  dispose(): void {
    this.#registered.dispose();
    this.#texts.clear();
  }

  /** The hash makes another content another document. */
  async #document(question: McpQuestion, side: 'before' | 'after', text: string): Promise<vscode.Uri> {
    const uri = vscode.Uri.from({
      scheme: SCHEME,
      path: `/${fileName(nameOf(question))}`,
      query: new URLSearchParams({ sha256: question.sha256, side }).toString(),
    });
    this.#texts.delete(uri.toString());
    this.#texts.set(uri.toString(), text);
    for (const old of [...this.#texts.keys()].slice(0, -MOST)) this.#texts.delete(old);
    await vscode.languages.setTextDocumentLanguage(await vscode.workspace.openTextDocument(uri), LANGUAGE);
    return uri;
  }
}

function nameOf({ server, about }: McpQuestion): string {
  return about === 'tools' ? t('{0} tools', server) : server;
}
