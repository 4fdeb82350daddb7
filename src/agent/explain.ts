import { t } from '#base/l10n';
import { effectiveMode } from '#gates/circumstances';
import type { SandboxState } from '#gates/context';
import { type Explanation, explainCommand } from '#gates/explain';
import { hookName } from '#gates/hooks/hook';
import { fits } from '#gates/hooks/matcher';
import { toWire } from '#gates/hooks/wire-tools';
import { forbiddenTool, permittedMode } from '#gates/settings-files/forbids';
import type { Mode } from '#protocol/settings';
import { runCommand } from '#tools/commands/run-command';
import { commandPlace } from './command-place';
import type { Core } from './core';
import { hookSets } from './hook-sets';
import type { SessionState } from './session-state';
import { toolPorts } from './tool-context';

/** How the gates would judge a command line in this session, as it is now. */
export interface ExplainedHere extends Explanation {
  /** The mode that counts: the policy or a missing trust may hold it down. */
  readonly mode: Mode;
  readonly isTrusted: boolean;
  readonly sandbox: SandboxState;
  /** The hooks that would be asked before it runs; none is run for this. */
  readonly hooks: readonly string[];
}

/** Judges a command line by this session's rules, files and mode. Nothing is run, asked or recorded. */
export async function explainHere(core: Core, state: SessionState, command: string): Promise<ExplainedHere> {
  const { host, settingsFiles } = core;
  await settingsFiles.refresh();
  const { state: sandbox, shell } = await commandPlace(core);
  const ports = toolPorts(core, state);
  await state.rules.look([ports.workspace.root], host.files);
  const isTrusted = host.trust.isTrusted();
  const chosen = permittedMode(state.mode, settingsFiles.current());
  const explained = await explainCommand(
    { command },
    {
      ports,
      shell: shell.kind,
      mode: () => chosen,
      isTrusted: () => isTrusted,
      sessionRules: state.rules,
      settingsFiles,
      sandbox,
    },
  );
  const mode = effectiveMode(chosen, isTrusted);
  return { ...orForbidden(core, explained), mode, isTrusted, sandbox, hooks: hooksFor(core, command) };
}

/** What the policy forbids isn't judged any further. */
function orForbidden({ settingsFiles }: Core, explained: Explanation): Explanation {
  const words = forbiddenTool(runCommand, settingsFiles.current());
  if (words === undefined) return explained;
  return { ...explained, verdict: 'deny', because: [t('the policy forbids it ({0})', words)] };
}

/** By their matcher. Whether an `if` of theirs speaks of this command is seen when it runs. */
function hooksFor(core: Core, command: string): readonly string[] {
  const { names } = toWire(runCommand.name, { command }, core.workspace.root);
  return hookSets(core)
    .flatMap(({ hooks }) => hooks)
    .filter(({ event, matcher }) => event === 'PreToolUse' && fits(matcher, names))
    .map(hookName);
}
