import { type Disposable, toDisposable } from '#base/disposable';

/** So many others are named; beyond that it matters only that there were some. */
const NAMED = 20;

/** One command while it runs. Disposing it says that it has ended. */
export interface CommandAtWork extends Disposable {
  /** What ran beside it at any moment since it began, in words; empty when it was alone. At most 20 are named. */
  others(): readonly string[];
}

interface Running {
  readonly words: string;
  /** In the order they were met, each wording once. */
  readonly others: Set<string>;
}

/**
 * Which commands run in this folder now, of whatever session of this window, for a turn or in the background. What changes
 * on disk while two of them run may be the work of either.
 */
export class CommandsAtWork {
  readonly #running = new Set<Running>();

  /** Call it before the command can touch anything; `words` name it for people (the command line, without secrets). */
  begin(words: string): CommandAtWork {
    const own: Running = { words, others: new Set() };
    for (const other of this.#running) {
      meet(own, other);
      meet(other, own);
    }
    this.#running.add(own);
    const end = toDisposable(() => this.#running.delete(own));
    return { others: () => [...own.others], dispose: () => end.dispose() };
  }
}

function meet(one: Running, { words }: Running): void {
  if (one.others.size < NAMED) one.others.add(words);
}
