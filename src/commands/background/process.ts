import type { ChildProcess } from 'node:child_process';
import { statSync } from 'node:fs';
import type { Duplex, Readable } from 'node:stream';
import type { Disposable } from '#base/disposable';
import { delay } from '#base/queue';
import { fail, messageOf, ok, type Result } from '#base/result';
import type { Launchers } from '#commands/launchers';
import { type OutputSource, streamSource } from '#commands/output-pipes';
import { BESIDE_FD, SURVIVORS_FD } from '#commands/prelude';
import { beganAt } from '#commands/process-list';
import { endTree, namedAll, type ProcessTree, survivors } from '#commands/process-tree';
import type { Pty } from '#commands/pty';

/** A process to start that nobody waits for; sandbox and prelude included. Its environment must carry the marker. */
export interface LongProcess {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly files?: readonly number[];
  readonly marker: string;
  /** A sandbox's launcher with a process namespace of its own. */
  readonly launcher: boolean;
  readonly terminal?: Pty;
  readonly launchers: Launchers;
  readonly serve?: (link: Duplex) => Disposable;
  readonly onOutput: (chunk: Buffer) => void;
}

/** How it ended. */
export interface LongEnd {
  readonly exitCode?: number;
  readonly signal?: string;
  /** Who was alive after its own end and was killed. */
  readonly killed: readonly string[];
}

/** What is still printed after the end is waited for this long. */
const DRAIN_MS = 500;
const SURVIVOR_GRACE_MS = 300;

/** Bytes that are taken in one turn of the pace; beyond it whoever floods has to wait, and the editor doesn't. */
const MOST_IN_TURN = 1_048_576;
const TURN_MS = 100;

/** Starts it. The error says that nothing was started, and why. */
export async function startLong(request: LongProcess): Promise<Result<RunningProcess, string>> {
  const problem = folderProblem(request.cwd);
  if (problem !== undefined) return fail(problem);
  const { terminal, launchers, serve } = request;
  try {
    const launched = await launchers.start({ ...request, hasBeside: serve !== undefined });
    if (!launched.ok) {
      terminal?.destroy();
      return launched;
    }
    const { child, pipe } = launched.value;
    const own = [child.stdout, child.stderr].filter((stream) => stream !== null).map(streamSource);
    const only = terminal ?? pipe;
    return ok(new RunningProcess(child, request, only ? [only] : own));
  } catch (error) {
    terminal?.destroy();
    return fail(messageOf(error));
  }
}

function folderProblem(folder: string): string | undefined {
  try {
    return statSync(folder).isDirectory() ? undefined : `${folder} is not a folder`;
  } catch (error) {
    return messageOf(error);
  }
}

/** A process that runs until it ends or is ended; its whole tree goes with it. */
export class RunningProcess {
  readonly pid: number;
  readonly ended: Promise<LongEnd>;
  readonly #child: ChildProcess;
  readonly #request: LongProcess;
  readonly #sources: readonly OutputSource[];
  readonly #tree: ProcessTree;
  readonly #watched: Disposable | undefined;
  readonly #served: Disposable | undefined;
  readonly #exit = Promise.withResolvers<{ readonly code: number | null; readonly signal: string | null }>();
  #isGone = false;
  #ending: Promise<void> | undefined;
  #taken = 0;
  #pace: NodeJS.Timeout | undefined;

  constructor(child: ChildProcess, request: LongProcess, sources: readonly OutputSource[]) {
    const { marker, launcher, launchers } = request;
    this.pid = child.pid ?? -1;
    this.#child = child;
    this.#request = request;
    this.#sources = sources;
    if (!launcher) this.#watched = launchers.watchdog.watch({ root: this.pid, marker });
    this.#tree = { root: this.pid, marker, since: beganAt(this.pid), launcher };
    const link = child.stdio.at(BESIDE_FD) as Duplex | null | undefined;
    this.#served = link ? request.serve?.(link) : undefined;
    // What the prelude says of survivors is of no use here, but it must not wait for a reader.
    this.#survivors()
      ?.on('error', () => undefined)
      .resume();
    for (const source of sources) source.onData((chunk) => this.#take(chunk));
    child.once('exit', (code, signal) => {
      this.#isGone = true;
      this.#exit.resolve({ code, signal });
    });
    this.ended = this.#end();
  }

  /** Ends the whole tree: SIGTERM, then SIGKILL after `graceMs`. Resolves when all are gone or the kernel keeps one. */
  stop(graceMs: number): Promise<void> {
    if (this.#isGone) return Promise.resolve();
    this.#ending ??= endTree(this.#tree, graceMs, () => this.#isGone).then(() =>
      // What even SIGKILL doesn't end hangs in the kernel: nobody waits for it.
      this.#exit.resolve({ code: null, signal: 'SIGKILL' }),
    );
    return this.#ending;
  }

  async #end(): Promise<LongEnd> {
    const { code, signal } = await this.#exit.promise;
    await this.#ending;
    const killed = await this.#clearAway();
    this.#watched?.dispose();
    this.#served?.dispose();
    await Promise.race([Promise.all(this.#sources.map((source) => source.closed)), delay(DRAIN_MS)]);
    clearTimeout(this.#pace);
    for (const source of this.#sources) source.destroy();
    this.#survivors()?.destroy();
    this.#child.unref();
    return {
      ...(code === null ? {} : { exitCode: code }),
      ...(signal === null ? {} : { signal }),
      killed,
    };
  }

  /** In a process namespace nobody is left; elsewhere children would live on unseen. */
  async #clearAway(): Promise<readonly string[]> {
    const left = await survivors(this.#tree);
    if (left.length === 0) return [];
    const names = await namedAll(left);
    await endTree(this.#tree, SURVIVOR_GRACE_MS, () => true);
    return this.#request.launcher ? [] : names;
  }

  #take(chunk: Buffer): void {
    this.#taken += chunk.length;
    this.#request.onOutput(chunk);
    this.#pace ??= setTimeout(() => {
      this.#pace = undefined;
      if (this.#taken >= MOST_IN_TURN) for (const source of this.#sources) source.resume();
      this.#taken = 0;
    }, TURN_MS);
    if (this.#taken >= MOST_IN_TURN) for (const source of this.#sources) source.pause();
  }

  #survivors(): Readable | undefined {
    return this.#request.launcher
      ? ((this.#child.stdio[SURVIVORS_FD] ?? undefined) as Readable | undefined)
      : undefined;
  }
}
