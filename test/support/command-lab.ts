import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CommandRunnerOptions, createCommandRunner } from '#commands/command-runner';
import { findShell } from '#commands/shell';
import type { Environment } from '#host';
import type { AbsolutePath } from '#protocol/ids';
import { PROTECTED_FILES } from '#protocol/settings';
import { noSandbox } from '#sandbox/none';
import type { Sandbox } from '#sandbox/sandbox';
import type { CommandOutcome, CommandRequest, CommandRunner } from '#tools/tool';

/** A workspace, a home and a storage of their own on the real disk, and commands that really run in them. */
export interface CommandLab {
  readonly root: string;
  readonly workspace: string;
  readonly home: string;
  readonly storage: string;
  readonly environment: Environment;
  runner(options?: Partial<CommandRunnerOptions>): CommandRunner;
  run(command: string, request?: Partial<CommandRequest>): Promise<CommandOutcome>;
  dispose(): void;
}

export function commandLab(
  options: {
    readonly variables?: Readonly<Record<string, string>>;
    readonly sandbox?: Sandbox;
    readonly under?: string;
  } = {},
): CommandLab {
  const root = realpathSync(mkdtempSync(join(options.under ?? tmpdir(), 'belay-commands-')));
  const folder = (name: string) => {
    mkdirSync(join(root, name), { mode: 0o755 });
    return join(root, name);
  };
  const [workspace, home, storage] = [folder('workspace'), folder('home'), folder('storage')];
  const environment: Environment = {
    platform: process.platform,
    home: home as AbsolutePath,
    variables: { PATH: process.env['PATH'], HOME: home, ...options.variables },
    storage: storage as AbsolutePath,
    ripgrep: '/nonexistent/rg' as AbsolutePath,
    shell: '/bin/bash',
  };
  const shell = findShell({
    platform: process.platform,
    variables: environment.variables,
    workspaceRoot: workspace,
  });
  if (!shell.ok) throw new Error(shell.error);
  let ids = 0;
  const runner = (more: Partial<CommandRunnerOptions> = {}): CommandRunner =>
    createCommandRunner({
      workspaceRoot: workspace,
      environment,
      shell: shell.value,
      sandbox: options.sandbox ?? noSandbox(),
      network: false,
      clock: { monotonic: () => performance.now() },
      random: { id: () => `lab${process.pid}x${++ids}x${Math.random().toString(36).slice(2)}` },
      protectedNames: PROTECTED_FILES,
      ...more,
    });
  return {
    root,
    workspace,
    home,
    storage,
    environment,
    runner,
    run: (command, request = {}) =>
      runner().run({
        command,
        cwd: '.' as CommandRequest['cwd'],
        timeoutMs: 30_000,
        signal: new AbortController().signal,
        ...request,
      }),
    dispose: () => rmSync(root, { recursive: true, force: true }),
  };
}
