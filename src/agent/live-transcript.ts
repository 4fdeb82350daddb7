import { type AgentEvent, isLive, type SessionEvent } from '#protocol/event';
import type { SessionId } from '#protocol/ids';
import { emptyTranscript, foldEvent, foldEvents, type Transcript } from '#protocol/transcript';
import type { Store } from '#store/store';

/** The fold of one session's events, kept while the session is open. */
export class LiveTranscript {
  readonly #store: Store;
  readonly #id: SessionId;
  #folded: Transcript;

  constructor(store: Store, id: SessionId) {
    this.#store = store;
    this.#id = id;
    this.#folded = emptyTranscript(id);
  }

  /** With all that is recorded by now. */
  get(): Transcript {
    this.#folded = foldEvents(this.#folded, this.news());
    return this.#folded;
  }

  /** What was recorded since: another window's events don't come by themselves. */
  news(): readonly SessionEvent[] {
    return this.#store.events.list(this.#id, this.#folded.sequence + 1);
  }

  /** What is only shown and not recorded is kept as well: a page that is drawn in mid-sentence begins with the whole sentence. */
  fold(event: AgentEvent): void {
    const follows = isLive(event) || event.sequence === this.#folded.sequence + 1;
    if (follows) this.#folded = foldEvent(this.#folded, event);
  }
}
