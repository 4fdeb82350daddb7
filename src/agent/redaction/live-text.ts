import type { LiveEvent } from '#protocol/event';
import type { Redactor } from './redactor';
import type { HeldText } from './stream';

/**
 * What is shown while it happens, without secrets, also those that come in pieces: the end of a reply's text waits while it may
 * be the beginning of one. What still waits at the reply's end isn't told: the recorded event says it all again.
 */
export class LiveText {
  readonly #redactor: Redactor;
  /** The text that comes in now. */
  #current: { readonly key: string; readonly stream: HeldText } | undefined;

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  /** Undefined where nothing can be shown yet. */
  safe(event: LiveEvent): LiveEvent | undefined {
    if (event.type !== 'live.text') return this.#redactor.value(event);
    const key = `${event.requestId} ${event.kind}`;
    if (this.#current?.key !== key) this.#current = { key, stream: this.#redactor.stream() };
    const delta = this.#current.stream.push(event.delta);
    return delta === '' ? undefined : { ...event, delta };
  }
}
