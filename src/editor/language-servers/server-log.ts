import { truncate } from '#base/text';
import type { Log } from '#host';

/** Lines of one server within the window; what comes beyond is counted, not kept. */
const MOST_LINES = 200;
const WINDOW_MS = 10_000;
const LONGEST_LINE = 2000;

/** What a server says, in Belay's output channel, bounded: a server that talks without end costs a line every ten seconds. */
export class ServerLog {
  readonly #name: string;
  readonly #log: Log;
  readonly #now: () => number;
  #since = Number.NEGATIVE_INFINITY;
  #lines = 0;
  #left = 0;
  #partial = '';

  /** `now` in milliseconds, from any beginning. */
  constructor(name: string, log: Log, now: () => number) {
    this.#name = name;
    this.#log = log;
    this.#now = now;
  }

  /** What Belay itself has to say of it: never left out. */
  state(words: string): void {
    this.#log.info(`language server ${this.#name}: ${words}`);
  }

  /** One message of the server's, of as many lines as it likes. */
  says(message: string): void {
    const now = this.#now();
    if (now - this.#since >= WINDOW_MS) this.#begin(now);
    this.#lines += 1;
    if (this.#lines > MOST_LINES) this.#left += 1;
    else this.#log.debug(`${this.#name}: ${truncate(message.trimEnd(), LONGEST_LINE)}`);
  }

  /** Its stderr, as it comes. A line without an end is cut where it gets too long. */
  stderr(text: string): void {
    const lines = (this.#partial + text).split('\n');
    this.#partial = (lines.pop() ?? '').slice(0, LONGEST_LINE);
    for (const line of lines) if (line.trim() !== '') this.says(line);
  }

  #begin(now: number): void {
    if (this.#left > 0) this.state(`${this.#left} more lines were left out of this log`);
    this.#since = now;
    this.#lines = 0;
    this.#left = 0;
  }
}
