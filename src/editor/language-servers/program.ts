import path from 'node:path';
import { t } from '#base/l10n';
import { fail, type Result } from '#base/result';
import { findExecutable } from '#commands/find-executable';
import { realPlace } from '#sandbox/paths';

/** Whose program, and where it may lie. */
export interface ProgramPlace {
  /** The environment that it will have: its PATH is searched. */
  readonly env: Readonly<Record<string, string>>;
  readonly home: string;
  /** Folders that the agent, or anybody's project, writes: nothing in them is started, by whatever name. */
  readonly workspace: readonly string[];
}

/** The file that a server's command stands for: outside of the workspace. The error is words for people. */
export function serverProgram(
  command: string,
  { env, home, workspace }: ProgramPlace,
): Result<string, string> {
  const name = /^~[/\\]/.test(command) ? path.join(home, command.slice(2)) : command;
  if (!path.isAbsolute(name) && /[/\\]/.test(name))
    return fail(
      t('“{0}” is meant from no folder. Write a name that is on the PATH, or the whole path.', command),
    );
  const places = workspace.flatMap(allNames);
  const folders = variable(env, 'PATH').split(path.delimiter);
  const found = findExecutable(name, {
    path: folders.filter((folder) => !isInside(folder, places)).join(path.delimiter),
    cwd: home,
    platform: process.platform,
    pathExt: variable(env, 'PATHEXT') || undefined,
  });
  if (!found.ok || !isInside(found.value, places)) return found;
  return fail(
    t(
      '{0} lies in this workspace, where the agent can change it. Install the server elsewhere, for example globally.',
      found.value,
    ),
  );
}

function isInside(file: string, places: readonly string[]): boolean {
  return path.isAbsolute(file) && places.some((place) => allNames(file).some((one) => isWithin(one, place)));
}

/** By its name, and by where it really lies. */
function allNames(file: string): readonly string[] {
  const place = realPlace(file);
  return place === undefined ? [file] : [file, place.path];
}

function isWithin(file: string, folder: string): boolean {
  const way = path.relative(folder, file);
  return way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way);
}

/** Names of variables have no case on Windows. */
function variable(env: Readonly<Record<string, string>>, name: string): string {
  return env[name] ?? Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1] ?? '';
}
