import type { Disposable } from '#base/disposable';
import { Emitter, type Event } from '#base/emitter';
import type { Prompter } from '#host';
import type { AnsweredBy, ApprovalAnswer, ApprovalRequest } from '#protocol/approval';

/** What became of an answer: it decided, or somebody was faster, or the question is gone. */
export type AnswerFate =
  | { readonly kind: 'decided' }
  | { readonly kind: 'late'; readonly answer: ApprovalAnswer['answer']; readonly by: AnsweredBy }
  | { readonly kind: 'unknown' };

interface Pending {
  readonly request: ApprovalRequest;
  readonly resolve: (value: { answer: ApprovalAnswer; by: AnsweredBy }) => void;
}

/** How many answered questions are remembered, to tell a late answer what was decided. */
const REMEMBERED = 200;

/**
 * All open questions of this window. Card, notification, status bar and keys all answer here:
 * the first answer counts, bound to the request's id and the hash of exactly that input.
 */
export class Approvals implements Prompter, Disposable {
  readonly #pending = new Map<string, Pending>();
  readonly #answered = new Map<string, { answer: ApprovalAnswer['answer']; by: AnsweredBy }>();
  readonly #changed = new Emitter<void>();

  /** A question came, was answered, or was withdrawn. */
  readonly onDidChange: Event<void> = this.#changed.event;

  ask(request: ApprovalRequest, signal: AbortSignal): Promise<{ answer: ApprovalAnswer; by: AnsweredBy }> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const withdraw = () => {
        this.#pending.delete(request.id);
        this.#changed.emit();
        reject(signal.reason);
      };
      signal.addEventListener('abort', withdraw, { once: true });
      this.#pending.set(request.id, {
        request,
        resolve: (value) => {
          signal.removeEventListener('abort', withdraw);
          resolve(value);
        },
      });
      this.#changed.emit();
    });
  }

  /** Open questions, oldest first. */
  waiting(): readonly ApprovalRequest[] {
    return [...this.#pending.values()].map(({ request }) => request);
  }

  answer(id: string, inputSha256: string, answer: ApprovalAnswer, by: AnsweredBy): AnswerFate {
    const pending = this.#pending.get(id);
    if (!pending) {
      const earlier = this.#answered.get(id);
      return earlier ? { kind: 'late', ...earlier } : { kind: 'unknown' };
    }
    if (pending.request.inputSha256 !== inputSha256) return { kind: 'unknown' };
    this.#pending.delete(id);
    this.#remember(id, { answer: answer.answer, by });
    pending.resolve({ answer, by });
    this.#changed.emit();
    return { kind: 'decided' };
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #remember(id: string, decision: { answer: ApprovalAnswer['answer']; by: AnsweredBy }): void {
    this.#answered.set(id, decision);
    const oldest = this.#answered.keys().next();
    if (this.#answered.size > REMEMBERED && !oldest.done) this.#answered.delete(oldest.value);
  }
}
