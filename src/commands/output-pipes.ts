import { execFile } from 'node:child_process';
import { closeSync, constants, openSync, readSync, rmSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Disposable } from '#base/disposable';
import { isRunning } from '#disk/temporary';

/**
 * Real pipes for what commands print. Node gives its children sockets, and a socket can't be opened by name:
 * `echo x > /dev/stderr`, which many scripts do, would fail. A named pipe can be, and it is read into one buffer over
 * and over, so that a flood leaves no garbage. Names are kept and used again: making them costs a process.
 */
export class OutputPipes implements Disposable {
  #folder: Promise<string> | undefined;
  readonly #free: string[] = [];
  #made = 0;

  /** Undefined where named pipes can't be had; then Node's own streams must do. */
  async take(): Promise<OutputPipe | undefined> {
    if (process.platform === 'win32') return undefined;
    try {
      const path = this.#free.pop() ?? (await this.#make());
      return new OutputPipe(path, (isEmpty) => this.#giveBack(path, isEmpty));
    } catch {
      return undefined;
    }
  }

  dispose(): void {
    const folder = this.#folder;
    this.#folder = undefined;
    this.#free.length = 0;
    void folder?.then(
      (path) => rmSync(path, { recursive: true, force: true }),
      () => undefined,
    );
  }

  /** Several at a time: the next commands need them too. */
  async #make(): Promise<string> {
    this.#folder ??= makeFolder();
    const folder = await this.#folder;
    const names = Array.from({ length: 4 }, () => join(folder, String(this.#made++)));
    await new Promise<void>((resolve, reject) => {
      execFile('mkfifo', ['-m', '600', ...names], (error) => (error ? reject(error) : resolve()));
    });
    const [first, ...rest] = names;
    this.#free.push(...rest);
    return first ?? '';
  }

  /** A pipe that somebody may still write to would mix two commands' outputs. */
  #giveBack(path: string, isEmpty: boolean): void {
    if (isEmpty && this.#folder !== undefined) this.#free.push(path);
    else rmSync(path, { force: true });
  }
}

const PREFIX = 'belay-pipes-';

/** A folder of this process; those of processes that were killed before they could tidy up go with it. */
async function makeFolder(): Promise<string> {
  for (const name of await readdir(tmpdir())) {
    const owner = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1];
    if (owner !== undefined && !isRunning(Number(owner)))
      await rm(join(tmpdir(), name), { recursive: true, force: true });
  }
  return mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
}

/** Where one stream of a command comes from. */
export interface OutputSource {
  /** Everybody who could write has gone, or `destroy` was called. */
  readonly closed: Promise<void>;
  /** The chunk is only good during the call: its memory may be used again. */
  onData(listener: (chunk: Buffer) => void): void;
  /** Takes what has been written so far, now; absent where that can't be done. */
  drain?(): void;
  /** Takes nothing until `resume`: whoever writes has to wait. */
  pause(): void;
  resume(): void;
  destroy(): void;
}

/** Node's own stream of a child as a source. */
export function streamSource(stream: Readable): OutputSource {
  stream.on('error', () => undefined);
  return {
    closed: new Promise((resolve) => stream.once('close', () => resolve())),
    onData: (listener) => void stream.on('data', listener),
    pause: () => void stream.pause(),
    resume: () => void stream.resume(),
    destroy: () => void stream.destroy(),
  };
}

const BUFFER_BYTES = 65_536;
const MOST_IN_PIPE = 1_048_576;

/** One stream of one command, by a named pipe. */
export class OutputPipe implements OutputSource {
  /** For the child's stdio; close it by `started` once the child has it. */
  readonly writeEnd: number;
  readonly #readEnd: number;
  readonly #socket: Socket;
  readonly #release: (isEmpty: boolean) => void;
  #isEmpty = false;
  #isReleased = false;
  #onData: (chunk: Buffer) => void = () => undefined;
  #isWriteEndOpen = true;
  #isPaused = false;
  readonly closed: Promise<void>;

  constructor(path: string, release: (isEmpty: boolean) => void) {
    this.#release = release;
    this.#readEnd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    this.writeEnd = openSync(path, constants.O_WRONLY);
    this.#socket = new Socket({
      fd: this.#readEnd,
      readable: true,
      writable: false,
      onread: {
        buffer: Buffer.allocUnsafe(BUFFER_BYTES),
        callback: (bytes, buffer) => {
          this.#onData(Buffer.from(buffer.buffer, buffer.byteOffset, bytes));
          return !this.#isPaused;
        },
      },
    });
    this.#socket.on('error', () => undefined);
    this.#socket.once('end', () => {
      this.#isEmpty = true;
    });
    this.closed = new Promise((resolve) => this.#socket.once('close', () => resolve()));
    this.#socket.resume();
  }

  onData(listener: (chunk: Buffer) => void): void {
    this.#onData = listener;
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    if (this.#isPaused) this.#socket.resume();
    this.#isPaused = false;
  }

  /** Keeps this process from ending, or doesn't. */
  ref(): void {
    this.#socket.ref();
  }

  unref(): void {
    this.#socket.unref();
  }

  /** A pipe holds no more than this; whoever goes on writing isn't waited for. */
  drain(): void {
    const buffer = Buffer.allocUnsafe(BUFFER_BYTES);
    try {
      for (let left = MOST_IN_PIPE; left > 0 && !this.#socket.destroyed; ) {
        const bytes = readSync(this.#readEnd, buffer);
        if (bytes === 0) return;
        left -= bytes;
        this.#onData(buffer.subarray(0, bytes));
      }
    } catch {
      // Empty: the socket hears of the end.
    }
  }

  /** The child has its end; ours would keep the pipe open for ever. */
  started(): void {
    if (this.#isWriteEndOpen) closeSync(this.writeEnd);
    this.#isWriteEndOpen = false;
  }

  destroy(): void {
    this.started();
    this.#socket.destroy();
    if (!this.#isReleased) this.#release(this.#isEmpty);
    this.#isReleased = true;
  }
}
