import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandRequest } from '#commands/command';
import { type RunOptions, type RunOutcome, runCommand } from '#commands/command-runner';
import { Launchers } from '#commands/launchers';
import { findShell } from '#commands/shell';
import type { Environment } from '#host';
import type { AbsolutePath, RelativePath } from '#protocol/ids';
import { PROTECTED_FILES } from '#protocol/settings';
import { noSandbox } from '#sandbox/none';
import { confinedTo, type Sandbox } from '#sandbox/sandbox';

/** A workspace, a home and a storage of their own on the real disk, and commands that really run in them. */
export interface CommandLab {
  readonly root: string;
  readonly workspace: string;
  readonly home: string;
  readonly storage: string;
  readonly environment: Environment;
  /** As its commands run. */
  options(): RunOptions;
  run(command: string, request?: Partial<CommandRequest>, options?: Partial<RunOptions>): Promise<RunOutcome>;
  /** Lets go of what waits for the next command. */
  drop(): void;
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
  const place = {
    workspaceRoot: workspace,
    writable: [],
    hidden: [],
    protectedNames: PROTECTED_FILES,
    home,
    storage,
  };
  const sandbox = confinedTo(place, options.sandbox ?? noSandbox());
  let launchers = new Launchers();
  let ids = 0;
  const usual: Omit<RunOptions, 'launchers'> = {
    workspaceRoot: workspace,
    environment,
    shell: shell.value,
    sandbox,
    network: false,
    clock: { monotonic: () => performance.now() },
    random: { id: () => `lab${process.pid}x${++ids}x${Math.random().toString(36).slice(2)}` },
  };
  return {
    root,
    workspace,
    home,
    storage,
    environment,
    options: () => ({ ...usual, launchers }),
    run(command, request, options) {
      const { signal } = new AbortController();
      const asked: CommandRequest = {
        command,
        cwd: '.' as RelativePath,
        timeoutMs: 30_000,
        signal,
        ...request,
      };
      return runCommand(asked, { ...usual, launchers, ...options });
    },
    drop() {
      launchers.dispose();
      launchers = new Launchers();
    },
    dispose() {
      launchers.dispose();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
