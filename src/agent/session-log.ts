import { Emitter, type Event } from '#base/emitter';
import type { Clock } from '#host';
import type { AgentEvent, EventBody, LiveEvent, SessionEvent } from '#protocol/event';
import type { SessionId } from '#protocol/ids';
import type { Message } from '#protocol/message';
import type { LeaseOwner } from '#store/sessions';
import type { Store } from '#store/store';
import type { Pace } from './pace';

export interface SessionLogOptions {
  readonly sessionId: SessionId;
  readonly store: Store;
  /** Who writes; what another has taken over is written no more. */
  readonly owner: LeaseOwner;
  readonly clock: Clock;
  /** Takes secret values out of an event; the messages keep what the model saw. */
  redact<T>(value: T): T;
  readonly pace?: Pace | undefined;
  onListenerError(error: unknown): void;
  onLeaseLost(): void;
}

/** Another window writes to this session now. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** One session's way out: everything is recorded before anyone sees it. */
export class SessionLog {
  readonly #options: SessionLogOptions;
  readonly #emitter: Emitter<AgentEvent>;
  readonly onEvent: Event<AgentEvent>;

  constructor(options: SessionLogOptions) {
    this.#options = options;
    this.#emitter = new Emitter<AgentEvent>((error) => options.onListenerError(error));
    this.onEvent = this.#emitter.event;
  }

  /** Records an event together with the message that it tells of; then tells everyone and waits for the pace. */
  async record(body: EventBody, message?: () => Message | undefined): Promise<SessionEvent> {
    const { pace } = this.#options;
    await pace?.before?.(body);
    const event = this.recordNow(body, message);
    await pace?.after?.(event);
    return event;
  }

  /** The same for callers that can't wait. Throws when the store can't be written. */
  recordNow(body: EventBody, message?: () => Message | undefined): SessionEvent {
    const { store, sessionId, owner, clock, redact } = this.#options;
    const write = () => {
      const event = store.events.appendAs(owner, sessionId, redact(body), clock.now());
      const said = event && message?.();
      if (said) store.messages.append(sessionId, said, event.sequence);
      return event;
    };
    // No window writes a word after another has taken the session, and a word to the model goes with its event.
    const event = message ? store.transaction(write) : write();
    if (!event) {
      this.#options.onLeaseLost();
      throw new LeaseLost();
    }
    this.#emitter.emit(event);
    return event;
  }

  /** Tells of events that were recorded elsewhere: an undo records its own. */
  announce(events: readonly SessionEvent[]): void {
    for (const event of events) this.#emitter.emit(event);
  }

  /** Keeps a word to the model that no event tells of. */
  note(message: Message): void {
    const { store, sessionId } = this.#options;
    store.messages.append(sessionId, message, store.events.last(sessionId));
  }

  /** Shows what is going on; nothing is recorded. */
  tell(event: LiveEvent): void {
    this.#emitter.emit(this.#options.redact(event));
  }

  dispose(): void {
    this.#emitter.dispose();
  }
}
