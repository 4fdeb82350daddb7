import { posix as path } from 'node:path';
import * as vscode from 'vscode';
import type { App } from '#app';
import type { Disposable } from '#base/disposable';
import { t } from '#base/l10n';

/** A set of a project's settings files with what was accepted of it before. */
export type ShownSettings = ReturnType<App['settings']['project']>[number];
type ShownFile = ShownSettings['files'][number];

const SCHEME = 'belay-settings';

/**
 * Shows a project's settings as they were when they were read: what a person accepts is what they saw, whatever happens to the file
 * meanwhile.
 */
export class SettingsReview implements vscode.TextDocumentContentProvider, Disposable {
  readonly #texts = new Map<string, string>();
  readonly #registered: vscode.Disposable;

  constructor() {
    this.#registered = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.toString()) ?? '';
  }

  /** Old and new side by side, or the file where there is nothing to compare it with. Only on a person's click. */
  async open(shown: ShownSettings): Promise<void> {
    const changed = shown.files.filter(({ before, after }) => before !== after);
    const [first, ...more] = changed.length > 0 ? changed : shown.files;
    if (!first) return;
    if (more.length > 0) return this.#openAll(shown, [first, ...more]);
    const after = this.#uri(shown, first, 'after');
    if (first.before === undefined || first.before === first.after) {
      await vscode.window.showTextDocument(after, { preview: true });
      return;
    }
    const before = this.#uri(shown, first, 'before');
    await vscode.commands.executeCommand('vscode.diff', before, after, t('{0} (accepted ↔ now)', first.name));
  }

  dispose(): void {
    this.#registered.dispose();
    this.#texts.clear();
  }

  async #openAll(shown: ShownSettings, files: readonly ShownFile[]): Promise<void> {
    const rows = files.map((file): [vscode.Uri, vscode.Uri | undefined, vscode.Uri | undefined] => [
      vscode.Uri.file(file.path),
      file.before === undefined ? undefined : this.#uri(shown, file, 'before'),
      file.after === undefined ? undefined : this.#uri(shown, file, 'after'),
    ]);
    await vscode.commands.executeCommand('vscode.changes', t('Project settings (accepted ↔ now)'), rows);
  }

  /** The file's own name, so that its language is its own; the hash, so that another content is another document. */
  #uri({ set, sha256 }: ShownSettings, file: ShownFile, side: 'before' | 'after'): vscode.Uri {
    const uri = vscode.Uri.from({
      scheme: SCHEME,
      path: path.join('/', file.name),
      query: new URLSearchParams({ set, sha256, side }).toString(),
    });
    this.#texts.set(uri.toString(), file[side] ?? '');
    return uri;
  }
}
