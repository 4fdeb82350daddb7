import { commandEnvironment } from '#commands/environment';
import { runHookProcess } from '#commands/hook-process';
import { findShell } from '#commands/shell';
import type { Hook } from '#gates/hooks/hook';
import { type HookReport, readReport } from '#gates/hooks/report';
import type { Core } from './core';

/** Runs one hook to its end in the workspace folder, outside the sandbox. Undefined when it was stopped together with the turn. */
export async function runHook(
  hook: Hook,
  input: string,
  { core, signal }: { readonly core: Pick<Core, 'host' | 'workspace'>; readonly signal: AbortSignal },
): Promise<HookReport | undefined> {
  const { host, workspace } = core;
  const { platform, variables, shell: userShell } = host.environment;
  const shell = findShell({ platform, variables, workspaceRoot: workspace.root, userShell });
  if (!shell.ok) return readReport(hook, { kind: 'not-started', why: shell.error });
  const extra = host.settings.current().commandEnvironment;
  const end = await runHookProcess({
    command: hook.command,
    shell: shell.value,
    cwd: workspace.root,
    env: {
      ...commandEnvironment(variables, { extra, network: true }),
      CLAUDE_PROJECT_DIR: workspace.root,
    },
    input,
    marker: `${process.pid}.${host.random.id()}`,
    timeoutMs: hook.timeoutMs,
    signal,
  });
  return readReport(hook, end);
}
