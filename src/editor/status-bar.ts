import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '#base/disposable';
import { t } from '#base/l10n';
import type { Mode } from '#protocol/settings';
import { modeWords } from './mode-words';
import { SandboxItem } from './sandbox-item';

/** What the item tells. */
export interface Status {
  readonly mode: Mode;
  /** In a folder that isn't trusted everything is read-only, whatever the mode says. */
  readonly trusted: boolean;
  readonly running: boolean;
  readonly waiting: number;
  readonly sandbox: { readonly kind: string; readonly active: boolean; readonly words: string };
}

/** One item for state and mode, one for the sandbox. Warning colour only for full access and for a missing sandbox. */
export class StatusBar implements Disposable {
  readonly #disposables = new DisposableStore();
  readonly #item: vscode.StatusBarItem;
  readonly #sandbox = this.#disposables.add(new SandboxItem());

  constructor() {
    this.#item = this.#disposables.add(
      vscode.window.createStatusBarItem('belay.status', vscode.StatusBarAlignment.Right, 100),
    );
    this.#item.name = 'Belay';
    this.idle();
    this.#item.show();
  }

  update(status: Status): void {
    const mode = status.trusted ? status.mode : 'read-only';
    const { name } = modeWords(mode);
    const isFull = mode === 'danger-full-access';
    const icon = status.waiting > 0 ? '$(bell)' : status.running ? '$(loading~spin)' : '$(shield)';
    const state = status.waiting > 0 ? t('{0} waiting', status.waiting) : name;
    this.#item.text = `${icon} Belay: ${state}`;
    this.#item.tooltip = `${status.trusted ? t('Mode: {0}', name) : t('Restricted Mode: read only')}\n${t('Sandbox: {0}', status.sandbox.words)}`;
    this.#item.backgroundColor = isFull
      ? new vscode.ThemeColor('statusBarItem.warningBackground')
      : undefined;
    // With a question open it leads to the session that asks.
    const target = status.waiting > 0 ? ['waiting'] : [];
    this.#item.command = { command: 'belay.openChat', title: t('Open the Belay chat'), arguments: target };
    this.#item.accessibilityInformation = { label: this.#item.text.replace(/\$\([^)]*\)\s*/, '') };
    // Nothing runs in a folder that isn't trusted.
    this.#sandbox.update(status.trusted ? { ...status.sandbox, passedBy: isFull } : undefined);
  }

  /** There is no core: nothing to show but the way in. */
  idle(): void {
    this.#item.text = '$(shield) Belay';
    this.#item.tooltip = t('Open the Belay chat');
    this.#item.command = 'belay.openChat';
    this.#item.backgroundColor = undefined;
    this.#item.accessibilityInformation = { label: 'Belay' };
    this.#sandbox.update(undefined);
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}
