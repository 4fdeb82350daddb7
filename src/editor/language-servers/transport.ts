import type { Readable, Writable } from 'node:stream';
import type { Message, MessageReader, MessageWriter } from 'vscode-languageclient/node';
import { Emitter } from '#base/emitter';
import { delay } from '#base/queue';
import { messageOf } from '#base/result';
import { BrokenStream, framed, messages } from './frames';
import { received } from './manners';
import type { ServerLog } from './server-log';

/** Both ways to a server, as the client library wants them. */
export interface Transport {
  readonly reader: MessageReader;
  readonly writer: MessageWriter;
}

export interface TransportOptions {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly log: ServerLog;
  /** Changes what goes out, or hands it on as it is. */
  readonly outgoing: (message: Message) => Message;
  /** The server can't be understood, or doesn't listen: it is to be ended. Told once. */
  readonly onBroken: (why: string) => void;
}

/** Messages within a second that are handed on; beyond that the server waits. */
const MOST_PER_SECOND = 5000;
const SECOND_MS = 1000;
/** Bytes that lie in the pipe of a server that doesn't read. */
const MOST_UNREAD = 64 * 1024 * 1024;

/** The streams of a process as a connection that its floods don't get through. */
export function transport(options: TransportOptions): Transport {
  const writer = new Writer(options);
  return { reader: new Reader(options, writer), writer };
}

class Reader implements MessageReader {
  readonly #options: TransportOptions;
  readonly #writer: Writer;
  readonly #errors = new Emitter<Error>();
  readonly #closed = new Emitter<void>();
  readonly #partial = new Emitter<never>();
  readonly onError = this.#errors.event;
  readonly onClose = this.#closed.event;
  readonly onPartialMessage = this.#partial.event;
  #second = 0;
  #count = 0;
  #disposed = false;

  constructor(options: TransportOptions, writer: Writer) {
    this.#options = options;
    this.#writer = writer;
  }

  listen(callback: (message: Message) => void): { dispose(): void } {
    void this.#read(callback);
    return { dispose: () => this.dispose() };
  }

  dispose(): void {
    this.#disposed = true;
  }

  async #read(callback: (message: Message) => void): Promise<void> {
    try {
      for await (const message of messages(this.#options.stdout)) {
        if (this.#disposed) break;
        const reception = received(message);
        if (reception.kind !== 'passed' && reception.note) this.#options.log.says(reception.note);
        if (reception.kind === 'passed') callback(message);
        else if (reception.kind === 'answered' && message.id !== undefined)
          void this.#writer.write({ jsonrpc: '2.0', id: message.id, result: reception.result } as Message);
        await this.#pace();
      }
    } catch (error) {
      if (error instanceof BrokenStream) this.#options.onBroken(error.message);
      this.#errors.emit(error instanceof Error ? error : new Error(messageOf(error)));
    }
    this.#closed.emit();
  }

  /** The library handles one message each time the event loop turns: no more than that is handed to it, so nothing piles up there. */
  async #pace(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    const now = performance.now();
    if (now - this.#second >= SECOND_MS) {
      this.#second = now;
      this.#count = 0;
    }
    this.#count += 1;
    if (this.#count > MOST_PER_SECOND) await delay(SECOND_MS - (now - this.#second));
  }
}

class Writer implements MessageWriter {
  readonly #options: TransportOptions;
  readonly #errors = new Emitter<[Error, Message | undefined, number | undefined]>();
  readonly #closed = new Emitter<void>();
  readonly onError = this.#errors.event;
  readonly onClose = this.#closed.event;
  #isBroken = false;

  constructor(options: TransportOptions) {
    this.#options = options;
  }

  async write(message: Message): Promise<void> {
    const { stdin, outgoing, onBroken } = this.#options;
    if (this.#isBroken || !stdin.writable) return;
    stdin.write(framed(outgoing(message)));
    if (stdin.writableLength <= MOST_UNREAD) return;
    this.#isBroken = true;
    onBroken('it does not read what it is sent');
  }

  end(): void {
    this.#options.stdin.end();
  }

  dispose(): void {
    this.#errors.dispose();
    this.#closed.dispose();
  }
}
