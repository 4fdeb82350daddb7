import { delimiter, isAbsolute, relative, sep } from 'node:path';
import type { BareCommand, CommandSandbox } from '#commands/command-runner';
import { hardenedGit } from '#commands/git-hardening';

/**
 * Holds commands that went unasked because they only read to just that: the workspace can't be written, git runs nothing that a
 * repository's configuration names, and no program of the workspace stands in for one of the system.
 */
export function readOnlyCommands(
  sandbox: {
    readonly kind: string;
    wrap(command: BareCommand & { workspaceReadOnly: boolean }): ReturnType<CommandSandbox['wrap']>;
  },
  workspaceRoot: string,
): CommandSandbox {
  return {
    kind: sandbox.kind,
    wrap: (command) =>
      sandbox.wrap({
        ...command,
        env: { ...command.env, ...hardenedGit(), ...outsidePath(command.env['PATH'], workspaceRoot) },
        workspaceReadOnly: true,
      }),
  };
}

function outsidePath(path: string | undefined, root: string): Readonly<Record<string, string>> {
  if (path === undefined) return {};
  const isOutside = (folder: string) => {
    const way = relative(root, folder);
    return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way);
  };
  return { PATH: path.split(delimiter).filter(isOutside).join(delimiter) };
}
