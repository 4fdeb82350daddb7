import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import { fail, ok, type Result } from '#base/result';

/** Where and for which machine a program is looked for. */
export interface ProgramPlace {
  /** The PATH, as it is passed to the program too. */
  readonly path: string;
  /** A name with a slash in it is meant from here. */
  readonly cwd: string;
  readonly platform: NodeJS.Platform;
  /** Of Windows: `.COM;.EXE;.BAT;.CMD`. */
  readonly pathExt?: string | undefined;
}

const PATH_EXT = '.COM;.EXE;.BAT;.CMD';

/**
 * The file that a program's name stands for, as a shell would find it, but never by an entry of the PATH that isn't absolute: that would
 * be whatever lies in the folder. The error says where it was looked for and what to do.
 */
export function findExecutable(name: string, place: ProgramPlace): Result<string, string> {
  const paths = place.platform === 'win32' ? path.win32 : path.posix;
  if (name === '' || name.includes('\0')) return fail('no program is named');
  const isPath =
    paths.isAbsolute(name) || name.includes('/') || (paths === path.win32 && name.includes('\\'));
  const folders = isPath
    ? ['']
    : place.path.split(paths.delimiter).filter((entry) => paths.isAbsolute(entry));
  const endings = place.platform === 'win32' ? windowsEndings(name, place.pathExt) : [''];
  for (const folder of folders)
    for (const ending of endings) {
      const file = isPath
        ? paths.resolve(place.cwd, `${name}${ending}`)
        : paths.join(folder, `${name}${ending}`);
      if (isExecutable(file, place.platform)) return ok(file);
    }
  return fail(isPath ? notThere(paths.resolve(place.cwd, name)) : notInPath(name, place.path));
}

/** A name that has one of the endings already is taken as it is, else each is tried in order; `npx` is `npx.cmd` there. */
function windowsEndings(name: string, pathExt: string | undefined): readonly string[] {
  const known = (pathExt || PATH_EXT).toLowerCase().split(';').filter(Boolean);
  return known.includes(path.win32.extname(name).toLowerCase()) ? ['', ...known] : known;
}

function isExecutable(file: string, platform: NodeJS.Platform): boolean {
  try {
    if (!statSync(file).isFile()) return false;
    if (platform !== 'win32') accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function notThere(file: string): string {
  return `${file} is not there, or may not be run. Check the path and its permissions.`;
}

function notInPath(name: string, searched: string): string {
  return (
    `"${name}" was not found. Install it, or write its whole path (in a terminal: which ${plain(name)}). ` +
    `Searched: PATH=${searched}`
  );
}

/** Only what can't do harm when somebody copies it into a shell. */
function plain(name: string): string {
  return /^[\w.@+-]+$/.test(name) ? name : 'NAME';
}
