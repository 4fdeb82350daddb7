import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { Disposable } from '#base/disposable';
import { fail, messageOf, ok, type Result } from '#base/result';
import { findExecutable } from './find-executable';
import { beganAt, MARKER } from './process-list';
import { endTree, type ProcessTree } from './process-tree';
import type { Watchdog } from './watchdog';
import { spawnable } from './windows-batch';

/** A program that stays and is spoken to over its streams: an MCP server, a language server. No shell is between. */
export interface StdioProgramRequest {
  /** A name that is looked for in `env.PATH`, or a path; a relative one is meant from `cwd`. */
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Exactly this environment. */
  readonly env: Readonly<Record<string, string>>;
  /** By this its processes are told from others; unique. */
  readonly marker: string;
  /** Ends it when Belay itself is killed. */
  readonly watchdog: Watchdog;
  readonly platform?: NodeJS.Platform;
}

/** How it ended: an exit code, or the signal that killed it. */
export interface StdioProgramEnd {
  readonly code: number | null;
  readonly signal: string | null;
}

/** A program that runs. */
export interface StdioProgram extends Disposable {
  readonly pid: number;
  /** What was started, for logs. */
  readonly file: string;
  /** Errors of the streams are heard already; what is written to a program that is gone is lost. */
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Fulfilled when it has ended, by itself or not; whoever descends from it is ended then too. */
  readonly ended: Promise<StdioProgramEnd>;
  /** Closes its input, then SIGTERM to its whole tree, and after 2 s SIGKILL. Fulfilled when nobody is left. */
  stop(): Promise<void>;
}

/** How long a tree may take to leave after SIGTERM, in milliseconds. */
const TERM_GRACE_MS = 2000;

/** Starts it in a process group of its own. The error says why nothing was started and what to do. */
export async function startStdioProgram(request: StdioProgramRequest): Promise<Result<StdioProgram, string>> {
  const { cwd, env, marker, platform = process.platform } = request;
  const found = findExecutable(request.command, {
    path: variable(env, 'PATH') ?? '',
    cwd,
    platform,
    pathExt: variable(env, 'PATHEXT'),
  });
  if (!found.ok) return found;
  const comSpec = variable(env, 'COMSPEC');
  const started = spawnable(found.value, request.args, { platform, comSpec });
  if (!started.ok) return started;
  const { file, args, verbatim } = started.value;
  try {
    const child = spawn(file, [...args], {
      cwd,
      env: { ...env, [MARKER]: marker },
      detached: process.platform !== 'win32',
      windowsHide: true,
      windowsVerbatimArguments: verbatim,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const problem = await whenStarted(child);
    if (problem !== undefined) return fail(`${found.value} can’t be started: ${problem}`);
    return ok(new RunningProgram(child, found.value, request));
  } catch (error) {
    // Arguments or an environment that are too long are refused before anything starts.
    return fail(`${found.value} can’t be started: ${messageOf(error)}`);
  }
}

/** Names of variables have no case on Windows. */
function variable(env: Readonly<Record<string, string>>, name: string): string | undefined {
  return env[name] ?? env[Object.keys(env).find((key) => key.toUpperCase() === name) ?? ''];
}

/** Undefined once it runs, else why it doesn't. */
function whenStarted(child: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve) => {
    child.once('spawn', () => resolve(undefined));
    child.once('error', (error) => resolve(messageOf(error)));
  });
}

class RunningProgram implements StdioProgram {
  readonly pid: number;
  readonly file: string;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly ended: Promise<StdioProgramEnd>;
  readonly #tree: ProcessTree;
  readonly #watch: Disposable;
  #isGone = false;
  #stopping: Promise<void> | undefined;

  constructor(child: ChildProcess, file: string, { marker, watchdog }: StdioProgramRequest) {
    const { stdin, stdout, stderr, pid } = child;
    if (!stdin || !stdout || !stderr || pid === undefined)
      throw new Error('a started program has its streams');
    this.file = file;
    this.pid = pid;
    this.stdin = stdin;
    this.stdout = stdout;
    this.stderr = stderr;
    this.#tree = { root: pid, marker, since: beganAt(pid), launcher: false };
    this.#watch = watchdog.watch({ root: pid, marker });
    for (const stream of [stdin, stdout, stderr, child]) stream.on('error', () => undefined);
    this.ended = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        this.#isGone = true;
        resolve({ code, signal });
        // What it has started serves nobody any more: `npx` may die and leave the server behind.
        void this.stop();
      });
    });
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#end();
    return this.#stopping;
  }

  dispose(): void {
    void this.stop();
  }

  async #end(): Promise<void> {
    this.stdin.end();
    await endTree(this.#tree, TERM_GRACE_MS, () => this.#isGone);
    this.#watch.dispose();
    this.stdin.destroy();
  }
}
