import { userInfo } from 'node:os';
import type { Variables } from '#commands/environment';
import { readLoginPath } from '#commands/login-path';

/**
 * The environment of this host with the PATH that the person's login shell has: hosts that no login shell started (desktops, daemons)
 * lack what profiles add. Costs a login shell: ask once and keep the answer.
 */
export async function loginVariables(): Promise<Variables> {
  const path = await readLoginPath(accountShell(), process.env);
  return path === undefined ? process.env : { ...process.env, PATH: path };
}

/** The account's own shell: the editor's may come from a folder's settings. In some containers the account has no entry, so no shell. */
function accountShell(): string {
  try {
    return userInfo().shell ?? '';
  } catch {
    return '';
  }
}
