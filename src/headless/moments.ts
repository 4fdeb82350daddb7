import type { EventBody, SessionEvent } from '#protocol/event';
import type { HandWork, PromptStep } from '#protocol/scenario';

/** What happens at a moment, done by the runner. */
export interface MomentActions {
  /** The scenario's id of a call. */
  idOf(callId: string): string | undefined;
  /** Written from outside this process; resolves when it is there. */
  write(files: HandWork): Promise<void>;
  /** Never resolves: this process is killed. */
  killMe(): Promise<never>;
  queue(text: string): void;
  stop(): void;
}

/** A killed call has this long to have had its effect, in milliseconds; one that ends sooner is killed at its end. */
const KILL_AFTER = 1500;
/** A command that is cancelled has this long to say its first word. */
const CANCEL_AFTER = 700;

type Item = { readonly after: string; readonly call?: string | undefined } & Partial<
  PromptStep['during'][number]
> & {
    readonly cancel?: true;
  };

/**
 * Holds the core at the events that a step names and acts there, each once. The core waits for a write or a restart, so the moment
 * is exact. Two are about a call that *runs*: a kill after `tool.started` lets the call do its work and comes before its end is
 * recorded, and a cancel of a command comes at its first output.
 */
export class Moments {
  readonly #actions: MomentActions;
  #waiting: Item[] = [];
  /** Calls whose end must not be recorded any more. */
  readonly #doomed = new Set<string>();
  #cancelling: { readonly callId: string; readonly timer: NodeJS.Timeout } | undefined;

  constructor(actions: MomentActions) {
    this.#actions = actions;
  }

  begin(step: PromptStep): void {
    this.#waiting = [...step.during];
    if (step.cancelAfter) this.#waiting.push({ ...step.cancelAfter, cancel: true });
  }

  /** Items whose event never came, in words. */
  unreached(): readonly string[] {
    return this.#waiting.map(({ after, call }) => `${after}${call === undefined ? '' : ` of ${call}`}`);
  }

  async before(body: EventBody): Promise<void> {
    if (body.type !== 'tool.completed') return;
    if (this.#doomed.has(body.callId)) await this.#actions.killMe();
    if (this.#cancelling?.callId === body.callId) this.#cancelNow();
  }

  async after(event: SessionEvent): Promise<void> {
    const due = this.#waiting.filter((item) => this.#isDue(item, event));
    this.#waiting = this.#waiting.filter((item) => !due.includes(item));
    for (const item of due) {
      if (item.write) await this.#actions.write(item.write);
      if (item.queue !== undefined) this.#actions.queue(item.queue);
      if (item.cancel) this.#cancel(event);
      if (item.restart) await this.#restart(event);
    }
  }

  /** A running call said something. */
  output(callId: string): void {
    if (this.#cancelling?.callId === callId) this.#cancelNow();
  }

  #isDue({ after, call }: Item, event: SessionEvent): boolean {
    if (after !== event.type) return false;
    const callId = callOf(event);
    return call === undefined || (callId !== undefined && this.#actions.idOf(callId) === call);
  }

  async #restart(event: SessionEvent): Promise<void> {
    if (event.type !== 'tool.started') return this.#actions.killMe();
    this.#doomed.add(event.callId);
    setTimeout(() => void this.#actions.killMe(), KILL_AFTER).unref();
  }

  #cancel(event: SessionEvent): void {
    if (event.type !== 'tool.started' || event.risk !== 'execute') {
      this.#actions.stop();
      return;
    }
    this.#cancelling = {
      callId: event.callId,
      timer: setTimeout(() => this.#cancelNow(), CANCEL_AFTER),
    };
  }

  #cancelNow(): void {
    clearTimeout(this.#cancelling?.timer);
    this.#cancelling = undefined;
    this.#actions.stop();
  }
}

function callOf(event: SessionEvent): string | undefined {
  if ('callId' in event) return event.callId;
  return event.type === 'approval.requested' ? event.request.callId : undefined;
}
