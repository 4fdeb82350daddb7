import { relative } from 'node:path';
import { redactedOutcome } from '#agent/redaction/command-output';
import type { CommandRequest, CommandRunner } from '#commands/command';
import { type RunOutcome, runCommand } from '#commands/command-runner';
import { watchChanges } from '#commands/watch-changes';
import { standing } from '#gates/circumstances';
import type { PassedCall } from '#gates/context';
import { deniedReads } from '#gates/denied-reads';
import { protectedNames } from '#gates/hooks/hook-files';
import { explainFailure, type FailedInside } from '#sandbox/explain-failure';
import { hiddenCause, hiddenNote } from '#sandbox/hidden-cause';
import { replacedNote } from '#sandbox/replaced-files';
import { confinedTo, type SandboxLaunch, type SandboxPlace, SandboxRefusal } from '#sandbox/sandbox';
import { absolutePath } from '#tools/paths';
import { ToolFailure } from '#tools/tool';
import type { Core } from './core';
import { readOnlyCommands } from './read-only-commands';
import type { TurnTools } from './turn-tools';

/**
 * Runs the commands of one call as the gates decided for it. What a command changed on disk is noted in the turn, and
 * secrets' values are taken out of what it printed.
 */
export function commandRunner(tools: TurnTools, { tool, confinement }: PassedCall): CommandRunner {
  const { core, session, place, signal, journal } = tools;
  const { host, workspace } = core;
  return {
    async run(request) {
      if (place.problem !== undefined) throw new ToolFailure(`${tool.name}: ${place.problem}`);
      // What the session wrote is looked at in skipped folders too: a conflict must name the command, not the person.
      const also = core.store.operations.pathsOf(session.id);
      const look = await watchChanges(workspace.root, { signal, also });
      const way = confinement.workspace === 'read-only' ? undefined : place.sandbox.hosts?.open();
      const { sandbox, launched } = noting(
        confinedTo(sandboxPlace(tools), confinement.sandboxed ? place.sandbox : place.bare),
      );
      const outcome = await runHeld(
        tool.name,
        { ...request, ...shownSafely(request, core.redactor) },
        {
          workspaceRoot: workspace.root,
          environment: host.environment,
          shell: place.shell,
          sandbox:
            confinement.workspace === 'read-only' ? readOnlyCommands(sandbox, workspace.root) : sandbox,
          network: confinement.network,
          clock: host.clock,
          random: host.random,
          launchers: core.launchers,
          extraVariables: host.settings.current().commandEnvironment,
          ...(way && confinement.sandboxed ? { wayOut: way } : {}),
        },
      );
      const replaced = launched()?.replaced?.() ?? [];
      const seen = await look();
      const changes = seen.changes.map(({ path, operation }) => ({
        path,
        operation,
        command: core.redactor.value(request.command),
      }));
      await journal.noteCommandChanges(changes);
      // The person sees all of it in the turn; the model isn't told of what it must not know.
      const isHidden = workspace.hidden.once();
      const refused = way?.refused() ?? [];
      const unseen = failedInside(outcome)
        ? hiddenCause(outcome.output, launched()?.masked ?? [])
        : undefined;
      // What is hidden is no reason to leave the sandbox: outside it would be seen.
      const why =
        confinement.sandboxed && unseen === undefined
          ? sandboxExplains(outcome, {
              network: confinement.network,
              workspaceReadOnly: place.state.workspace === 'read-only',
              ...(way ? { hosts: { refused } } : {}),
            })
          : undefined;
      session.failedInside.note(request, why);
      return {
        ...redactedOutcome(outcome, core.redactor),
        changes: changes.filter(({ path }) => !isHidden(absolutePath(workspace, path))),
        ...(confinement.once ? { sandbox: confinement.words } : {}),
        notes: [
          ...outcome.notes,
          ...seen.notes,
          ...replacedNotes(
            replaced.map((path) => relative(workspace.root, path)),
            (path) => isHidden(absolutePath(workspace, path)),
          ),
          ...refusedNotes(refused),
          ...(unseen === undefined ? [] : [hiddenNote(relative(workspace.root, unseen))]),
          ...(why === undefined ? [] : [failureNote(why)]),
        ],
      };
    },
  };
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

function replacedNotes(paths: readonly string[], isHidden: (path: string) => boolean): readonly string[] {
  const named = paths.filter((path) => !isHidden(path));
  return paths.length === 0 ? [] : [replacedNote(named, paths.length)];
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

function sandboxExplains(outcome: RunOutcome, held: Omit<FailedInside, 'output'>): string | undefined {
  return failedInside(outcome) ? explainFailure({ output: outcome.output, ...held }) : undefined;
}

function failedInside({ exitCode, sandbox, timedOut, cancelled }: RunOutcome): boolean {
  return sandbox !== 'none' && exitCode !== undefined && exitCode !== 0 && !timedOut && !cancelled;
}

/** Also where the command made do without: what it printed may not tell. */
function refusedNotes(refused: readonly string[]): readonly string[] {
  if (refused.length === 0) return [];
  const hosts = refused.join(', ');
  return [
    `refused by the sandbox's proxy: ${hosts}; the user may add a host to belay.sandbox.allowedHosts, or call again with "network": true, which asks the user`,
  ];
}

/** The model can't ask for it: a person finds the offer on the card when the same command is asked about again. */
function failureNote(why: string): string {
  return `the sandbox may be the reason (${why}); if the task needs it, say so and call the same command again: the user may then run it once without the sandbox`;
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
    deniedReads: deniedReads(standing(ports, session.rules, core.settingsFiles.current())),
    home,
    storage,
    workspaceReadOnly: settings.sandbox === 'read-only',
  };
}
