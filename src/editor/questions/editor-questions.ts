import type { Disposable } from '#base/disposable';
import { t } from '#base/l10n';
import { messageOf } from '#base/result';
import type { Log } from '#host';
import type { FormAnswer, FormQuestion, Questions, ValueQuestion, VisitQuestion } from '#host/questions';
import { readAddress } from './address';
import { askForm } from './ask-form';
import { askValue } from './ask-value';
import { askVisit } from './ask-visit';
import type { QuestionLine } from './line';
import { atStart, shownLine } from './shown';

/** One question and what its answers are where nobody gives one. */
interface Asked<T> {
  readonly from: string;
  readonly sentence: string;
  /** Shows it; only called when the person turned to it. */
  readonly show: (signal: AbortSignal) => Promise<T>;
  readonly none: T;
  readonly refused: T;
}

/**
 * The questions of servers in this window. Each waits in the line until the person turns to it, there is no box before; a signal that
 * aborts withdraws it, which is no answer.
 */
export class EditorQuestions implements Questions, Disposable {
  readonly #line: QuestionLine;
  readonly #log: Log;
  readonly #open = new Set<() => void>();

  constructor(line: QuestionLine, log: Log) {
    this.#line = line;
    this.#log = log;
  }

  value(question: ValueQuestion, signal: AbortSignal): Promise<string | undefined> {
    const { from, description } = question;
    return this.#ask<string | undefined>(
      {
        from,
        sentence: t('{0} asks for: {1}', atStart(shownLine(from, 80)), shownLine(description)),
        show: (shown) => askValue(question, shown),
        none: undefined,
        refused: undefined,
      },
      signal,
    );
  }

  form(question: FormQuestion, signal: AbortSignal): Promise<FormAnswer> {
    const { from, message } = question;
    return this.#ask<FormAnswer>(
      {
        from,
        sentence: t('{0} asks: {1}', atStart(shownLine(from, 80)), shownLine(message)),
        show: (shown) => askForm(question, shown),
        none: { kind: 'cancelled' },
        refused: { kind: 'declined' },
      },
      signal,
    );
  }

  /** An address that may not be opened isn't asked about. */
  async visit(question: VisitQuestion, signal: AbortSignal): Promise<boolean> {
    const { from, url, why } = question;
    const address = readAddress(url);
    if (!address.ok) {
      this.#log.warn(`questions: ${from} wanted a page opened: ${address.error}`);
      return false;
    }
    const { host } = address.value;
    return this.#ask(
      {
        from,
        sentence: t(
          '{0} wants to open a page of {1}: {2}',
          atStart(shownLine(from, 80)),
          host,
          shownLine(why),
        ),
        show: (shown) => askVisit(question, address.value, shown),
        none: false,
        refused: false,
      },
      signal,
    );
  }

  /** What still waits gets no answer. */
  dispose(): void {
    for (const withdraw of [...this.#open]) withdraw();
  }

  async #ask<T>(asked: Asked<T>, signal: AbortSignal): Promise<T> {
    if (signal.aborted) return asked.none;
    if (!this.#line.hasRoomFor(asked.from)) {
      this.#log.warn(`questions: ${asked.from} asks more than a person can answer; this one is dropped`);
      return asked.none;
    }
    const gone = new AbortController();
    const answered = Promise.withResolvers<T>();
    const withdraw = () => answered.resolve(asked.none);
    this.#open.add(withdraw);
    signal.addEventListener('abort', withdraw, { signal: gone.signal });
    const waiting = this.#line.add({
      from: asked.from,
      sentence: asked.sentence,
      open: async () => answered.resolve(await this.#shown(asked, gone.signal)),
      refuse: () => answered.resolve(asked.refused),
    });
    try {
      return await answered.promise;
    } finally {
      waiting.dispose();
      gone.abort();
      this.#open.delete(withdraw);
    }
  }

  async #shown<T>(asked: Asked<T>, signal: AbortSignal): Promise<T> {
    try {
      return await asked.show(signal);
    } catch (error) {
      this.#log.error(`questions: ${messageOf(error)}`);
      return asked.none;
    }
  }
}
