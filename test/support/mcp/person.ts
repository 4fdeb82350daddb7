import type { FormAnswer, FormQuestion, Questions, ValueQuestion, VisitQuestion } from '#host/questions';
import type { Vault } from '#host/sign-in';

/** Somebody who answers as they are told, and remembers what they were asked. */
export interface Person {
  readonly questions: Questions;
  readonly asked: (ValueQuestion | FormQuestion | VisitQuestion)[];
}

/** What the person says to each kind of question; without one they go away. */
export interface PersonAnswers {
  readonly value?: (question: ValueQuestion) => string | undefined;
  readonly form?: (question: FormQuestion, signal: AbortSignal) => FormAnswer | Promise<FormAnswer>;
  readonly visit?: (question: VisitQuestion) => boolean | Promise<boolean>;
}

/** A person in the hands of a test. */
export function person({ value, form, visit }: PersonAnswers): Person {
  const asked: (ValueQuestion | FormQuestion | VisitQuestion)[] = [];
  return {
    asked,
    questions: {
      async value(question) {
        asked.push(question);
        return value?.(question);
      },
      async form(question, signal) {
        asked.push(question);
        return form?.(question, signal) ?? { kind: 'cancelled' };
      },
      async visit(question) {
        asked.push(question);
        return visit?.(question) ?? false;
      },
    },
  };
}

/** A vault in memory; what it holds is the test's to see. */
export function memoryVault(kept: Map<string, string> = new Map()): Vault {
  return {
    get: async (name) => kept.get(name),
    set: async (name, value) => void kept.set(name, value),
    delete: async (name) => void kept.delete(name),
  };
}
