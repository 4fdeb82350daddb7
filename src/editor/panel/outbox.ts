import type { AgentEvent } from '#protocol/event';

/** Milliseconds for which events are gathered: about one frame, so that tokens don't become messages. */
const GATHER = 16;

/** Gathers a session's events for the page; neighbouring deltas of one reply become one. */
export class Outbox {
  readonly #post: (sessionId: string, events: readonly AgentEvent[]) => void;
  #events: AgentEvent[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(post: (sessionId: string, events: readonly AgentEvent[]) => void) {
    this.#post = post;
  }

  add(event: AgentEvent): void {
    const last = this.#events.at(-1);
    if (
      event.type === 'live.text' &&
      last?.type === 'live.text' &&
      last.requestId === event.requestId &&
      last.kind === event.kind
    ) {
      this.#events[this.#events.length - 1] = { ...last, delta: last.delta + event.delta };
    } else this.#events.push(event);
    this.#timer ??= setTimeout(() => this.flush(), GATHER);
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const events = this.#events;
    this.#events = [];
    const first = events[0];
    if (first) this.#post(first.sessionId, events);
  }

  /** Forgets what wasn't sent: the snapshot that follows says it all. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#events = [];
  }
}
