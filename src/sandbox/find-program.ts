import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { isWithin, realPlace } from './paths';

const USUAL_FOLDERS = [
  '/usr/bin',
  '/usr/local/bin',
  '/bin',
  '/usr/sbin',
  '/sbin',
  '/run/current-system/sw/bin',
];

/** By absolute path and never from the workspace, where anybody may have put a program of that name. */
export function findProgram(name: string, path: string, workspaceRoot: string): string | undefined {
  const folders = [...path.split(delimiter).filter(isAbsolute), ...USUAL_FOLDERS];
  return folders
    .map((folder) => join(folder, name))
    .find((file) => {
      const place = realPlace(file);
      return (
        place !== undefined &&
        !place.isFolder &&
        ![file, place.path].some((one) => isWithin(one, workspaceRoot)) &&
        isExecutable(file)
      );
    });
}

/** Changes when somebody installs another version: then what was found out about it holds no longer. */
export function identityOf(file: string): string {
  const { dev, ino, mtimeMs, ctimeMs, mode } = statSync(file);
  return [file, dev, ino, mtimeMs, ctimeMs, mode].join(':');
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
