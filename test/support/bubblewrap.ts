import { accessSync, constants } from 'node:fs';

/** Where the sandbox's tests find bubblewrap. They prove what holds commands, so they don't pass without it. */
export function requireBubblewrap(): string {
  const file = '/usr/bin/bwrap';
  try {
    accessSync(file, constants.X_OK);
    return file;
  } catch {
    throw new Error(
      'these tests prove the sandbox and need bubblewrap at /usr/bin/bwrap: install the package bubblewrap',
    );
  }
}
