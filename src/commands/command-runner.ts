import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import type { Disposable } from '#base/disposable';
import type { Clock, Environment, Random } from '#host';
import type { RelativePath } from '#protocol/ids';
import { cacheFolder, cacheVariables } from './caches';
import type { CommandOutcome, CommandRequest } from './command';
import { commandEnvironment } from './environment';
import type { LaunchAhead, Launchers } from './launchers';
import { type Beside, becoming, staying, UNTIMED, withLine } from './prelude';
import { MARKER } from './process-list';
import { terminalSession } from './pty';
import { type ProcessReport, runProcess } from './run';
import type { Shell } from './shell';

/** Confines the commands of one workspace; its kind `none` lets them run as they are. */
export interface CommandSandbox {
  readonly kind: string;
  wrap(command: BareCommand): Promise<WrappedCommand>;
}

/** A command as it would run without a sandbox. */
export interface BareCommand {
  readonly argv: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  /** Where it is handed over piece by piece, its order is kept. */
  readonly env: Readonly<Record<string, string>>;
  readonly network: boolean;
  /** The one folder outside the workspace that it may write to. */
  readonly caches: string;
}

/** What is really spawned. */
export interface WrappedCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Open files that the launcher reads; its descriptors from 4 on. */
  readonly files?: readonly number[];
  /** The same for a launcher that was started before. */
  readonly ahead?: LaunchAhead;
  /** Once, when it has ended or wasn't started: closes the files and takes away what stood in for protected names. */
  release?(): void;
}

/** A way out of a sandbox without network: a helper inside, and who serves it outside and decides. */
export interface WayOut extends Beside {
  /** What the command has to know to use it. */
  readonly env: Readonly<Record<string, string>>;
  serve(link: Duplex): Disposable;
}

/** These begin a process namespace: all inside die with the first process, and none of them is seen outside. */
const NAMESPACED: ReadonlySet<string> = new Set(['bubblewrap', 'namespaces']);

export interface RunOptions {
  readonly workspaceRoot: string;
  readonly environment: Environment;
  readonly shell: Shell;
  readonly sandbox: CommandSandbox;
  /** Granted by a person or a rule for this call; without a sandbox there is always one. */
  readonly network: boolean;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly random: Pick<Random, 'id'>;
  /** Shared by many commands: one that runs gets the next one's launcher started. */
  readonly launchers: Launchers;
  /** Names the user adds to the environment's allow-list. */
  readonly extraVariables?: readonly string[];
  /** Counts only where there is a process namespace and no network. */
  readonly wayOut?: WayOut;
}

/** So many survivors are named, the rest counted. */
const KILLED_NAMED = 10;

/** A command that may outlive its turn. */
export interface LongRequest {
  readonly command: string;
  /** Workspace-relative folder. */
  readonly cwd: RelativePath;
  /** In a session of its own whose terminal is its standard input. */
  readonly pty: boolean;
}

/** How it ended; whoever looks at the workspace before and after says what it changed. */
export type RunOutcome = Omit<CommandOutcome, 'changes'>;

/**
 * Runs a foreground command, confined as the gates decided. Throws when the signal has already aborted and when nothing
 * could be started (the message says why); everything after the start is an outcome.
 */
export async function runCommand(request: CommandRequest, options: RunOptions): Promise<RunOutcome> {
  request.signal.throwIfAborted();
  const marker = `${process.pid}.${options.random.id()}`;
  const wrapped = await wrap(options, request, marker);
  try {
    return await runWrapped(wrapped, { request, options, marker });
  } finally {
    wrapped.release?.();
  }
}

async function runWrapped(
  { file, args, env, files, ahead }: WrappedCommand,
  given: { readonly request: CommandRequest; readonly options: RunOptions; readonly marker: string },
): Promise<RunOutcome> {
  const { request, options, marker } = given;
  request.signal.throwIfAborted();
  const start = options.clock.monotonic();
  const way = wayOut(options);
  const report = await runProcess({
    file,
    args,
    env,
    ...(files && { files }),
    // What was started ahead has no socket for a helper.
    ...(way ? { serve: (link: Duplex) => way.serve(link) } : ahead && { ahead }),
    cwd: cwdOf(options, request),
    marker,
    launcher: isNamespaced(options),
    timeoutMs: request.timeoutMs,
    signal: request.signal,
    launchers: options.launchers,
    ...(request.onOutput ? { onOutput: (text: string) => request.onOutput?.(text) } : {}),
  });
  if (!report.ok) throw new Error(`the command didn't start: ${report.error}`);
  const durationMs = Math.round(options.clock.monotonic() - start);
  return outcome(report.value, { durationMs, sandbox: options.sandbox.kind });
}

/** A background command as it is really spawned. Throws when the sandbox can't hold it or there is nothing to begin a terminal's session with. */
export function wrapLong(options: RunOptions, request: LongRequest, marker: string): Promise<WrappedCommand> {
  return wrap(options, request, marker);
}

type Wrapped = Pick<CommandRequest, 'command' | 'cwd'> & Partial<Pick<LongRequest, 'pty'>>;

async function wrap(options: RunOptions, request: Wrapped, marker: string): Promise<WrappedCommand> {
  const { environment, workspaceRoot } = options;
  const sandboxed = isSandboxed(options);
  const caches = cacheFolder(environment.storage, workspaceRoot);
  if (sandboxed) mkdirSync(caches, { recursive: true, mode: 0o700 });
  const env = commandEnvironment(environment.variables, {
    extra: options.extraVariables ?? [],
    network: options.network || !sandboxed,
    proxy: wayOut(options)?.env,
    ...(sandboxed ? { temporary: '/tmp', caches: cacheVariables(caches, environment.home) } : {}),
  });
  return options.sandbox.wrap({
    ...shellRunning(request, { ...env, ...longVariables(request), [MARKER]: marker }, options),
    cwd: cwdOf(options, request),
    network: options.network,
    caches,
  });
}

/** A foreground command lives ten minutes at most; what is drawn in a terminal needs to know which. */
function longVariables({ pty }: Wrapped): Readonly<Record<string, string>> {
  if (pty === undefined) return {};
  return { [UNTIMED]: '1', ...(pty ? { TERM: 'xterm-256color' } : {}) };
}

function shellRunning(
  { command, pty = false }: Wrapped,
  variables: Readonly<Record<string, string>>,
  options: RunOptions,
): Pick<BareCommand, 'argv' | 'env'> {
  const { environment, shell } = options;
  const env = { ...variables, SHELL: shell.file };
  const bare = [...(pty ? terminalSession() : []), shell.file, ...shell.args];
  if (isNamespaced(options)) return { argv: staying(bare, wayOut(options)), env: withLine(env, command) };
  const argv = [...bare, command];
  return { argv: environment.platform === 'win32' ? argv : becoming(argv), env };
}

function outcome(report: ProcessReport, more: Pick<RunOutcome, 'durationMs' | 'sandbox'>): RunOutcome {
  const { output, killed, ...rest } = report;
  return {
    ...rest,
    ...more,
    killed:
      killed.length <= KILLED_NAMED
        ? killed
        : [...killed.slice(0, KILLED_NAMED), `${killed.length - KILLED_NAMED} others`],
    output: output.text,
    omitted: output.omitted,
    ...(output.whole === undefined ? {} : { whole: output.whole }),
    notes:
      output.lost === undefined
        ? []
        : [`of so much only the first and last megabytes were kept; ${output.lost} bytes are gone`],
  };
}

/** The folder it runs in. */
export function cwdOf(options: RunOptions, request: Pick<CommandRequest, 'cwd'>): string {
  return join(options.workspaceRoot, request.cwd);
}

/** The way out that counts for this command. */
export function wayOut(options: RunOptions): WayOut | undefined {
  return isNamespaced(options) && !options.network ? options.wayOut : undefined;
}

/** Whether its sandbox begins a process namespace. */
export function isNamespaced(options: RunOptions): boolean {
  return NAMESPACED.has(options.sandbox.kind);
}

function isSandboxed(options: RunOptions): boolean {
  return options.sandbox.kind !== 'none';
}
