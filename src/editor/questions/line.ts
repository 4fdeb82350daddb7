import type { Disposable } from '#base/disposable';
import { Emitter } from '#base/emitter';

/** A question that waits for the person, as notification and tree show it. */
export interface WaitingQuestion {
  readonly id: number;
  /** Who asks: "the MCP server github". */
  readonly from: string;
  /** One sentence, with nothing hidden in it. */
  readonly sentence: string;
  /** The person has just asked for what it is about: it opened by itself, and nothing needs to tell of it. */
  readonly attended: boolean;
}

/** What a question does when the person turns to it. */
export interface AskedQuestion extends Omit<WaitingQuestion, 'id' | 'attended'> {
  /** Shows it; when it is fulfilled the question has left the line. */
  open(): Promise<void>;
  refuse(): void;
}

/** What came of turning to a question. `busy`: another one is open, and two can't be. */
export type Turned = 'done' | 'gone' | 'busy';

/** More waiting ones than a person would read: whoever asks beyond them gets no answer. */
const MOST = 20;
const MOST_OF_ONE = 5;

/**
 * The questions of others that wait, oldest first. None opens by itself, but for those that a person's own click brought about;
 * notification and tree open them here.
 */
export class QuestionLine implements Disposable {
  readonly #changed = new Emitter<void>();
  readonly #asked = new Map<number, AskedQuestion & { readonly attended: boolean }>();
  readonly #attended = new Set<string>();
  #last = 0;
  #open = false;

  readonly onDidChange = this.#changed.event;

  waiting(): readonly WaitingQuestion[] {
    return [...this.#asked].map(([id, { from, sentence, attended }]) => ({ id, from, sentence, attended }));
  }

  hasRoomFor(from: string): boolean {
    const own = [...this.#asked.values()].filter((asked) => asked.from === from).length;
    return this.#asked.size < MOST && own < MOST_OF_ONE;
  }

  /** The question leaves the line when this is disposed. */
  add(asked: AskedQuestion): Disposable {
    const id = ++this.#last;
    const attended = this.#attended.has(asked.from) && !this.#open;
    this.#asked.set(id, { ...asked, attended });
    this.#changed.emit();
    if (attended) void this.open(id);
    return {
      dispose: () => {
        if (this.#asked.delete(id)) this.#changed.emit();
      },
    };
  }

  /** Until this is disposed, what this one asks is what the person waits for, and opens. */
  attend(from: string): Disposable {
    this.#attended.add(from);
    return { dispose: () => this.#attended.delete(from) };
  }

  /** Only on a person's click. */
  async open(id: number): Promise<Turned> {
    const asked = this.#asked.get(id);
    if (!asked) return 'gone';
    if (this.#open) return 'busy';
    this.#open = true;
    try {
      await asked.open();
    } finally {
      this.#open = false;
    }
    return 'done';
  }

  refuse(id: number): Turned {
    const asked = this.#asked.get(id);
    if (!asked) return 'gone';
    asked.refuse();
    return 'done';
  }

  dispose(): void {
    for (const asked of [...this.#asked.values()]) asked.refuse();
    this.#asked.clear();
    this.#changed.dispose();
  }
}
