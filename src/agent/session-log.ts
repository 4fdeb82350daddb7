import { LiveText } from '#agent/redaction/live-text';
import type { Redactor } from '#agent/redaction/redactor';
import { Emitter, type Event } from '#base/emitter';
import type { Clock } from '#host';
import type { AgentEvent, EventBody, LiveEvent, SessionEvent } from '#protocol/event';
import type { SessionId } from '#protocol/ids';
import type { Message } from '#protocol/message';
import type { LeaseOwner } from '#store/leases';
import type { Store } from '#store/store';
import type { Pace } from './pace';

/** What the log of one session works with. */
export interface SessionLogOptions {
  readonly sessionId: SessionId;
  readonly store: Store;
  /** Who writes; what another has taken over is written no more. */
  readonly owner: LeaseOwner;
  readonly clock: Clock;
  /** Takes secrets out of events; the messages keep what the model saw. */
  readonly redactor: Redactor;
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
  readonly #live: LiveText;
  readonly onEvent: Event<AgentEvent>;

  constructor(options: SessionLogOptions) {
    this.#options = options;
    this.#live = new LiveText(options.redactor);
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

  /** The same for events of one moment: all are recorded or none. The message is the first one's. */
  async recordTogether(bodies: readonly EventBody[], message?: () => Message | undefined): Promise<void> {
    const { pace, store } = this.#options;
    if (pace?.before) for (const body of bodies) await pace.before(body);
    const write = () => bodies.map((body, index) => this.#write(body, index === 0 ? message : undefined));
    const events = this.#owning(() => store.transaction(write));
    for (const event of events) this.#emitter.emit(event);
    if (pace?.after) for (const event of events) await pace.after(event);
  }

  /** The same for callers that can't wait. Throws when the store can't be written. */
  recordNow(body: EventBody, message?: () => Message | undefined): SessionEvent {
    const write = () => this.#write(body, message);
    const event = this.#owning(() => (message ? this.#options.store.transaction(write) : write()));
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
    const shown = this.#live.safe(event);
    if (shown) this.#emitter.emit(shown);
  }

  dispose(): void {
    this.#emitter.dispose();
  }

  /** A word to the model goes with its event. */
  #write(body: EventBody, message?: () => Message | undefined): SessionEvent {
    const { store, sessionId, owner, clock, redactor } = this.#options;
    const event = store.events.appendAs(owner, sessionId, redacted(body, redactor), clock.now());
    if (!event) throw new LeaseLost();
    const said = message?.();
    if (said) store.messages.append(sessionId, said, event.sequence);
    return event;
  }

  /** No window writes a word after another has taken the session. */
  #owning<T>(write: () => T): T {
    try {
      return write();
    } catch (error) {
      if (error instanceof LeaseLost) this.#options.onLeaseLost();
      throw error;
    }
  }
}

/** What a person decides on hides nothing that could run. */
function redacted(body: EventBody, redactor: Redactor): EventBody {
  return body.type === 'approval.requested' ? redactor.asked(body) : redactor.value(body);
}
