import { accessSync, constants, realpathSync } from 'node:fs';
import { basename, delimiter, isAbsolute, join, relative, sep } from 'node:path';
import { fail, ok, type Result } from '#base/result';
import type { ShellKind } from './shell-words';

/** The program that runs command lines. */
export interface Shell {
  /** Absolute, outside the workspace. */
  readonly file: string;
  /** What comes before the command line: no profile, no rc file. */
  readonly args: readonly string[];
  readonly kind: ShellKind;
}

export interface ShellSearch {
  readonly platform: NodeJS.Platform;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly workspaceRoot: string;
  /** The setting `belay.commands.shell`: an absolute path, or empty. */
  readonly setting?: string;
  /** Of the environment: used when it is bash or sh. */
  readonly userShell?: string;
}

/** Finds the shell. Never one inside the workspace: that would run the project's own program unasked. */
export function findShell(search: ShellSearch): Result<Shell, string> {
  if (search.setting) return chosenShell(search.setting, search.workspaceRoot);
  for (const file of candidates(search)) if (isUsable(file, search.workspaceRoot)) return ok(shellAt(file));
  return fail('no shell was found; set belay.commands.shell to the absolute path of bash or sh');
}

function chosenShell(file: string, workspaceRoot: string): Result<Shell, string> {
  if (!isAbsolute(file)) return fail(`belay.commands.shell is ${file}; write an absolute path`);
  if (!isUsable(file, workspaceRoot)) {
    return fail(
      `belay.commands.shell is ${file}, which isn't a program outside the workspace; choose another`,
    );
  }
  return ok(shellAt(file));
}

function candidates(search: ShellSearch): readonly string[] {
  const folders = (search.variables['PATH'] ?? search.variables['Path'] ?? '')
    .split(delimiter)
    .filter(isAbsolute);
  if (search.platform === 'win32') {
    const system = search.variables['SystemRoot'] ?? 'C:\\Windows';
    return [
      ...folders.map((folder) => join(folder, 'pwsh.exe')),
      join(system, 'System32', 'WindowsPowerShell', 'v1.0', 'powershell.exe'),
    ];
  }
  const own =
    search.userShell !== undefined && /^(bash|sh)$/.test(basename(search.userShell))
      ? [search.userShell]
      : [];
  return [
    ...own.filter((file) => basename(file) === 'bash'),
    '/bin/bash',
    '/usr/bin/bash',
    ...folders.map((folder) => join(folder, 'bash')),
    ...own,
    '/bin/sh',
  ];
}

function isUsable(file: string, workspaceRoot: string): boolean {
  if (!isAbsolute(file)) return false;
  try {
    accessSync(file, constants.X_OK);
    return isOutside(file, workspaceRoot) && isOutside(realpathSync(file), workspaceRoot);
  } catch {
    return false;
  }
}

function isOutside(file: string, folder: string): boolean {
  const path = relative(folder, file);
  return path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path);
}

function shellAt(file: string): Shell {
  const name = basename(file)
    .replace(/\.exe$/i, '')
    .toLowerCase();
  switch (name) {
    case 'bash':
      return { file, args: ['--noprofile', '--norc', '-c'], kind: 'bash' };
    case 'sh':
    case 'dash':
      return { file, args: ['-c'], kind: 'sh' };
    case 'zsh':
      return { file, args: ['-f', '-c'], kind: 'other' };
    case 'fish':
      return { file, args: ['--no-config', '-c'], kind: 'other' };
    case 'pwsh':
    case 'powershell':
      return { file, args: ['-NoLogo', '-NoProfile', '-NonInteractive', '-Command'], kind: 'powershell' };
    case 'cmd':
      return { file, args: ['/d', '/s', '/c'], kind: 'cmd' };
    default:
      return { file, args: ['-c'], kind: 'other' };
  }
}
