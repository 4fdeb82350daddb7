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

/** One thing on its way into the store. */
interface Word {
  /** Writes it, and says what to tell of it. */
  write(): SessionEvent | undefined;
  /** It is recorded, or never will be. */
  over?(): void;
}

/** One session's way out: everything is recorded before anyone sees it. */
export class SessionLog {
  readonly #options: SessionLogOptions;
  readonly #emitter: Emitter<AgentEvent>;
  readonly #live: LiveText;
  /** Goes into the store with the next word, or when the event loop turns. */
  #waiting: readonly Word[] = [];
  #turning: NodeJS.Immediate | undefined;
  /** What waited couldn't be recorded: until something can, nothing waits, so that whoever has the next word hears of it. */
  #isFailing = false;
  /** Recorded and not told yet. */
  readonly #untold: AgentEvent[] = [];
  #isTelling = false;
  readonly onEvent: Event<AgentEvent>;

  constructor(options: SessionLogOptions) {
    this.#options = options;
    this.#live = new LiveText(options.redactor);
    this.#emitter = new Emitter<AgentEvent>((error) => options.onListenerError(error));
    this.onEvent = this.#emitter.event;
  }

  /** An onlooker may hold the session at any event: then nothing is recorded ahead of what it announces. */
  get isHeld(): boolean {
    return this.#options.pace !== undefined;
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
    const { pace } = this.#options;
    if (pace?.before) for (const body of bodies) await pace.before(body);
    const events = this.#record(
      bodies.map((body, index) => this.#writing(body, index === 0 ? message : undefined)),
    );
    if (pace?.after) for (const event of events) await pace.after(event);
  }

  /**
   * The same for what changes nothing and may be forgotten when Belay is killed: a request, a reply, a read. It is recorded and told
   * with the next word, or when the event loop turns, which is while the next request travels; always in order, and always before
   * anything begins that could change something. An onlooker that holds the session sees each at once.
   */
  async recordSoon(bodies: readonly EventBody[], message?: () => Message | undefined): Promise<void> {
    if (this.#options.pace || this.#isFailing) return this.recordTogether(bodies, message);
    const said = message?.();
    this.#wait(
      ...bodies.map((body, index) => this.#writing(body, index === 0 && said ? () => said : undefined)),
    );
  }

  /** The same for what belongs beside the events: a note of what was read. `over`: it is recorded, or never will be. */
  writeSoon(write: () => void, over: () => void): void {
    const word: Word = {
      write() {
        write();
        return undefined;
      },
      over,
    };
    if (this.#options.pace) this.#record([word]);
    else this.#wait(word);
  }

  /** The same for callers that can't wait. Throws when the store can't be written. */
  recordNow(body: EventBody, message?: () => Message | undefined): SessionEvent {
    // A single statement needs no transaction around it.
    const isOne = !message && this.#waiting.length === 0;
    const event = this.#record([this.#writing(body, message)], isOne).at(-1);
    if (!event) throw new Error('what was recorded has no event');
    return event;
  }

  /** Records what waits. Throws when the store can't be written; then it goes on waiting. */
  flush(): void {
    if (this.#waiting.length > 0) this.#record([]);
  }

  /** Tells of events that were recorded elsewhere: an undo records its own. */
  announce(events: readonly SessionEvent[]): void {
    this.#tryFlush();
    this.#tell(events);
  }

  /** Keeps a word to the model that no event tells of. */
  note(message: Message): void {
    const { store, sessionId } = this.#options;
    this.flush();
    store.messages.append(sessionId, message, store.events.last(sessionId));
  }

  /** Shows what is going on; nothing is recorded. */
  tell(event: LiveEvent): void {
    this.#tryFlush();
    // It would come before what it belongs to.
    if (this.#waiting.length > 0) return;
    const shown = this.#live.safe(event);
    if (shown) this.#tell([shown]);
  }

  dispose(): void {
    this.#tryFlush();
    clearImmediate(this.#turning);
    this.#emitter.dispose();
  }

  #wait(...words: readonly Word[]): void {
    this.#waiting = [...this.#waiting, ...words];
    this.#turning ??= setImmediate(() => {
      this.#turning = undefined;
      this.#tryFlush();
    });
  }

  /** Where nobody could hear of a failure: what waits is tried once more with the next word, which fails as well. */
  #tryFlush(): void {
    try {
      this.flush();
    } catch {
      this.#isFailing = true;
    }
  }

  /** What waited and then these, all or none; everyone is told once it is recorded. The events of these come back. */
  #record(words: readonly Word[], isOne = false): readonly SessionEvent[] {
    const waited = this.#waiting.length;
    const all = [...this.#waiting, ...words];
    const write = () => all.map((word) => word.write());
    const written = this.#owning(() => (isOne ? write() : this.#options.store.transaction(write)));
    this.#isFailing = false;
    this.#end(all);
    this.#tell(written.flatMap((event) => event ?? []));
    return written.slice(waited).flatMap((event) => event ?? []);
  }

  /** A word to the model goes with its event. */
  #writing(body: EventBody, message?: () => Message | undefined): Word {
    const { store, sessionId, owner, clock, redactor } = this.#options;
    const at = clock.now();
    return {
      write() {
        const event = store.events.appendAs(owner, sessionId, redacted(body, redactor), at);
        if (!event) throw new LeaseLost();
        const said = message?.();
        if (said) store.messages.append(sessionId, said, event.sequence);
        return event;
      },
    };
  }

  /** No window writes a word after another has taken the session, and none that waited when it takes it back. */
  #owning<T>(write: () => T): T {
    try {
      return write();
    } catch (error) {
      if (error instanceof LeaseLost) {
        // Nor later, should it come back: the other's words stand there by then.
        this.#end(this.#waiting);
        this.#options.onLeaseLost();
      }
      throw error;
    }
  }

  /** They wait no longer. */
  #end(words: readonly Word[]): void {
    this.#waiting = [];
    clearImmediate(this.#turning);
    this.#turning = undefined;
    for (const word of words) word.over?.();
  }

  /** In order: what a listener records comes behind all that was recorded before it. */
  #tell(events: readonly AgentEvent[]): void {
    this.#untold.push(...events);
    if (this.#isTelling) return;
    this.#isTelling = true;
    for (let event = this.#untold.shift(); event; event = this.#untold.shift()) this.#emitter.emit(event);
    this.#isTelling = false;
  }
}

/** What a person decides on hides nothing that could run. */
function redacted(body: EventBody, redactor: Redactor): { readonly body: EventBody; readonly json: string } {
  const json = JSON.stringify(body);
  if (!redactor.mayHold(json)) return { body, json };
  const safe = body.type === 'approval.requested' ? redactor.asked(body) : redactor.value(body);
  return { body: safe, json: safe === body ? json : JSON.stringify(safe) };
}
