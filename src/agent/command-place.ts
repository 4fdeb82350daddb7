import { t } from '#base/l10n';
import { findShell, type Shell } from '#commands/shell';
import type { SandboxState } from '#gates/context';
import { noSandbox } from '#sandbox/none';
import type { Sandbox } from '#sandbox/sandbox';
import type { Core } from './core';

/** Where and how the commands of a turn run. */
export interface CommandPlace {
  readonly sandbox: Sandbox;
  /** For the mode without a sandbox. */
  readonly bare: Sandbox;
  /** What the gates are told. */
  readonly state: SandboxState;
  readonly shell: Shell;
  /** There is no shell to run commands with; why, and what to do. */
  readonly problem: string | undefined;
}

/** As it is when the turn begins. */
export async function commandPlace(core: Core): Promise<CommandPlace> {
  const { host, workspace, assumeSandbox } = core;
  const { environment } = host;
  const settings = host.settings.current();
  const sandbox = await core.sandbox();
  const shell = findShell({
    platform: environment.platform,
    variables: environment.variables,
    workspaceRoot: workspace.root,
    setting: settings.commandShell,
    userShell: environment.shell,
  });
  return {
    sandbox,
    bare: noSandbox(t('no sandbox: full access')),
    state: {
      active: assumeSandbox || sandbox.active,
      words: sandbox.words,
      ...(sandbox.hosts ? { reach: 'hosts' as const } : {}),
      ...(sandbox.active && settings.sandbox === 'read-only' ? { workspace: 'read-only' as const } : {}),
    },
    shell: shell.ok ? shell.value : { file: '', args: [], kind: 'other' },
    problem: shell.ok ? undefined : shell.error,
  };
}
