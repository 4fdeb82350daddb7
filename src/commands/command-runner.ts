import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, Environment, Random } from '#host';
import type { CommandChange } from '#protocol/checkpoint';
import { cacheFolder, cacheVariables } from './caches';
import { commandEnvironment } from './environment';
import { OutputPipes } from './output-pipes';
import { withPrelude } from './prelude';
import { MARKER } from './process-list';
import { type ProcessReport, runProcess } from './run';
import type { Shell } from './shell';

/** What the sandbox room offers; the two rooms know each other only by shape. */
export interface CommandSandbox {
  readonly kind: string;
  wrap(request: SandboxedCommand): Promise<WrappedCommand>;
}

export interface SandboxedCommand {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly network: boolean;
  readonly workspaceRoot: string;
  readonly writable: readonly string[];
  readonly hidden: readonly string[];
  readonly protectedNames: readonly string[];
  readonly home: string;
  readonly storage: string;
  readonly caches: string;
}

export interface WrappedCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  cleanup(): Promise<void>;
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
  /** Shared by many commands it saves each of them a process; absent, each makes and removes its own. */
  readonly pipes?: OutputPipes;
  /** Names the user adds to the environment's allow-list. */
  readonly extraVariables?: readonly string[];
  /** More writable paths (sandbox mode allow-list) and more hidden ones. Absolute. */
  readonly writable?: readonly string[];
  readonly hidden?: readonly string[];
  /** Gitignore-style names that stay read-only inside the workspace. */
  readonly protectedNames: readonly string[];
  /** Looks at the workspace before the command; what it returns is called after it and says what changed. */
  readonly beforeRun?: (command: string) => Promise<() => Promise<readonly CommandChange[]>>;
}

/** As tools/tool.ts has it. */
interface RunRequest {
  readonly command: string;
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  onOutput?(chunk: string): void;
}

/** So many survivors are named, the rest counted. */
const KILLED_NAMED = 10;

interface RunOutcome {
  readonly exitCode?: number;
  readonly signal?: string;
  readonly timedOut: boolean;
  readonly cancelled: boolean;
  readonly durationMs: number;
  readonly output: string;
  readonly omitted: number;
  readonly whole?: string;
  readonly killed: readonly string[];
  readonly sandbox: string;
  readonly changes: readonly CommandChange[];
  readonly notes: readonly string[];
}

/**
 * Runs foreground commands of one call, confined as the gates decided. Throws when the signal has already aborted and
 * when nothing could be started (the message says why); everything after the start is an outcome.
 */
export function createCommandRunner(options: CommandRunnerOptions): {
  run(request: RunRequest): Promise<RunOutcome>;
} {
  return { run: (request) => runOne(options, request) };
}

async function runOne(options: CommandRunnerOptions, request: RunRequest): Promise<RunOutcome> {
  request.signal.throwIfAborted();
  const afterRun = await options.beforeRun?.(request.command);
  const marker = `${process.pid}.${options.random.id()}`;
  const wrapped = await wrap(options, request, marker);
  const start = options.clock.monotonic();
  const pipes = options.pipes ?? new OutputPipes();
  try {
    request.signal.throwIfAborted();
    const report = await runProcess({
      file: wrapped.file,
      args: wrapped.args,
      env: wrapped.env,
      cwd: cwdOf(options, request),
      marker,
      launcher: isSandboxed(options),
      timeoutMs: request.timeoutMs,
      signal: request.signal,
      pipes,
      ...(request.onOutput ? { onOutput: (text: string) => request.onOutput?.(text) } : {}),
    });
    if (!report.ok) throw new Error(`the command didn't start: ${report.error}`);
    const durationMs = Math.round(options.clock.monotonic() - start);
    const changes = (await afterRun?.()) ?? [];
    return outcome(report.value, { durationMs, changes, sandbox: options.sandbox.kind });
  } finally {
    if (pipes !== options.pipes) pipes.dispose();
    await wrapped.cleanup();
  }
}

async function wrap(
  options: CommandRunnerOptions,
  request: RunRequest,
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
    workspaceRoot,
    writable: options.writable ?? [],
    hidden: options.hidden ?? [],
    protectedNames: options.protectedNames,
    home: environment.home,
    storage: environment.storage,
    caches,
  });
}

function outcome(
  report: ProcessReport,
  more: Pick<RunOutcome, 'durationMs' | 'changes' | 'sandbox'>,
): RunOutcome {
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

function cwdOf(options: CommandRunnerOptions, request: RunRequest): string {
  return join(options.workspaceRoot, request.cwd);
}

function isSandboxed(options: CommandRunnerOptions): boolean {
  return options.sandbox.kind !== 'none';
}
