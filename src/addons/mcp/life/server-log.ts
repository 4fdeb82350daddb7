import { truncate } from '#base/text';
import type { Clock } from '#host';

const MOST_CHARACTERS = 1024 * 1024;
const MOST_LINE = 4000;
/** Lines that are gone are taken off in bulk. */
const BULK = 10_000;

/** The latest that a server printed and what happened to it; older lines make room. */
export class ServerLog {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #changed: () => void;
  #lines: string[] = [];
  #first = 0;
  #characters = 0;
  #hidden: readonly string[] = [];

  constructor(clock: Pick<Clock, 'now'>, changed: () => void) {
    this.#clock = clock;
    this.#changed = changed;
  }

  add(text: string): void {
    const at = new Date(this.#clock.now()).toISOString().slice(11, 19);
    const line = `${at} ${truncate(text, MOST_LINE)}`;
    this.#lines.push(line);
    this.#characters += line.length + 1;
    while (this.#characters > MOST_CHARACTERS) {
      this.#characters -= (this.#lines[this.#first]?.length ?? 0) + 1;
      this.#first += 1;
    }
    if (this.#first > BULK) {
      this.#lines = this.#lines.slice(this.#first);
      this.#first = 0;
    }
    this.#changed();
  }

  /** These are never shown of it. */
  hide(secrets: readonly string[]): void {
    this.#hidden = secrets;
  }

  /** Oldest first, without what was typed for this server; other secrets are still in it. */
  text(): string {
    return this.withoutHidden(this.#lines.slice(this.#first).join('\n'));
  }

  withoutHidden(text: string): string {
    return this.#hidden.reduce((shown, secret) => shown.replaceAll(secret, '[secret]'), text);
  }
}
