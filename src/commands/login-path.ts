import { basename, isAbsolute } from 'node:path';
import { runProgram } from './program';

/** Between these the shell says its PATH; profiles like to print things of their own. */
const MARK = '__belay_path__';
const PATIENCE_MS = 5000;

/**
 * The PATH that the user's login shell would have, for hosts that weren't started from one (a desktop, a daemon).
 * Ask once and keep the answer: a login shell costs as much as a hundred commands. Undefined when the shell isn't one
 * whose words are known, is too slow, or fails; then the host's own PATH is what there is.
 */
export async function readLoginPath(
  shell: string,
  variables: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  if (!isAbsolute(shell) || !/^(bash|zsh|sh|dash|ksh)$/.test(basename(shell))) return undefined;
  const env = Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  try {
    const { stdout } = await runProgram({
      file: shell,
      args: ['-l', '-c', `printf '%s' '${MARK}'"$PATH"'${MARK}'`],
      cwd: '/',
      env,
      signal: AbortSignal.timeout(PATIENCE_MS),
      maxBytes: 1_000_000,
    });
    const path = stdout.split(MARK)[1];
    return path === undefined || path === '' ? undefined : path;
  } catch {
    return undefined;
  }
}
