import { type ChildProcess, spawn } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';

/** A program of ours (ripgrep, mkfifo), started without a shell. Not for commands of the model: those run in run.ts. */
export interface ProgramRequest {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Exactly this environment; when absent, PATH alone. */
  readonly env?: Readonly<Record<string, string>>;
  /** Its stdin; empty when absent. */
  readonly input?: string;
  /** Kills it; the outcome then says `stopped`. */
  readonly signal?: AbortSignal;
  /** Most bytes of stdout that are taken; more of them kill it. */
  readonly maxBytes?: number;
  /** Each line of stdout as it comes, without its line feed; then `stdout` stays empty. `stop` kills the program. */
  readonly onLine?: (line: string) => 'stop' | undefined;
}

export interface ProgramOutcome {
  /** Absent when a signal ended it. */
  readonly exitCode?: number;
  readonly stdout: string;
  /** Its first 64 KB. */
  readonly stderr: string;
  /** It was killed: it had said enough, said too much, or the signal aborted. */
  readonly stopped: boolean;
}

const MOST_BYTES = 64 * 1024 * 1024;
const MOST_STDERR = 64 * 1024;

/** Runs a program to its end, or until it has said enough. Rejects only when it can't be started. */
export function runProgram(request: ProgramRequest): Promise<ProgramOutcome> {
  const child = spawn(request.file, [...request.args], {
    cwd: request.cwd,
    env: { ...(request.env ?? { PATH: process.env['PATH'] ?? '' }) },
    windowsHide: true,
    stdio: [request.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  return new ProgramRun(child, request).outcome();
}

class ProgramRun {
  readonly #child: ChildProcess;
  readonly #request: ProgramRequest;
  readonly #decoder = new StringDecoder('utf8');
  readonly #errors: Buffer[] = [];
  #text = '';
  #bytes = 0;
  #errorBytes = 0;
  #stopped = false;

  constructor(child: ChildProcess, request: ProgramRequest) {
    this.#child = child;
    this.#request = request;
    child.stdout?.on('data', (chunk: Buffer) => this.#take(chunk));
    child.stderr?.on('data', (chunk: Buffer) => this.#takeError(chunk));
    // A program that ends before it has read all of its input is no failure of ours.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(request.input ?? '');
  }

  outcome(): Promise<ProgramOutcome> {
    const { signal } = this.#request;
    const stop = () => this.#stop();
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) stop();
    return new Promise<ProgramOutcome>((resolve, reject) => {
      this.#child.once('error', reject);
      this.#child.once('close', (code) => {
        this.#endLines();
        const stderr = Buffer.concat(this.#errors).toString();
        const stdout = this.#request.onLine ? '' : this.#text;
        resolve({ ...(code === null ? {} : { exitCode: code }), stdout, stderr, stopped: this.#stopped });
      });
    }).finally(() => signal?.removeEventListener('abort', stop));
  }

  #take(chunk: Buffer): void {
    if (this.#stopped) return;
    const room = (this.#request.maxBytes ?? MOST_BYTES) - this.#bytes;
    const searched = this.#text.length;
    this.#bytes += chunk.length;
    this.#text += this.#decoder.write(chunk.length > room ? chunk.subarray(0, room) : chunk);
    if (this.#request.onLine) this.#giveLines(searched);
    if (chunk.length > room) this.#stop();
  }

  /** What was searched before holds no line feed. */
  #giveLines(searched: number): void {
    let from = 0;
    for (let end = this.#text.indexOf('\n', searched); end >= 0; end = this.#text.indexOf('\n', from)) {
      const line = this.#text.slice(from, end);
      from = end + 1;
      if (this.#request.onLine?.(line) === 'stop') {
        this.#stop();
        break;
      }
    }
    this.#text = this.#text.slice(from);
  }

  /** A last line without a line feed counts, unless it was cut by stopping. */
  #endLines(): void {
    if (this.#stopped) return;
    this.#text += this.#decoder.end();
    if (this.#request.onLine && this.#text !== '') this.#request.onLine(this.#text);
  }

  #takeError(chunk: Buffer): void {
    if (this.#errorBytes < MOST_STDERR) this.#errors.push(chunk.subarray(0, MOST_STDERR - this.#errorBytes));
    this.#errorBytes += chunk.length;
  }

  #stop(): void {
    this.#stopped = true;
    this.#child.kill('SIGKILL');
    // A grandchild may hold the pipe; the outcome doesn't wait for it.
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
  }
}
