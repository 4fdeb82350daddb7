import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { delay } from '#base/queue';
import { messageOf } from '#base/result';
import { beganAt, MARKER } from './process-list';
import { endTree, type ProcessTree } from './process-tree';
import type { Shell } from './shell';

/** A hook of the person's: their own program, run outside the sandbox. */
export interface HookProcess {
  readonly command: string;
  readonly shell: Pick<Shell, 'file' | 'args'>;
  readonly cwd: string;
  /** Exactly this environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Its stdin; whether it reads that is its own affair. */
  readonly input: string;
  /** By this its processes are told from others; unique. */
  readonly marker: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** How a hook ended. */
export type HookEnd =
  | { readonly kind: 'exited'; readonly code: number; readonly stdout: HookText; readonly stderr: HookText }
  | { readonly kind: 'killed'; readonly signal: string }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'not-started'; readonly why: string };

/** What it printed; `cut` when there was more than is kept. */
export interface HookText {
  readonly text: string;
  readonly cut: boolean;
}

/** Bytes that are kept of what a hook prints; the rest is read and dropped, so that a flood ends by itself. */
const MOST_STDOUT = 1024 * 1024;
const MOST_STDERR = 64 * 1024;
/** How long the tree of an overdue hook may take to leave after SIGTERM, in milliseconds. */
const TERM_GRACE_MS = 1000;
/** What is still in the pipes when the hook has ended is waited for, a child that keeps them open is not. */
const DRAIN_MS = 150;
/** A child that was left may print for ever. */
const MOST_DRAIN_MS = 1000;

/** On this descriptor the guard waits for a word from Belay. */
const GUARD_FD = 3;
/**
 * Becomes the hook. Beside it stays a guard that ends the hook's process group when Belay itself is gone: then nobody is left
 * to mind its time. The guard is no child of the hook and holds none of its pipes.
 */
const GUARDED = `( { read -r _ <&3 || kill -KILL 0; } </dev/null >/dev/null 2>&1 & ); exec 3<&-; exec "$@"`;

/**
 * Runs a hook to its end. Never rejects. At a time-out or stop its whole process tree is ended; what a hook that ended by itself
 * has left running stays: it is the person's own.
 */
export function runHookProcess(request: HookProcess): Promise<HookEnd> {
  if (request.signal.aborted) return Promise.resolve({ kind: 'cancelled' });
  const { file, args } = argv(request);
  try {
    const child = spawn(file, args, {
      cwd: request.cwd,
      env: { ...request.env, [MARKER]: request.marker },
      detached: !isWindows(),
      windowsHide: true,
      stdio: ['pipe', 'pipe', 'pipe', ...(isWindows() ? [] : ['pipe' as const])],
    });
    return new RunningHook(child, request).end();
  } catch (error) {
    // A command line that is too long or holds a NUL is refused before anything starts.
    return Promise.resolve({ kind: 'not-started', why: messageOf(error) });
  }
}

function argv({ shell, command }: HookProcess): { readonly file: string; readonly args: string[] } {
  if (isWindows()) return { file: shell.file, args: [...shell.args, command] };
  return { file: '/bin/sh', args: ['-c', GUARDED, 'belay', shell.file, ...shell.args, command] };
}

function isWindows(): boolean {
  return process.platform === 'win32';
}

class RunningHook {
  readonly #child: ChildProcess;
  readonly #request: HookProcess;
  readonly #tree: ProcessTree;
  readonly #stdout = new Kept(MOST_STDOUT);
  readonly #stderr = new Kept(MOST_STDERR);
  readonly #ended = Promise.withResolvers<HookEnd>();
  readonly #closed: Promise<unknown>;
  #isGone = false;
  #stopping = false;

  constructor(child: ChildProcess, request: HookProcess) {
    this.#child = child;
    this.#request = request;
    child.on('error', (error) => this.#ended.resolve({ kind: 'not-started', why: error.message }));
    const root = child.pid ?? -1;
    this.#tree = { root, marker: request.marker, since: beganAt(root), launcher: false };
    child.stdout?.on('data', (chunk: Buffer) => this.#stdout.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => this.#stderr.push(chunk));
    // A hook that ends before it has read its input, or never reads it, is no failure; nor is a pipe that breaks.
    for (const stream of child.stdio ?? []) stream?.on('error', () => undefined);
    // Not the process's own `close`: that waits for the guard too.
    this.#closed = Promise.all([child.stdout, child.stderr].map(whenClosed));
    child.once('exit', (code, signal) => void this.#exited(code, signal));
    child.stdin?.end(request.input);
  }

  async end(): Promise<HookEnd> {
    const { signal, timeoutMs } = this.#request;
    const stop = () => void this.#stop('cancelled');
    const timer = setTimeout(() => void this.#stop('timed-out'), timeoutMs);
    signal.addEventListener('abort', stop, { once: true });
    const end = await this.#ended.promise;
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    this.#letGo();
    return end;
  }

  async #exited(code: number | null, signal: string | null): Promise<void> {
    this.#isGone = true;
    if (this.#stopping) return;
    await this.#drain();
    this.#ended.resolve(
      code === null
        ? { kind: 'killed', signal: signal ?? '' }
        : { kind: 'exited', code, stdout: this.#stdout.text(), stderr: this.#stderr.text() },
    );
  }

  /** A guard's answer must not be lost on a busy machine: what is in the pipes is read until nothing more comes. */
  async #drain(): Promise<void> {
    let isClosed = false;
    void this.#closed.then(() => {
      isClosed = true;
    });
    await Promise.race([this.#closed, delay(DRAIN_MS)]);
    const end = performance.now() + MOST_DRAIN_MS;
    for (let read = -1; !isClosed && read !== this.#read() && performance.now() < end; ) {
      read = this.#read();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  #read(): number {
    return this.#stdout.bytes + this.#stderr.bytes;
  }

  async #stop(kind: 'timed-out' | 'cancelled'): Promise<void> {
    if (this.#stopping || this.#isGone) return;
    this.#stopping = true;
    await endTree(this.#tree, TERM_GRACE_MS, () => this.#isGone);
    this.#ended.resolve({ kind });
  }

  /** Sends the guard away and reads no more: a child that was left may hold the pipes for ever. */
  #letGo(): void {
    const guard = this.#child.stdio?.[GUARD_FD];
    if (guard && 'end' in guard) guard.end('\n');
    for (const stream of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) stream?.destroy();
    this.#child.unref();
  }
}

function whenClosed(stream: Readable | null): Promise<void> {
  return new Promise((resolve) => (stream ? stream.once('close', resolve) : resolve()));
}

/** The first bytes of a stream. */
class Kept {
  readonly #limit: number;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  push(chunk: Buffer): void {
    if (this.#bytes < this.#limit) this.#chunks.push(chunk.subarray(0, this.#limit - this.#bytes));
    this.#bytes += chunk.length;
  }

  /** How many came, kept or not. */
  get bytes(): number {
    return this.#bytes;
  }

  text(): HookText {
    return { text: Buffer.concat(this.#chunks).toString(), cut: this.#bytes > this.#limit };
  }
}
