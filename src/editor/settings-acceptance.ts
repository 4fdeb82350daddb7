import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '#base/disposable';
import { t } from '#base/l10n';
import type { Core, ReadyCore } from './core';
import type { EditorLog } from './log';
import { readyCore } from './needs';
import { once } from './once';
import { plainText } from './plain-text';
import { showFailure } from './report';
import type { SettingsReview, ShownSettings } from './settings-review';

const FILES = '{.belay,.claude}/settings{,.local}.json';

/**
 * Asks whether what a project's settings allow and run shall count. Once for each content, never modal; nothing opens before the person
 * asks for it, and who says nothing has accepted nothing.
 */
export class SettingsAcceptance implements Disposable {
  readonly #core: Core;
  readonly #log: EditorLog;
  readonly #owned = new DisposableStore();
  /** Contents whose question is on its way: what changes meanwhile must not ask it again. */
  readonly #asking = new Set<string>();
  #watching = new DisposableStore();
  #watched: ReadyCore | undefined;
  readonly #view = once(async (): Promise<SettingsReview> => {
    const { SettingsReview } = await import('#editor/settings-review');
    return this.#owned.add(new SettingsReview());
  });

  constructor(core: Core, log: EditorLog) {
    this.#core = core;
    this.#log = log;
    this.#owned.add(core.onDidChange(() => this.#follow()));
    this.#owned.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.#look()));
  }

  /** The command: shows what waits, else what was answered before, and asks anew. */
  async review(): Promise<void> {
    const { app } = await readyCore(this.#core);
    await app.settings.refresh();
    const order: readonly ShownSettings['verdict'][] = [undefined, 'asked', 'rejected', 'accepted'];
    const [shown] = [...app.settings.project()].sort(
      (one, other) => order.indexOf(one.verdict) - order.indexOf(other.verdict),
    );
    if (shown) return this.#review(shown);
    void vscode.window.showInformationMessage(
      t('Nothing in this folder’s settings files allows or runs anything, so there is nothing to accept.'),
    );
  }

  dispose(): void {
    this.#watching.dispose();
    this.#owned.dispose();
  }

  /** The core of another folder has other files. */
  #follow(): void {
    const { ready } = this.#core;
    if (ready === this.#watched) return;
    this.#watching.dispose();
    this.#watching = new DisposableStore();
    this.#watched = ready;
    if (!ready) return;
    const pattern = new vscode.RelativePattern(ready.folder, FILES);
    const watcher = this.#watching.add(vscode.workspace.createFileSystemWatcher(pattern));
    for (const changed of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete])
      this.#watching.add(changed(() => this.#look()));
    this.#watching.add(ready.app.settings.onDidChange(() => this.#ask(ready)));
    this.#ask(ready);
  }

  #look(): void {
    void this.#core.ready?.app.settings.refresh();
  }

  /** Noted as asked before it is shown: a window that closes meanwhile has asked. */
  #ask({ app }: ReadyCore): void {
    for (const shown of app.settings.project()) {
      if (shown.verdict !== undefined || this.#asking.has(shown.sha256)) continue;
      this.#asking.add(shown.sha256);
      this.#orTell(
        app.settings.answer(shown, 'asked').then((isStill) => (isStill ? this.#notify(shown) : undefined)),
      );
    }
  }

  async #notify(shown: ShownSettings): Promise<void> {
    const review = t('Review');
    const chosen = await vscode.window.showInformationMessage(
      plainText(
        t(
          '{0} of this folder would allow commands or run hooks. It counts once you accept it.',
          names(shown),
        ),
      ),
      review,
    );
    if (chosen === review) await this.#review(shown);
  }

  async #review(shown: ShownSettings): Promise<void> {
    await (await this.#view()).open(shown);
    // The first button is harmless: a key can press it from anywhere.
    const [reject, accept] = [t('Reject'), t('Accept')];
    const [words, buttons] =
      shown.verdict === 'accepted'
        ? [t('You have accepted {0} as shown.', names(shown)), [reject]]
        : [t('Shall {0} count as shown?', names(shown)), [reject, accept]];
    const chosen = await vscode.window.showInformationMessage(plainText(words), ...buttons);
    if (chosen === undefined) return;
    const { app } = await readyCore(this.#core);
    const isStill = await app.settings.answer(shown, chosen === accept ? 'accepted' : 'rejected');
    const done = chosen === accept ? t('Accepted: {0}', names(shown)) : t('Rejected: {0}', names(shown));
    vscode.window.setStatusBarMessage(
      isStill ? done : t('{0} has changed meanwhile, so nothing was answered', names(shown)),
      5000,
    );
  }

  #orTell(work: Promise<unknown>): void {
    work.catch((error: unknown) => showFailure(error, this.#log));
  }
}

function names({ files }: ShownSettings): string {
  return files.map(({ name }) => name).join(', ');
}
