import * as vscode from 'vscode';
import { DisposableStore } from '#base/disposable';
import { t } from '#base/l10n';
import { placedWords, placeName } from '#protocol/settings-place';
import type { Core } from './core';
import { explanationText } from './explanation-text';
import { readyCore } from './needs';

const SCHEME = 'belay-explain';
/** Longer lines are no command that somebody types; the gates would still read them. */
const LONGEST = 100_000;

/**
 * *Explain a Command*: asks for a command line and shows, in one read-only page that is used again, how every gate would judge it here and
 * now. Nothing is run.
 */
export class ExplainCommand implements vscode.TextDocumentContentProvider, vscode.DocumentLinkProvider {
  readonly #core: Core;
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #owned = new DisposableStore();
  readonly #uri = vscode.Uri.from({ scheme: SCHEME, path: `/${t('Command explained')}` });
  #command = '';
  #text = '';
  /** The settings files by the names that the page gives them. */
  #files: ReadonlyMap<string, string> = new Map();

  readonly onDidChange = this.#changed.event;

  constructor(core: Core) {
    this.#core = core;
    this.#owned.add(this.#changed);
    this.#owned.add(vscode.workspace.registerTextDocumentContentProvider(SCHEME, this));
    this.#owned.add(vscode.languages.registerDocumentLinkProvider({ scheme: SCHEME }, this));
  }

  /** Asks for the command unless one is given. */
  async run(given?: string): Promise<void> {
    const { app } = await readyCore(this.#core);
    const { session } = this.#core;
    const command = given ?? (await this.#ask());
    if (command === undefined || command.trim() === '' || !session) return;
    if (command.length > LONGEST) throw new Error(t('That command is too long to be explained.'));
    this.#command = command;
    const explained = await session.explain(command);
    this.#text = explanationText(command, explained);
    this.#files = new Map(app.settings.current().map(({ name, path }) => [name, path]));
    this.#changed.fire(this.#uri);
    await vscode.window.showTextDocument(this.#uri, { preview: true });
  }

  provideTextDocumentContent(): string {
    return this.#text;
  }

  /** Each settings file leads to the line that is meant. */
  provideDocumentLinks(document: vscode.TextDocument): vscode.DocumentLink[] {
    const links: vscode.DocumentLink[] = [];
    let offset = 0;
    for (const part of placedWords(document.getText())) {
      const words = typeof part === 'string' ? part : placeName(part);
      const path = typeof part === 'string' ? undefined : this.#files.get(part.name);
      if (typeof part !== 'string' && path !== undefined) {
        const range = new vscode.Range(
          document.positionAt(offset),
          document.positionAt(offset + words.length),
        );
        const fragment = part.line === undefined ? '' : `L${part.line}`;
        links.push(new vscode.DocumentLink(range, vscode.Uri.file(path).with({ fragment })));
      }
      offset += words.length;
    }
    return links;
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #ask(): Thenable<string | undefined> {
    return vscode.window.showInputBox({
      title: t('Explain a Command'),
      prompt: t('Shows how every gate would judge it. Nothing is run.'),
      placeHolder: 'npm test && git push',
      value: this.#command,
    });
  }
}
