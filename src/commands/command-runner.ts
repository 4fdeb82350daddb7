import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, Environment, Random } from '#host';
import type { CommandChange } from '#protocol/checkpoint';
import { cacheFolder, cacheVariables } from './caches';
import type { CommandOutcome, CommandRequest, CommandRunner } from './command';
import { commandEnvironment } from './environment';
import type { OutputPipes } from './output-pipes';
import { withPrelude } from './prelude';
import { MARKER } from './process-list';
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
}

export interface CommandRunnerOptions {
  readonly workspaceRoot: string;
  readonly environment: Environment;
  readonly shell: Shell;
  readonly sandbox: CommandSandbox;
  /** Granted by a person or a rule for this call; without a sandbox there is always one. */
  readonly network: boolean;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly random: Pick<Random, 'id'>;
  /** Shared by many commands: it saves each of them a process. */
  readonly pipes: OutputPipes;
  /** Names the user adds to the environment's allow-list. */
  readonly extraVariables?: readonly string[];
  /** Looks at the workspace before the command; what it returns is called after it and says what changed. */
  readonly beforeRun?: (command: string) => Promise<() => Promise<readonly CommandChange[]>>;
}

/** So many survivors are named, the rest counted. */
const KILLED_NAMED = 10;

/**
 * Runs foreground commands of one call, confined as the gates decided. Throws when the signal has already aborted and
 * when nothing could be started (the message says why); everything after the start is an outcome.
 */
export function createCommandRunner(options: CommandRunnerOptions): CommandRunner {
  return { run: (request) => runOne(options, request) };
}

async function runOne(options: CommandRunnerOptions, request: CommandRequest): Promise<CommandOutcome> {
  request.signal.throwIfAborted();
  const afterRun = await options.beforeRun?.(request.command);
  const marker = `${process.pid}.${options.random.id()}`;
  const wrapped = await wrap(options, request, marker);
  request.signal.throwIfAborted();
  const start = options.clock.monotonic();
  const report = await runProcess({
    ...wrapped,
    cwd: cwdOf(options, request),
    marker,
    launcher: isSandboxed(options),
    timeoutMs: request.timeoutMs,
    signal: request.signal,
    pipes: options.pipes,
    ...(request.onOutput ? { onOutput: (text: string) => request.onOutput?.(text) } : {}),
  });
  if (!report.ok) throw new Error(`the command didn't start: ${report.error}`);
  const durationMs = Math.round(options.clock.monotonic() - start);
  const changes = (await afterRun?.()) ?? [];
  return outcome(report.value, { durationMs, changes, sandbox: options.sandbox.kind });
}

async function wrap(
  options: CommandRunnerOptions,
  request: CommandRequest,
  marker: string,
): Promise<WrappedCommand> {
  const { environment, shell, workspaceRoot } = options;
  const sandboxed = isSandboxed(options);
  const caches = cacheFolder(environment.storage, workspaceRoot);
  if (sandboxed) await mkdir(caches, { recursive: true, mode: 0o700 });
  const env = commandEnvironment(environment.variables, {
    extra: options.extraVariables ?? [],
    network: options.network || !sandboxed,
    ...(sandboxed ? { temporary: '/tmp', caches: cacheVariables(caches, environment.home) } : {}),
  });
  const argv = [shell.file, ...shell.args, request.command];
  return options.sandbox.wrap({
    argv: environment.platform === 'win32' ? argv : withPrelude(argv, sandboxed),
    cwd: cwdOf(options, request),
    env: { ...env, SHELL: shell.file, [MARKER]: marker },
    network: options.network,
    caches,
  });
}

function outcome(
  report: ProcessReport,
  more: Pick<CommandOutcome, 'durationMs' | 'changes' | 'sandbox'>,
): CommandOutcome {
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

function cwdOf(options: CommandRunnerOptions, request: CommandRequest): string {
  return join(options.workspaceRoot, request.cwd);
}

function isSandboxed(options: CommandRunnerOptions): boolean {
  return options.sandbox.kind !== 'none';
}
