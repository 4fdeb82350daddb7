import type { Readable } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { t } from '#base/l10n';
import { delay } from '#base/queue';
import { truncate } from '#base/text';
import type { StdioProgram, StdioProgramEnd } from '#commands/stdio-program';
import { FloodGate, type GatePorts, type MessageGate, messageGate } from './flood-gate';
import { LineReader } from './lines';
import { readMessages } from './messages';

/** Most bytes of one line: a message with 10 MB of text must pass, an endless one must not fill the memory. */
const MOST_LINE = 16 * 1024 * 1024;
const MOST_NOISE = 500;
const DRAIN_MS = 500;
const REST_MS = 50;

/** Speaks JSON-RPC, a message a line, with a program that runs. It ends with the program, and the program with it. */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: <T extends JSONRPCMessage>(message: T) => void;
  /** What its program did that ended it, as a clause for people; undefined as long as it runs, and when we ended it. */
  reason: string | undefined;
  readonly #program: StdioProgram;
  readonly #log: (line: string) => void;
  readonly #lines = new LineReader(MOST_LINE);
  readonly #gate: MessageGate;
  readonly #noiseGate: FloodGate;
  readonly #errorGate: FloodGate;
  readonly #drained = Promise.withResolvers<void>();
  #isClosed = false;

  constructor(program: StdioProgram, ports: GatePorts) {
    this.#program = program;
    this.#log = ports.log;
    this.#gate = messageGate(ports);
    this.#noiseGate = new FloodGate(() => ports.clock.monotonic());
    this.#errorGate = new FloodGate(() => ports.clock.monotonic());
  }

  async start(): Promise<void> {
    const { stdout, stderr, ended } = this.#program;
    stdout.on('data', (chunk: Buffer) => this.#read(chunk));
    const errors = new LineReader(MOST_LINE);
    stderr.on('data', (chunk: Buffer) => {
      const lines = errors.push(chunk);
      for (const line of lines) if (line.kind === 'line') this.#log(line.text);
      // All of it is kept, but no faster than a person's machine can bear.
      if (!lines.every(() => this.#errorGate.passes())) rest(stderr);
    });
    void ended.then((end) => this.#ended(end));
    stdout.once('close', () => {
      this.#drained.resolve();
      void this.#fellSilent();
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const { stdin } = this.#program;
    if (this.#isClosed || !stdin.writable) throw new Error(this.reason ?? t('it is not running'));
    this.#gate.sent(message);
    // A server that doesn't read keeps us waiting no longer than a request may take.
    stdin.write(`${JSON.stringify(message)}\n`);
  }

  async close(): Promise<void> {
    this.#close(undefined);
    await this.#program.stop();
  }

  #read(chunk: Buffer): void {
    for (const line of this.#lines.push(chunk)) {
      if (this.#isClosed) return;
      if (line.kind === 'too-long') {
        this.#close(t('it sent a message of more than 16 MB'));
        void this.#program.stop();
        return;
      }
      const messages = readMessages(line.text);
      const heard = messages?.filter(this.#gate.passes);
      for (const message of heard ?? []) this.onmessage?.(message);
      if (messages ? heard?.length !== messages.length : !this.#noise(line.text)) rest(this.#program.stdout);
    }
  }

  /** Some print what isn't for us: a banner, a warning. It isn't worth a failure. False where it was too much to be told. */
  #noise(text: string): boolean {
    const passes = this.#noiseGate.passes();
    if (passes) this.#log(`(stdout) ${truncate(text, MOST_NOISE)}`);
    return passes;
  }

  /** What it said last is still in the pipe; a child that keeps the pipe open isn't waited for. */
  async #ended({ code, signal }: StdioProgramEnd): Promise<void> {
    await Promise.race([this.#drained.promise, delay(DRAIN_MS)]);
    this.#close(
      code === null ? t('it was ended by {0}', signal ?? '') : t('it ended with exit code {0}', code),
    );
  }

  /** Nobody can hear from it any more, though it may run on; where it is about to end, how it ended says more. */
  async #fellSilent(): Promise<void> {
    await delay(DRAIN_MS);
    this.#close(t('it closed its output'));
  }

  #close(reason: string | undefined): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.reason = reason;
    this.onclose?.();
  }
}

/** Whoever floods a stream waits a while until it is read on. */
function rest(stream: Readable): void {
  if (stream.isPaused()) return;
  stream.pause();
  setTimeout(() => stream.resume(), REST_MS).unref();
}
