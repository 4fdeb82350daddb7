import * as vscode from 'vscode';
import type { Disposable } from '#base/disposable';
import { t } from '#base/l10n';
import { plainText } from './plain-text';

/** What holds commands now. */
export interface SandboxStatus {
  readonly kind: string;
  readonly active: boolean;
  readonly words: string;
  /** Full access: commands go past the sandbox, whatever it could do. */
  readonly passedBy: boolean;
}

/** Says which sandbox is on, or that none is; why, and what to do, stands in its tooltip and behind a click. */
export class SandboxItem implements Disposable {
  readonly #item: vscode.StatusBarItem;

  constructor() {
    this.#item = vscode.window.createStatusBarItem('belay.sandbox', vscode.StatusBarAlignment.Right, 99);
    this.#item.name = t('Belay: sandbox');
    this.#item.command = { command: 'belay.showSandbox', title: t('Explain the sandbox') };
  }

  /** Undefined where no command can run: then there is nothing to say. */
  update(status: SandboxStatus | undefined): void {
    if (status === undefined) {
      this.#item.hide();
      return;
    }
    const isOn = status.active && !status.passedBy;
    const text = isOn ? status.kind : t('no sandbox');
    this.#item.text = `${isOn ? '$(lock)' : '$(unlock)'} ${text}`;
    this.#item.tooltip = plainText(
      status.passedBy ? t('Full access: commands run without a sandbox') : status.words,
    );
    this.#item.backgroundColor = isOn ? undefined : new vscode.ThemeColor('statusBarItem.warningBackground');
    this.#item.accessibilityInformation = { label: t('Belay: sandbox: {0}', text) };
    this.#item.show();
  }

  dispose(): void {
    this.#item.dispose();
  }
}
