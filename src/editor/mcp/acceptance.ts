import * as vscode from 'vscode';
import { t } from '#base/l10n';
import type { EditorLog } from '#editor/log';
import { shownRow } from '#editor/questions/shown';
import { showFailure } from '#editor/report';
import type { McpQuestion } from '#protocol/mcp';
import type { Asked } from './asked';
import type { Mcp } from './control';
import type { McpReview } from './review';
import { acceptanceWords, decisionWords } from './words';

/**
 * Asks whether servers may start and changed tools may be offered. One notification for each content, never modal; accepting is to be
 * had only beside what is accepted, and who says nothing has accepted nothing.
 */
export class McpAcceptance {
  readonly #mcp: () => Mcp | undefined;
  readonly #review: McpReview;
  readonly #asked: Asked;
  readonly #log: EditorLog;
  /** The question of the notification that hasn't gone yet: one at a time, the editor shows three and drops the rest. */
  #telling: McpQuestion | undefined;

  constructor(world: { mcp: () => Mcp | undefined; review: McpReview; asked: Asked; log: EditorLog }) {
    this.#mcp = world.mcp;
    this.#review = world.review;
    this.#asked = world.asked;
    this.#log = world.log;
  }

  /** Tells of the next content that waits and that no window has told of. */
  update(): void {
    const questions = this.#mcp()?.questions() ?? [];
    const telling = this.#telling;
    if (questions.some(({ server, sha256 }) => server === telling?.server && sha256 === telling.sha256))
      return;
    const next = questions.find((question) => !this.#asked.has(question));
    if (!next) return;
    // Noted before it is shown: a window that closes meanwhile has asked.
    this.#asked.add(next);
    this.#telling = next;
    this.#orTell(this.#notify(next, questions.length));
  }

  /** Shows the content, then asks. The first button is harmless: a key can press it from anywhere. */
  async review(question: McpQuestion): Promise<void> {
    // Who looks at it, perhaps from the view, need not be told of it as well.
    this.#asked.add(question);
    await this.#review.open(question);
    const [reject, accept] = [t('Reject'), t('Accept')];
    const chosen = await vscode.window.showInformationMessage(decisionWords(question), reject, accept);
    if (chosen === undefined) return;
    const server = shownRow(question.server, 80);
    const isStill = (await this.#mcp()?.answer(question, chosen === accept)) ?? false;
    const done = chosen === accept ? t('Accepted: {0}', server) : t('Rejected: {0}', server);
    const words = isStill ? done : t('{0} has changed meanwhile, so nothing was answered', server);
    vscode.window.setStatusBarMessage(words, 5000);
  }

  async #notify(question: McpQuestion, waiting: number): Promise<void> {
    const row = this.#mcp()
      ?.servers()
      .find(({ name }) => name === question.server);
    const words = acceptanceWords(question, row);
    const review = t('Review');
    const text = waiting > 1 ? t('{0} ({1} waiting)', words, waiting) : words;
    const chosen = await vscode.window.showInformationMessage(text, review);
    this.#telling = undefined;
    const isStill = this.#mcp()
      ?.questions()
      .some(({ sha256 }) => sha256 === question.sha256);
    if (chosen === review && isStill) await this.review(question);
    else if (chosen === review) vscode.window.setStatusBarMessage(t('This is no longer asked'), 5000);
    this.update();
  }

  #orTell(work: Promise<unknown>): void {
    work.catch((error: unknown) => showFailure(error, this.#log));
  }
}
