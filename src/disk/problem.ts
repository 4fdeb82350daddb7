import { basename } from 'node:path';
import { messageOf } from '#base/result';
import type { FileKind, FileProblem } from '#host';
import { codeOf } from './stat';

/** What the system said about a path, in words that end in what to do. */
export function problemOf(error: unknown, path: string): FileProblem {
  const name = basename(path);
  switch (codeOf(error)) {
    case 'ENOENT':
    case 'ENOTDIR':
      return missing(path);
    case 'EEXIST':
      return exists(path);
    case 'ELOOP':
      return notAFile(path, 'symlink');
    case 'EISDIR':
      return notAFile(path, 'folder');
    case 'EACCES':
    case 'EPERM':
      return {
        kind: 'denied',
        message: `${name} may not be changed or read by this user; check its permissions`,
      };
    case 'EROFS':
      return { kind: 'denied', message: `${name} is on a read-only disk; nothing was written` };
    case 'ENOSPC':
    case 'EDQUOT':
      return {
        kind: 'failed',
        message: `the disk is full: ${name} was left as it was; free some space and try again`,
      };
    case 'ENAMETOOLONG':
      return {
        kind: 'failed',
        message: `the name ${name.slice(0, 40)}… is too long for this disk; choose a shorter one`,
      };
    case 'ENOTEMPTY':
      return { kind: 'exists', message: `the folder ${name} is not empty; it was left as it was` };
    default:
      return { kind: 'failed', message: `${name}: ${messageOf(error)}; nothing was changed` };
  }
}

/** Nothing is there. */
export function missing(path: string): FileProblem {
  return { kind: 'missing', message: `${basename(path)} does not exist (any more); check the path` };
}

/** Something is there already. */
export function exists(path: string): FileProblem {
  return {
    kind: 'exists',
    message: `something named ${basename(path)} is already there; choose another name or read it first`,
  };
}

/** It isn't what was read any more. */
export function changed(path: string): FileProblem {
  return {
    kind: 'changed',
    message: `${basename(path)} has changed since it was read; nothing was written. Read it again`,
  };
}

const KIND_WORDS: Record<FileKind, string> = {
  file: 'a regular file',
  folder: 'a folder',
  symlink: 'a symbolic link',
  fifo: 'a named pipe',
  socket: 'a socket',
  device: 'a device',
  other: 'not a regular file',
};

/** It is there, and no regular file. */
export function notAFile(path: string, kind: FileKind): FileProblem {
  return {
    kind: 'not-a-file',
    message: `${basename(path)} is ${KIND_WORDS[kind]}; only regular files are read and written`,
  };
}
