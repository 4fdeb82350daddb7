import type { TurnStatus } from '#protocol/event';
import type { TurnEnd } from './turn';

/** What a session is busy with. One thing at a time: until it ends, no turn begins and nothing is undone. */
export class Occupation {
  #present: { readonly stop: AbortController; readonly end: Promise<TurnStatus> } | undefined;

  /** How it will end; undefined while there is none. */
  get end(): Promise<TurnStatus> | undefined {
    return this.#present?.end;
  }

  /** Begins one; there must be none. `onEnded` is called as soon as there is none any more. */
  begin(work: (signal: AbortSignal) => Promise<TurnEnd>, onEnded: (end: TurnEnd) => void): Promise<TurnEnd> {
    const stop = new AbortController();
    const over = (end: TurnEnd): TurnEnd => {
      this.#present = undefined;
      onEnded(end);
      return end;
    };
    const done = work(stop.signal).then(over, (error: unknown) => {
      over({ status: 'failed' });
      throw error;
    });
    const end = done.then(({ status }) => status);
    // Whoever began it hears of a bug by `done`.
    end.catch(() => undefined);
    this.#present = { stop, end };
    return done;
  }

  stop(reason: unknown): void {
    this.#present?.stop.abort(reason);
  }
}
