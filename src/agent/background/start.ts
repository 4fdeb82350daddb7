import { holdOf, optionsOf } from '#agent/command-runner';
import type { TurnTools } from '#agent/turn-tools';
import { fail, messageOf, ok, type Result } from '#base/result';
import { BackgroundCommand } from '#commands/background/background-command';
import { startLong } from '#commands/background/process';
import {
  cwdOf,
  isNamespaced,
  type LongRequest,
  type RunOptions,
  wayOut,
  wrapLong,
} from '#commands/command-runner';
import { openPty, type Pty, type TerminalSize } from '#commands/pty';
import type { PassedCall } from '#gates/context';
import { SandboxRefusal } from '#sandbox/sandbox';
import type { BackgroundCommands, BackgroundRequest } from '#tools/commands/background';
import { ToolFailure } from '#tools/tool';
import type { Started } from './kept';
import { TooManyRunning } from './session-background';

/** Until somebody says another one. */
const SIZE: TerminalSize = { columns: 120, rows: 30 };

/** The session's background commands for one call: what it starts is held as the gates decided for it. */
export function backgroundOf(tools: TurnTools, passed: PassedCall): BackgroundCommands {
  const { session, turnId } = tools;
  const asked = { turnId, callId: passed.call.id };
  const commands = session.background.commands(asked, (request) => start(request, tools, passed));
  return {
    ...commands,
    async start(request) {
      try {
        return await commands.start(request);
      } catch (error) {
        if (error instanceof TooManyRunning) throw new ToolFailure(`${passed.tool.name}: ${error.message}.`);
        throw error;
      }
    },
  };
}

async function start(
  request: BackgroundRequest,
  tools: TurnTools,
  { tool, confinement }: PassedCall,
): Promise<Started> {
  const { core, place, signal } = tools;
  if (place.problem !== undefined) throw new ToolFailure(`${tool.name}: ${place.problem}`);
  const hold = holdOf(tools, confinement);
  const options = optionsOf(tools, confinement, hold);
  const terminal = request.pty ? openPty(SIZE) : ok(undefined);
  if (!terminal.ok) throw new ToolFailure(`${tool.name}: ${terminal.error}.`);
  const command = new BackgroundCommand({
    command: request.command,
    shell: place.shell.kind,
    terminal: terminal.value,
    size: SIZE,
    filter: () => core.redactor.stream(),
  });
  signal.throwIfAborted();
  const started = await held(request, options, { command, terminal: terminal.value, core });
  if (!started.ok) {
    terminal.value?.destroy();
    throw new ToolFailure(`${tool.name}: ${started.error}`);
  }
  return { ...started.value, sandbox: confinement.once ? confinement.words : options.sandbox.kind };
}

interface Parts {
  readonly command: BackgroundCommand;
  readonly terminal: Pty | undefined;
  readonly core: TurnTools['core'];
}

/** The error says that it didn't start, and why. */
async function held(
  { command: line, cwd, pty }: BackgroundRequest,
  options: RunOptions,
  { command, terminal, core }: Parts,
): Promise<Result<Omit<Started, 'sandbox'>, string>> {
  const request: LongRequest = { command: line, cwd, pty };
  const marker = `${process.pid}.${options.random.id()}`;
  const wrapped = await wrappedOrWhy(options, request, marker);
  if (!wrapped.ok) return wrapped;
  const { file, args, env, files, release } = wrapped.value;
  const way = wayOut(options);
  const started = await startLong({
    file,
    args,
    env,
    ...(files ? { files } : {}),
    cwd: cwdOf(options, request),
    marker,
    launcher: isNamespaced(options),
    ...(terminal ? { terminal } : {}),
    launchers: core.launchers,
    ...(way ? { serve: (link) => way.serve(link) } : {}),
    onOutput: command.take,
  });
  if (!started.ok) {
    release?.();
    return fail(`it did not start: ${started.error}`);
  }
  const ended = command.run(started.value).finally(() => release?.());
  return ok({ command, pid: started.value.pid, ended });
}

async function wrappedOrWhy(options: RunOptions, request: LongRequest, marker: string) {
  try {
    return ok(await wrapLong(options, request, marker));
  } catch (error) {
    if (error instanceof SandboxRefusal)
      return fail(`it did not run, because the sandbox could not hold it: ${error.message}`);
    return fail(`it did not start: ${messageOf(error)}`);
  }
}
