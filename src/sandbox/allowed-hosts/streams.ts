import { Duplex } from 'node:stream';
import type { Disposable } from '#base/disposable';
import {
  FRAME,
  type Frame,
  type FrameKind,
  FrameReader,
  frameBytes,
  MOST_DATA_BYTES,
  WINDOW_BYTES,
} from './frames';

/** Connections of one command at one time. */
const MOST_CONNECTIONS = 128;
/** Bytes of one command, both ways together: as much as a command may write to one file. */
const MOST_BYTES = 10_000_000_000;

/**
 * The outer end of the socket that leads into the sandbox. What comes from there is written by whoever runs inside: what
 * isn't a frame, or more than was granted, ends all of it.
 */
export class Streams implements Disposable {
  readonly #link: Duplex;
  readonly #opened: (stream: Duplex) => void;
  readonly #reader = new FrameReader();
  readonly #streams = new Map<number, Connection>();
  #bytes = 0;

  constructor(link: Duplex, opened: (stream: Duplex) => void) {
    this.#link = link;
    this.#opened = opened;
    link.on('data', (chunk: Buffer) => this.#take(chunk));
    link.on('error', () => this.dispose());
    link.once('close', () => this.dispose());
  }

  dispose(): void {
    this.#link.destroy();
    const streams = [...this.#streams.values()];
    this.#streams.clear();
    for (const stream of streams) stream.destroy();
  }

  #take(chunk: Buffer): void {
    this.#bytes += chunk.length;
    const frames = this.#reader.read(chunk);
    const isFine =
      frames !== undefined && this.#bytes <= MOST_BYTES && frames.every((frame) => this.#handle(frame));
    if (!isFine) this.dispose();
    else if (this.#link.writableNeedDrain) {
      // Who doesn't read what we answer isn't read either.
      this.#link.pause();
      this.#link.once('drain', () => this.#link.resume());
    }
  }

  /** False when nobody who keeps to the rules would say that. A connection that is gone may still be spoken of. */
  #handle({ kind, connection, value, data }: Frame): boolean {
    const stream = this.#streams.get(connection);
    switch (kind) {
      case FRAME.open:
        return stream === undefined && this.#open(connection);
      case FRAME.data:
        return stream?.receive(data) ?? true;
      case FRAME.end:
        stream?.receiveEnd();
        return true;
      case FRAME.reset:
        stream?.receiveReset();
        return true;
      case FRAME.credit:
        return stream?.receiveCredit(value) ?? true;
      default:
        return false;
    }
  }

  #open(connection: number): boolean {
    if (this.#streams.size >= MOST_CONNECTIONS) {
      this.#link.write(frameBytes(FRAME.reset, connection));
      return true;
    }
    const stream = new Connection({
      send: (kind, value, sent) => this.#send(frameBytes(kind, connection, value), sent),
      closed: () => this.#streams.delete(connection),
    });
    this.#streams.set(connection, stream);
    this.#opened(stream);
    return true;
  }

  #send(bytes: Buffer, sent: () => void): void {
    this.#bytes += bytes.length;
    if (!this.#link.destroyed) this.#link.write(bytes, sent);
  }
}

interface Line {
  /** `sent` is called once the kernel has it. */
  send(kind: FrameKind, value: number | Uint8Array, sent: () => void): void;
  closed(): void;
}

/** One connection from inside, as a stream: it reads no faster than it is read, and sends no more than is granted. */
class Connection extends Duplex {
  readonly #line: Line;
  readonly #waiting: (Buffer | null)[] = [];
  /** Bytes that we may still send, and that may still come. */
  #mayReceive = WINDOW_BYTES;
  #maySend = WINDOW_BYTES;
  #isWanted = false;
  #isReset = false;
  #unsent: { readonly chunk: Buffer; readonly done: () => void } | undefined;

  constructor(line: Line) {
    super();
    this.#line = line;
    // Whoever uses it hears of the end; an error without a listener would end the process.
    this.on('error', () => undefined);
  }

  receive(data: Buffer): boolean {
    if (data.length > this.#mayReceive) return false;
    this.#mayReceive -= data.length;
    this.#waiting.push(data);
    this.#pass();
    return true;
  }

  receiveEnd(): void {
    this.#waiting.push(null);
    this.#pass();
  }

  receiveReset(): void {
    this.#isReset = true;
    this.destroy();
  }

  receiveCredit(bytes: number): boolean {
    this.#maySend += bytes;
    if (this.#maySend > WINDOW_BYTES) return false;
    this.#sendMore();
    return true;
  }

  override _read(): void {
    this.#isWanted = true;
    this.#pass();
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#unsent = { chunk, done };
    this.#sendMore();
  }

  override _final(done: () => void): void {
    this.#line.send(FRAME.end, 0, done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const isOver = this.readableEnded && this.writableFinished;
    if (!isOver && !this.#isReset) this.#line.send(FRAME.reset, 0, () => undefined);
    this.#waiting.length = 0;
    this.#line.closed();
    done(error);
  }

  /** Hands on what has come, as far as it is wanted; only what was handed on makes room for more. */
  #pass(): void {
    while (this.#isWanted && !this.destroyed) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#isWanted = this.push(next);
      if (next === null) return;
      this.#mayReceive += next.length;
      this.#line.send(FRAME.credit, next.length, () => undefined);
    }
  }

  #sendMore(): void {
    const unsent = this.#unsent;
    const part = unsent?.chunk.subarray(0, Math.min(this.#maySend, MOST_DATA_BYTES));
    if (!unsent || !part || (part.length === 0 && unsent.chunk.length > 0)) return;
    this.#unsent = undefined;
    this.#maySend -= part.length;
    this.#line.send(FRAME.data, part, () => {
      if (part.length === unsent.chunk.length) return unsent.done();
      this.#unsent = { ...unsent, chunk: unsent.chunk.subarray(part.length) };
      this.#sendMore();
    });
  }
}
