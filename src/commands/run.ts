import type { ChildProcess } from 'node:child_process';
import { statSync } from 'node:fs';
import { type Duplex, Readable } from 'node:stream';
import type { Disposable } from '#base/disposable';
import { delay } from '#base/queue';
import { fail, messageOf, ok, type Result } from '#base/result';
import type { Launch, Launchers } from './launchers';
import { type CollectedOutput, OutputCollector, type StreamName } from './output';
import { type OutputPipe, type OutputSource, streamSource } from './output-pipes';
import { ALONE, BESIDE_FD, SURVIVORS_FD } from './prelude';
import { beganAt } from './process-list';
import { endTree, named, namedAll, type ProcessTree, survivors } from './process-tree';

/** A process to start, sandbox and prelude included. Its environment must carry the marker. */
export interface ProcessRequest extends Launch {
  readonly marker: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly onOutput?: (text: string) => void;
  readonly launchers: Launchers;
  /** Serves the helper that runs beside the command, over its socket, until all is over. */
  readonly serve?: (link: Duplex) => Disposable;
}

export interface ProcessReport {
  readonly exitCode?: number;
  readonly signal?: string;
  readonly timedOut: boolean;
  readonly cancelled: boolean;
  readonly output: CollectedOutput;
  /** Who was alive after the command's own end and was killed. */
  readonly killed: readonly string[];
}

/** How long the tree of a cancelled or overdue command may take to leave after SIGTERM. */
const TERM_GRACE_MS = 2000;
/** Survivors of a command that ended by itself are given less: the result waits for them. */
const SURVIVOR_GRACE_MS = 300;
/** Children that are just leaving aren't survivors; and what they still print is waited for. */
const SETTLE_MS = 150;
const DRAIN_MS = 500;

/**
 * Runs a process to its end. It resolves when the first process has exited, though its children may keep the pipes:
 * those are killed and named. Time-out and cancel end the whole tree, children in sessions of their own included.
 * Cancelling isn't a failure: the report says so and holds the output so far. The error says that nothing was started.
 */
export async function runProcess(request: ProcessRequest): Promise<Result<ProcessReport, string>> {
  const cwdProblem = folderProblem(request.cwd);
  if (cwdProblem !== undefined) return fail(cwdProblem);
  const launched = await request.launchers.start({ ...request, hasBeside: request.serve !== undefined });
  if (!launched.ok) return launched;
  const { child, pipe } = launched.value;
  return ok(await new RunningCommand(child, request, sourcesOf(child, pipe)).end());
}

type Sources = Partial<Record<StreamName, OutputSource>>;

function sourcesOf(child: ChildProcess, shared: OutputPipe | undefined): Sources {
  if (shared) return { stdout: shared };
  const own = (stream: Readable | null) => streamSource(stream ?? Readable.from([]));
  return { stdout: own(child.stdout), stderr: own(child.stderr) };
}

function folderProblem(folder: string): string | undefined {
  try {
    return statSync(folder).isDirectory() ? undefined : `${folder} is not a folder`;
  } catch (error) {
    return messageOf(error);
  }
}

class RunningCommand {
  readonly #child: ChildProcess;
  readonly #request: ProcessRequest;
  readonly #tree: ProcessTree;
  readonly #output: OutputCollector;
  readonly #sources: readonly OutputSource[];
  readonly #exit = Promise.withResolvers<{ readonly code: number | null; readonly signal: string | null }>();
  readonly #closed: Promise<unknown>;
  readonly #served: Disposable | undefined;
  readonly #watched: Disposable | undefined;
  #isGone = false;
  #isAlone = false;
  #isFinished = false;
  #survivors = '';
  #ending: 'timedOut' | 'cancelled' | undefined;
  #ended: Promise<void> | undefined;

  constructor(child: ChildProcess, request: ProcessRequest, sources: Sources) {
    this.#child = child;
    this.#request = request;
    const root = child.pid ?? -1;
    const { marker, launcher, launchers } = request;
    if (!launcher) this.#watched = launchers.watchdog.watch({ root, marker });
    // A launcher may have waited for long.
    this.#tree = { root, marker, since: beganAt(root), launcher, isOld: launcher };
    this.#output = new OutputCollector(request.onOutput);
    const link = child.stdio.at(BESIDE_FD) as Duplex | null | undefined;
    this.#served = link ? request.serve?.(link) : undefined;
    child.once('exit', (code, signal) => {
      this.#isGone = true;
      this.#served?.dispose();
      this.#exit.resolve({ code, signal });
    });
    this.#sources = Object.values(sources);
    for (const name of ['stdout', 'stderr'] as const)
      sources[name]?.onData((chunk) => {
        if (!this.#isFinished) this.#output.push(name, chunk);
      });
    const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
    this.#closed = Promise.all([closed, ...this.#sources.map((source) => source.closed)]);
    this.#survivorsPipe()?.on('data', (chunk: Buffer) => {
      if (this.#survivors.length < 65_536) this.#survivors += chunk.toString();
      this.#endEarly();
    });
  }

  async end(): Promise<ProcessReport> {
    const stop = () => this.#stop('cancelled');
    const timer = setTimeout(() => this.#stop('timedOut'), this.#request.timeoutMs);
    this.#request.signal.addEventListener('abort', stop, { once: true });
    if (this.#request.signal.aborted) stop();
    const { code, signal } = await this.#exit.promise;
    clearTimeout(timer);
    this.#request.signal.removeEventListener('abort', stop);
    await this.#ended;
    const killed = await this.#clearAway();
    this.#watched?.dispose();
    const gone = within(this.#closed, DRAIN_MS).then(() => this.#letGo());
    if (!this.#isAlone) await gone;
    this.#isFinished = true;
    return {
      ...(code === null ? {} : { exitCode: code }),
      ...(signal === null ? {} : { signal }),
      timedOut: this.#ending === 'timedOut',
      cancelled: this.#ending === 'cancelled',
      output: this.#output.finish(),
      killed,
    };
  }

  /**
   * The prelude is alone: all that was printed is in the pipe, and what the launcher still does, taking the namespace
   * down, nobody needs to wait for. The kill makes it true, should somebody else have spoken for the prelude.
   */
  #endEarly(): void {
    const code = ALONE.exec(this.#survivors)?.[1];
    if (code === undefined || this.#isAlone || this.#sources.some((source) => !source.drain)) return;
    this.#isAlone = true;
    for (const source of this.#sources) source.drain?.();
    this.#child.kill('SIGKILL');
    this.#served?.dispose();
    this.#exit.resolve({ code: Number(code), signal: null });
  }

  #stop(why: 'timedOut' | 'cancelled'): void {
    if (this.#ending !== undefined || this.#isGone || this.#isAlone) return;
    this.#ending = why;
    this.#ended = endTree(this.#tree, TERM_GRACE_MS, () => this.#isGone);
    // What even SIGKILL doesn't end hangs in the kernel: the call goes on without it.
    void this.#ended.then(() => this.#exit.resolve({ code: null, signal: 'SIGKILL' }));
  }

  /** After the command's own end: whoever still lives is killed and named. */
  async #clearAway(): Promise<readonly string[]> {
    if (this.#request.launcher) return this.#clearNamespace();
    let left = await survivors(this.#tree);
    const end = performance.now() + SETTLE_MS;
    while (left.length > 0 && performance.now() < end) {
      await delay(25);
      left = await survivors(this.#tree);
    }
    if (left.length === 0) return [];
    const names = await namedAll(left);
    await endTree(this.#tree, SURVIVOR_GRACE_MS, () => true);
    return names;
  }

  /**
   * In a process namespace whoever is left dies with the launcher, a moment after it. Unless the prelude has said that
   * nobody is left, that moment is waited for: what looks at the workspace next must not see it change.
   */
  async #clearNamespace(): Promise<readonly string[]> {
    if (this.#isAlone) return [];
    await within(this.#closed, SETTLE_MS);
    const names = this.#survivors.split('\n').flatMap((line) => {
      const [, pid, command = ''] = /^(\d+) (.*)$/.exec(line) ?? [];
      return pid === undefined ? [] : [named(command.trim(), Number(pid))];
    });
    if (!ALONE.test(this.#survivors)) await endTree(this.#tree, 0, () => true);
    return this.#ending === undefined ? names : [];
  }

  #survivorsPipe(): Readable | undefined {
    return (this.#child.stdio[SURVIVORS_FD] ?? undefined) as Readable | undefined;
  }

  /** A process that the kernel keeps may hold the pipes for ever: nobody listens any more. */
  #letGo(): void {
    for (const source of this.#sources) source.destroy();
    this.#survivorsPipe()?.destroy();
    this.#served?.dispose();
    this.#child.unref();
  }
}

/** Waits for it, but no longer than that; no timer is left behind. */
function within(work: Promise<unknown>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    void work.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
