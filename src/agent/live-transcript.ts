import { lastPage } from '#agent/history/pages';
import { type AgentEvent, isLive, type SessionEvent } from '#protocol/event';
import type { SessionId } from '#protocol/ids';
import { reshapes } from '#protocol/page';
import type { Transcript } from '#protocol/transcript';
import { foldEvent } from '#protocol/transcript-fold';
import type { Store } from '#store/store';

/** Most turns that are kept while a session goes on, and how many remain when there are more. */
const MOST_TURNS = 240;
const KEPT_TURNS = 120;

/** The end of one session as the fold of its events, kept while the session is open. `before` says how many turns come earlier. */
export class LiveTranscript {
  readonly #store: Store;
  readonly #id: SessionId;
  #folded: Transcript | undefined;
  /** Sequence of the last event that was read here. */
  #seen: number;

  constructor(store: Store, id: SessionId) {
    this.#store = store;
    this.#id = id;
    this.#seen = store.events.last(id);
  }

  /** With all that is recorded by now. */
  get(): Transcript {
    for (const event of this.news()) this.#take(event);
    if (this.#folded) return this.#folded;
    const page = lastPage(this.#store, this.#id);
    this.#folded = page;
    this.#seen = page.sequence;
    return page;
  }

  /** What was recorded since: another window's events don't come by themselves. */
  news(): readonly SessionEvent[] {
    return this.#store.events.list(this.#id, this.#seen + 1);
  }

  /** What is only shown and not recorded is kept as well: a page that is drawn in mid-sentence begins with the whole sentence. */
  fold(event: AgentEvent): void {
    if (isLive(event) || event.sequence === this.#seen + 1) this.#take(event);
  }

  #take(event: AgentEvent): void {
    if (!isLive(event)) this.#seen = event.sequence;
    // Turns that are not kept here may come or go: what counts is read anew at the next look.
    if (!this.#folded || reshapes(event)) this.#folded = undefined;
    else this.#folded = trimmed(foldEvent(this.#folded, event));
  }
}

function trimmed(transcript: Transcript): Transcript {
  if (transcript.turns.length <= MOST_TURNS) return transcript;
  const turns = transcript.turns.slice(-KEPT_TURNS);
  const kept = new Set(turns.map(({ turnId }) => turnId));
  return {
    ...transcript,
    turns,
    approvals: transcript.approvals.filter(({ turnId }) => kept.has(turnId)),
    before: transcript.before + transcript.turns.length - turns.length,
  };
}
