import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '#base/disposable';
import { t } from '#base/l10n';
import type { ApprovalRequest } from '#protocol/approval';
import type { Approvals } from './approvals';
import { lateWords } from './late-answer';
import type { EditorLog } from './log';
import { notificationText } from './notification-text';
import { showFailure } from './report';

/**
 * Shows the oldest open question as one notification (the editor shows three at most and drops the rest).
 * Its first button is harmless, since a key can press it from anywhere; closed or hidden is no answer.
 */
export class ApprovalNotifications implements Disposable {
  readonly #approvals: Approvals;
  readonly #review: (request: ApprovalRequest) => Promise<void>;
  readonly #log: EditorLog;
  readonly #disposables = new DisposableStore();
  /** Texts of notifications that haven't gone yet. */
  readonly #open = new Set<string>();
  #showing: string | undefined;

  constructor(world: {
    approvals: Approvals;
    log: EditorLog;
    /** Brings the question's card before the person. */
    review: (request: ApprovalRequest) => Promise<void>;
  }) {
    this.#approvals = world.approvals;
    this.#review = world.review;
    this.#log = world.log;
    this.#disposables.add(world.approvals.onDidChange(() => this.#update()));
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #update(): void {
    const waiting = this.#approvals.waiting();
    const next = waiting[0];
    if (!next || next.id === this.#showing) return;
    this.#showing = next.id;
    this.#show(next, waiting.length).catch((error: unknown) => showFailure(error, this.#log));
  }

  async #show(request: ApprovalRequest, waiting: number): Promise<void> {
    const { text, whole } = notificationText(request);
    const [review, allow, deny] = [t('Review'), t('Allow Once'), t('Deny')];
    const buttons = whole ? [review, allow, deny] : [review];
    const shown = this.#unique(waiting > 1 ? t('{0} ({1} waiting)', text, waiting) : text);
    this.#open.add(shown);
    const choice = await vscode.window.showInformationMessage(shown, ...buttons);
    this.#open.delete(shown);
    if (choice === review) return this.#review(request);
    if (choice !== allow && choice !== deny) return;
    const answer = choice === allow ? 'allow-once' : 'deny-once';
    const fate = this.#approvals.answer(request.id, request.inputSha256, { answer }, 'notification');
    if (fate.kind !== 'decided') vscode.window.setStatusBarMessage(lateWords(fate), 5000);
  }

  /** The editor merges equal texts and answers the first of them by itself: no two may be open. */
  #unique(text: string): string {
    let shown = text;
    for (let times = 2; this.#open.has(shown); times++) shown = `${text} (${times})`;
    return shown;
  }
}
