import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import type { Socket } from 'node:net';
import type { Disposable } from '#base/disposable';
import { fail, messageOf, ok, type Result } from '#base/result';
import { type OutputPipe, OutputPipes } from './output-pipes';
import { BESIDE_FD, SURVIVORS_FD } from './prelude';
import { beganAt } from './process-list';
import { type Pty, sealed } from './pty';
import { Watchdog } from './watchdog';

/** The first of the open files that a launcher is handed. */
const FILES_FD = 4;

/** The same launch in two parts: the first is alike for command after command and may be started before there is one. */
export interface LaunchAhead {
  readonly args: readonly string[];
  /** The rest, the command included. What reads it must do nothing unless all of it has come. */
  readonly told: readonly string[];
  /** The descriptor on which it waits for the rest, each argument ended by a NUL; it lies behind those of the files. */
  readonly toldOn: number;
  /** Open files for one more launch of the kind; whoever starts it closes them. */
  files(): readonly number[];
}

/** A process to start: file and arguments are final. */
export interface Launch {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** A sandbox's launcher with a process namespace of its own; its prelude speaks on SURVIVORS_FD. */
  readonly launcher: boolean;
  readonly files?: readonly number[];
  readonly ahead?: LaunchAhead;
  /** It gets one more socket, at BESIDE_FD; our end is in the child's stdio. */
  readonly hasBeside?: boolean;
  /** Instead of pipes and an empty input. */
  readonly terminal?: Pty;
}

export interface Launched {
  readonly child: ChildProcess;
  /** Both its streams; absent where there are no named pipes: then the child has Node's own. */
  readonly pipe: OutputPipe | undefined;
}

interface Spare extends Launched {
  readonly pipe: OutputPipe;
  readonly key: string;
  /** Its end of `toldOn`. */
  readonly rest: Socket;
}

/** No argument may be longer than 128 KB, its name and its end included. */
const LONGEST_TOLD = 131_000;

/**
 * Milliseconds from a command's start to that of the next launcher. A fork stops this process for as long as a short command lasts
 * (3 ms at 150 MB, 11 at 570), and its result would wait for it. By then a short one is over and its result is on its way to the
 * model, which takes longer than that to think of another; who runs longer doesn't notice.
 */
const PREPARE_AFTER_MS = 100;

/**
 * Starts commands. Forking a process as big as an editor's takes longer than most of what follows; so soon after a sandboxed
 * command began, the launcher of the next one is started, up to where it waits to be told what to run. It ends with
 * Belay: who waits for arguments that end before they have begun finds nothing to run.
 */
export class Launchers implements Disposable {
  /** Ends with Belay what no sandbox ends. */
  readonly watchdog = new Watchdog();
  readonly #pipes = new OutputPipes();
  #spare: Spare | undefined;
  #soon: NodeJS.Timeout | undefined;
  #isPreparing = false;
  #isDisposed = false;

  /** The error says why nothing was started. */
  async start(launch: Launch): Promise<Result<Launched, string>> {
    const { ahead, terminal } = launch;
    const started = (terminal ? undefined : this.#tell(launch)) ?? (await this.#launch(launch));
    if (started.ok && ahead) this.#prepareSoon(launch.file, ahead);
    return started;
  }

  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#soon);
    this.#drop(this.#spare);
    this.#pipes.dispose();
    this.watchdog.dispose();
  }

  /** The launcher that waits, told what to run; undefined when none does that would do. */
  #tell({ file, ahead }: Launch): Result<Launched, string> | undefined {
    const spare = this.#spare;
    if (!spare || !ahead?.told.every(isPlain)) return undefined;
    this.#spare = undefined;
    // One that was just killed, as by a kernel short of memory, hasn't been missed yet.
    if (spare.key !== keyOf(file, ahead) || beganAt(spare.child.pid ?? -1) === 0) {
      this.#drop(spare);
      return undefined;
    }
    const { child, pipe, rest } = spare;
    for (const part of [child, pipe, rest, socketOf(child, SURVIVORS_FD)]) part.ref();
    rest.end(ahead.told.map((argument) => `${argument}\0`).join(''), () => rest.destroy());
    return ok({ child, pipe });
  }

  async #launch(launch: Launch): Promise<Result<Launched, string>> {
    // One pipe for both streams: only so does the order hold in which they were written to.
    const pipe = launch.terminal ? undefined : await this.#pipes.take();
    const child = spawned(launch, pipe, descriptors(launch));
    launch.terminal?.started();
    const problem = await whenStarted(child);
    if (problem === undefined) return ok({ child, pipe });
    pipe?.destroy();
    return fail(problem);
  }

  #prepareSoon(file: string, ahead: LaunchAhead): void {
    clearTimeout(this.#soon);
    this.#soon = setTimeout(() => void this.#prepare(file, ahead), PREPARE_AFTER_MS).unref();
  }

  async #prepare(file: string, ahead: LaunchAhead): Promise<void> {
    if (this.#spare || this.#isPreparing || this.#isDisposed) return;
    this.#isPreparing = true;
    try {
      const pipe = await this.#pipes.take();
      if (pipe && !this.#isDisposed) this.#keep(file, ahead, pipe);
      else pipe?.destroy();
    } catch {
      // Too many files or processes: the next command is started when it comes, and says so if it still can't be.
    } finally {
      this.#isPreparing = false;
    }
  }

  #keep(file: string, ahead: LaunchAhead, pipe: OutputPipe): void {
    const child = waiting(file, ahead, pipe);
    // No room for one more process: then it has no pipes either.
    if (child.pid === undefined) {
      child.once('error', () => pipe.destroy());
      return;
    }
    const rest = socketOf(child, ahead.toldOn);
    const spare = { child, pipe, rest, key: keyOf(file, ahead) };
    this.#spare = spare;
    const forget = () => {
      if (this.#spare !== spare) return;
      this.#spare = undefined;
      pipe.destroy();
    };
    child.once('error', forget).once('exit', forget);
    rest.on('error', () => undefined);
    // It keeps nobody from ending.
    for (const part of [child, pipe, rest, socketOf(child, SURVIVORS_FD)]) part.unref();
  }

  #drop(spare: Spare | undefined): void {
    spare?.child.kill('SIGKILL');
    void spare?.pipe.closed.then(() => spare.pipe.destroy());
  }
}

/** What it gets besides the usual three, from SURVIVORS_FD on. */
function descriptors({ launcher, files = [], hasBeside }: Launch): readonly ('pipe' | 'ignore' | number)[] {
  if (!launcher) return files;
  const unused = hasBeside ? Array<'ignore'>(BESIDE_FD - FILES_FD - files.length).fill('ignore') : [];
  return ['pipe', ...files, ...unused, ...(hasBeside ? (['pipe'] as const) : [])];
}

/** A launcher without a command yet: nothing of the host's environment, no folder of anybody's. */
function waiting(file: string, ahead: LaunchAhead, pipe: OutputPipe): ChildProcess {
  const files = ahead.files();
  const unused = Array<'ignore'>(ahead.toldOn - FILES_FD - files.length).fill('ignore');
  const launch = { file, args: ahead.args, env: {}, cwd: '/' };
  try {
    return spawned(launch, pipe, ['pipe', ...files, ...unused, 'pipe']);
  } finally {
    for (const open of files) closeSync(open);
  }
}

/** Throws, and lets go of the pipe, when it can't even be tried. */
function spawned(
  { file, args, env, cwd, terminal }: Pick<Launch, 'file' | 'args' | 'env' | 'cwd' | 'terminal'>,
  pipe: OutputPipe | undefined,
  more: readonly ('pipe' | 'ignore' | number)[],
): ChildProcess {
  const output = terminal?.side ?? pipe?.writeEnd ?? 'pipe';
  const stdio: StdioOptions = sealed([terminal?.side ?? 'ignore', output, output, ...more]);
  const detached = process.platform !== 'win32';
  try {
    const child = spawn(file, [...args], { cwd, env: { ...env }, detached, windowsHide: true, stdio });
    pipe?.started();
    return child;
  } catch (error) {
    pipe?.destroy();
    throw error;
  }
}

/** Undefined once it runs, else why it doesn't. */
function whenStarted(child: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve) => {
    child.once('spawn', () => resolve(undefined));
    child.once('error', (error) => resolve(messageOf(error)));
  });
}

/** A NUL would end the argument and begin one of the launcher's own. */
function isPlain(argument: string): boolean {
  return !argument.includes('\0') && Buffer.byteLength(argument) < LONGEST_TOLD;
}

function keyOf(file: string, { args }: LaunchAhead): string {
  return JSON.stringify([file, args]);
}

/** Our end of a descriptor that was made a pipe. */
function socketOf(child: ChildProcess, at: number): Socket {
  return child.stdio[at] as Socket;
}
