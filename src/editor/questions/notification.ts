import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '#base/disposable';
import { t } from '#base/l10n';
import type { EditorLog } from '#editor/log';
import { showFailure } from '#editor/report';
import type { QuestionLine, Turned, WaitingQuestion } from './line';

/** Milliseconds for which the editor shows a notification; behind the bell it stays. */
const SHOWN_MS = 15_000;

/**
 * Tells of one waiting question after the other, quietly. Its first button only shows the question, since a key can press it from
 * anywhere; closed or hidden is no answer, and the question stays in the tree.
 */
export class QuestionNotifications implements Disposable {
  readonly #line: QuestionLine;
  readonly #log: EditorLog;
  readonly #owned = new DisposableStore();
  readonly #told = new Set<number>();
  /** Texts of notifications that haven't gone yet. */
  readonly #open = new Set<string>();
  #shown: { readonly id: number; readonly at: number } | undefined;

  constructor(line: QuestionLine, log: EditorLog) {
    this.#line = line;
    this.#log = log;
    this.#owned.add(line.onDidChange(() => this.#update()));
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #update(): void {
    const waiting = this.#line.waiting();
    const isFree =
      !waiting.some(({ id }) => id === this.#shown?.id) || Date.now() - (this.#shown?.at ?? 0) > SHOWN_MS;
    const next = waiting.find(({ id, attended }) => !attended && !this.#told.has(id));
    if (!isFree || !next) return;
    this.#told.add(next.id);
    this.#shown = { id: next.id, at: Date.now() };
    this.#tell(next, waiting.length).catch((error: unknown) => showFailure(error, this.#log));
  }

  async #tell({ id, sentence }: WaitingQuestion, waiting: number): Promise<void> {
    const [answer, decline] = [t('Answer…'), t('Decline')];
    const text = this.#unique(waiting > 1 ? t('{0} ({1} waiting)', sentence, waiting) : sentence);
    this.#open.add(text);
    const chosen = await vscode.window.showInformationMessage(text, answer, decline);
    this.#open.delete(text);
    if (this.#shown?.id === id) this.#shown = undefined;
    if (chosen === answer) tellTurned(await this.#line.open(id));
    if (chosen === decline) tellTurned(this.#line.refuse(id));
    this.#update();
  }

  /** The editor merges equal texts and answers the first of them by itself: no two may be open. */
  #unique(text: string): string {
    let unique = text;
    for (let times = 2; this.#open.has(unique); times++) unique = `${text} (${times})`;
    return unique;
  }
}

/** Tells why a question didn't open. */
export function tellTurned(turned: Turned): void {
  if (turned === 'gone') vscode.window.setStatusBarMessage(t('This is no longer asked'), 5000);
  if (turned === 'busy')
    vscode.window.setStatusBarMessage(t('Another question is open: answer that one first'), 5000);
}
