import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '#base/disposable';
import { t } from '#base/l10n';
import type { ApprovalRequest } from '#protocol/approval';
import type { Approvals } from './approvals';
import { notificationText } from './notification-text';

/**
 * Shows the oldest open question as one notification (the editor shows three at most and drops the rest).
 * Its first button is harmless, since a key can press it from anywhere; closed or hidden is no answer.
 */
export class ApprovalNotifications implements Disposable {
  readonly #approvals: Approvals;
  readonly #review: (request: ApprovalRequest) => Promise<void>;
  readonly #disposables = new DisposableStore();
  readonly #shownTexts = new Map<string, number>();
  #showing: string | undefined;

  constructor(approvals: Approvals, review: (request: ApprovalRequest) => Promise<void>) {
    this.#approvals = approvals;
    this.#review = review;
    this.#disposables.add(approvals.onDidChange(() => this.#update()));
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #update(): void {
    const waiting = this.#approvals.waiting();
    const next = waiting[0];
    if (!next || next.id === this.#showing) return;
    this.#showing = next.id;
    void this.#show(next, waiting.length);
  }

  async #show(request: ApprovalRequest, waiting: number): Promise<void> {
    const { text, whole } = notificationText(request);
    const [review, allow, deny] = [t('Review'), t('Allow Once'), t('Deny')];
    const buttons = whole ? [review, allow, deny] : [review];
    const choice = await vscode.window.showInformationMessage(
      this.#unique(waiting > 1 ? t('{0} ({1} waiting)', text, waiting) : text),
      ...buttons,
    );
    if (choice === review) return this.#review(request);
    if (choice !== allow && choice !== deny) return;
    const fate = this.#approvals.answer(
      request.id,
      request.inputSha256,
      { answer: choice === allow ? 'allow-once' : 'deny-once' },
      'notification',
    );
    if (fate.kind !== 'decided') void vscode.window.setStatusBarMessage(lateWords(fate), 5000);
  }

  /** The editor merges equal texts and answers the first of them by itself: no two may be the same. */
  #unique(text: string): string {
    const times = (this.#shownTexts.get(text) ?? 0) + 1;
    this.#shownTexts.set(text, times);
    return times === 1 ? text : `${text} (${times})`;
  }
}

function lateWords(fate: { kind: 'late'; answer: string; by: string } | { kind: 'unknown' }): string {
  if (fate.kind === 'unknown') return t('Belay no longer asks this');
  return fate.answer.startsWith('allow')
    ? t('Already allowed in the panel')
    : t('Already denied in the panel');
}
