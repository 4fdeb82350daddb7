import { redactedOutcome } from '#agent/redaction/command-output';
import type { CommandOutcome, CommandRequest, CommandRunner } from '#commands/command';
import { type CommandSandbox, type RunOptions, type RunOutcome, runCommand } from '#commands/command-runner';
import { standing } from '#gates/circumstances';
import type { PassedCall } from '#gates/context';
import { protectedNames } from '#gates/hooks/hook-files';
import type { HostsOfCommand } from '#sandbox/allowed-hosts/allowed-hosts';
import { confinedTo, type SandboxLaunch, type SandboxPlace, SandboxRefusal } from '#sandbox/sandbox';
import { absolutePath } from '#tools/paths';
import { ToolFailure } from '#tools/tool';
import type { Core } from './core';
import { runCovered, runUncovered } from './covered-command';
import { readOnlyCommands } from './read-only-commands';
import { sandboxNotes } from './sandbox-notes';
import type { TurnTools } from './turn-tools';

/**
 * Runs the commands of one call as the gates decided for it. What a command changed on disk is noted in the turn, and
 * secrets' values are taken out of what it printed.
 */
export function commandRunner(tools: TurnTools, passed: PassedCall): CommandRunner {
  return { run: (request) => runOne(request, tools, passed) };
}

async function runOne(
  request: CommandRequest,
  tools: TurnTools,
  { tool, confinement }: PassedCall,
): Promise<CommandOutcome> {
  const { core, session, place, signal, journal } = tools;
  const { workspace, redactor } = core;
  if (place.problem !== undefined) throw new ToolFailure(`${tool.name}: ${place.problem}`);
  const hold = holdOf(tools, confinement);
  const watched = { ...request, ...shownSafely(request, redactor) };
  const command = redactor.value(request.command);
  const run = () => runHeld(tool.name, watched, optionsOf(tools, confinement, hold));
  const { outcome, seen } = changesNothing(tools, confinement)
    ? await runUncovered(run)
    : await runCovered({ core, journal, signal, command }, run);
  const replaced = hold.launched()?.replaced?.() ?? [];
  const changes = seen.changes.map(({ path, operation }) => ({ path, operation, command }));
  // The person sees all of it in the turn; the model isn't told of what it must not know.
  const isHidden = workspace.hidden.once();
  const { why, notes } = sandboxNotes(outcome, {
    workspaceRoot: workspace.root,
    network: confinement.network,
    workspaceReadOnly: place.state.workspace === 'read-only',
    masked: hold.launched()?.masked ?? [],
    replaced,
    isHidden,
    refused: hold.way?.refused(),
  });
  session.failedInside.note(request, why);
  return {
    ...redactedOutcome(outcome, redactor),
    changes: changes.filter(({ path }) => !isHidden(absolutePath(workspace, path))),
    ...(confinement.once ? { sandbox: confinement.words } : {}),
    notes: [...outcome.notes, ...seen.notes, ...notes],
  };
}

/** The sandbox keeps it from writing to the workspace: nothing has to be kept before it. */
function changesNothing({ place }: TurnTools, { sandboxed, workspace }: PassedCall['confinement']): boolean {
  const isHeld = sandboxed && place.sandbox.active;
  return isHeld && (workspace === 'read-only' || place.state.workspace === 'read-only');
}

/** What holds one command, and what is known of that afterwards. */
export interface Hold {
  readonly sandbox: CommandSandbox;
  /** To hosts that are reached without the network. */
  readonly way: HostsOfCommand | undefined;
  /** What the sandbox made of it; undefined until it runs. */
  readonly launched: () => SandboxLaunch | undefined;
}

/** How a call that passed is held. */
export function holdOf(tools: TurnTools, { sandboxed, workspace }: PassedCall['confinement']): Hold {
  const { core, place } = tools;
  const confined = confinedTo(sandboxPlace(tools), sandboxed ? place.sandbox : place.bare);
  const { sandbox, launched } = noting(confined);
  if (workspace === 'read-only')
    return { sandbox: readOnlyCommands(sandbox, core.workspace.root), way: undefined, launched };
  return { sandbox, way: sandboxed ? place.sandbox.hosts?.open() : undefined, launched };
}

type Confined = ReturnType<typeof confinedTo>;

/** The same sandbox for one command, and what it made of that. */
function noting({ kind, wrap }: Confined) {
  let launch: SandboxLaunch | undefined;
  const sandbox: Confined = {
    kind,
    async wrap(command) {
      launch = await wrap(command);
      return launch;
    },
  };
  return { sandbox, launched: () => launch };
}

/** Where and with what its commands run. */
export function optionsOf(
  { core, place }: TurnTools,
  { network }: PassedCall['confinement'],
  { sandbox, way }: Hold,
): RunOptions {
  const { host, workspace, launchers } = core;
  return {
    workspaceRoot: workspace.root,
    environment: host.environment,
    shell: place.shell,
    sandbox,
    network,
    clock: host.clock,
    random: host.random,
    launchers,
    extraVariables: host.settings.current().commandEnvironment,
    ...(way ? { wayOut: way } : {}),
  };
}

/** The last line is shown while the command runs: a secret that comes in two pieces must not be. */
function shownSafely(
  { onOutput }: CommandRequest,
  redactor: Core['redactor'],
): Pick<CommandRequest, 'onOutput'> {
  if (onOutput === undefined) return {};
  const stream = redactor.stream();
  return {
    onOutput(chunk) {
      const shown = stream.push(chunk);
      if (shown !== '') onOutput(shown);
    },
  };
}

/** What can't be held isn't run: the model is told why, and what a person would have to do. */
async function runHeld(name: string, ...given: Parameters<typeof runCommand>): Promise<RunOutcome> {
  try {
    return await runCommand(...given);
  } catch (error) {
    if (error instanceof SandboxRefusal)
      throw new ToolFailure(
        `${name}: it did not run, because the sandbox could not hold it: ${error.message}`,
      );
    throw error;
  }
}

function sandboxPlace({ core, session, ports }: TurnTools): SandboxPlace {
  const { host, workspace } = core;
  const { home, storage } = host.environment;
  const settings = host.settings.current();
  return {
    workspaceRoot: workspace.root,
    writable: settings.sandbox === 'allow-list' ? settings.sandboxWritable : [],
    hidden: settings.hiddenCredentials,
    protectedNames: protectedNames(settings, core.settingsFiles.current(), workspace.root),
    deniedReads: core.deniedReads(standing(ports, session.rules, core.settingsFiles.current())),
    home,
    storage,
    workspaceReadOnly: settings.sandbox === 'read-only',
  };
}
