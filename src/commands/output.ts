import { headAndTail } from '#base/text';
import { SharedPipeDecoder } from './shared-pipe-decoder';
import { LineSettler, SequenceFilter } from './terminal-text';

/** Characters of output that a result carries. */
export const OUTPUT_LIMIT = 30_000;
/** What is kept for the artifact, head and tail together. In bytes. */
const WHOLE_LIMIT = 5_000_000;
const WHOLE_HEAD = 4_000_000;

export type StreamName = 'stdout' | 'stderr';

export interface CollectedOutput {
  /** Head and tail of what the command printed; at most OUTPUT_LIMIT characters and a line that says what is missing. */
  readonly text: string;
  /** Characters left out of `text`; in a flood, bytes stand for characters. */
  readonly omitted: number;
  /** All of it (in a flood: the first and last megabytes, with a line between) when `text` had to be cut. */
  readonly whole?: string;
  /** Bytes that a flood has lost between the two. */
  readonly lost?: number;
}

/**
 * Gathers both streams of a command in the order in which they came, as people and models read it. Memory is bounded
 * whatever is printed: after WHOLE_HEAD bytes only the last ones are kept, as bytes, and cleaned at the end, so that a
 * flood costs a copy per chunk and never delays a timer.
 */
export class OutputCollector {
  readonly #channels = { stdout: new Channel(), stderr: new Channel() };
  readonly #settler = new LineSettler();
  readonly #onText: ((text: string) => void) | undefined;
  /** As UTF-8: strings of this size would cost twice or four times as much. */
  readonly #head: Buffer[] = [];
  readonly #tail = new Tail(WHOLE_LIMIT - WHOLE_HEAD);
  #headBytes = 0;

  constructor(onText?: (text: string) => void) {
    this.#onText = onText;
  }

  push(stream: StreamName, chunk: Buffer): void {
    if (this.#headBytes >= WHOLE_HEAD) this.#tail.push(chunk);
    else {
      this.#headBytes += chunk.length;
      this.#keep(this.#settler.push(this.#channels[stream].push(chunk)));
    }
  }

  /** Call once, when both streams have ended. */
  finish(): CollectedOutput {
    for (const channel of Object.values(this.#channels)) this.#keep(this.#settler.push(channel.flush()));
    this.#keep(this.#settler.flush());
    const head = Buffer.concat(this.#head).toString();
    this.#head.length = 0;
    if (this.#tail.isEmpty) {
      const cut = headAndTail(head, OUTPUT_LIMIT);
      return cut.omitted === 0 ? cut : { ...cut, whole: head };
    }
    return this.#flooded(head);
  }

  #keep(text: string): void {
    if (text === '') return;
    this.#head.push(Buffer.from(text));
    this.#onText?.(text);
  }

  #flooded(head: string): CollectedOutput {
    const tail = cleaned(this.#tail.bytes());
    const lost = this.#tail.lost;
    const half = OUTPUT_LIMIT / 2;
    const omitted = head.length + lost + tail.length - 2 * half;
    const start = headAndTail(head, 2 * half).text.slice(0, half);
    const end = tail.slice(-half);
    const gap = lost === 0 ? '' : `\n… ${lost} bytes not kept …\n`;
    return {
      text: `${start}\n… ${Math.max(0, omitted)} characters left out …\n${end}`,
      omitted: Math.max(0, omitted),
      whole: `${head}${gap}${tail}`,
      ...(lost === 0 ? {} : { lost }),
    };
  }
}

/** One stream, or a pipe that both share: a decoder that holds half a character back, and a filter that holds half a sequence back. */
class Channel {
  readonly #decoder = new SharedPipeDecoder();
  readonly #filter = new SequenceFilter();

  push(chunk: Buffer): string {
    return this.#filter.push(this.#decoder.write(chunk));
  }

  flush(): string {
    return this.#filter.push(this.#decoder.end()) + this.#filter.flush();
  }
}

/** The last bytes of a flood, in a ring that is made when it is first needed. */
class Tail {
  readonly #limit: number;
  #ring: Buffer | undefined;
  #total = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get isEmpty(): boolean {
    return this.#total === 0;
  }

  /** Bytes that were pushed and are no longer there. */
  get lost(): number {
    return Math.max(0, this.#total - this.#limit);
  }

  push(chunk: Buffer): void {
    this.#ring ??= Buffer.allocUnsafe(this.#limit);
    const kept = chunk.length > this.#limit ? chunk.subarray(chunk.length - this.#limit) : chunk;
    const at = (this.#total + chunk.length - kept.length) % this.#limit;
    const first = kept.copy(this.#ring, at);
    if (first < kept.length) kept.copy(this.#ring, 0, first);
    this.#total += chunk.length;
  }

  /** In order, beginning with a whole character. */
  bytes(): Buffer {
    if (this.#ring === undefined) return Buffer.alloc(0);
    if (this.lost === 0) return this.#ring.subarray(0, this.#total);
    const at = this.#total % this.#limit;
    const all = Buffer.concat([this.#ring.subarray(at), this.#ring.subarray(0, at)]);
    let start = 0;
    while (start < 3 && ((all[start] ?? 0) & 0xc0) === 0x80) start++;
    return all.subarray(start);
  }
}

function cleaned(bytes: Buffer): string {
  const channel = new Channel();
  const settler = new LineSettler();
  return settler.push(channel.push(bytes)) + settler.push(channel.flush()) + settler.flush();
}
