import type { Mode } from '#protocol/settings';
import type { Core } from './core';

/** The mode that counts now: in a folder that the person doesn't trust everything is read-only. */
export function effectiveMode(core: Pick<Core, 'host'>, session: { readonly mode: Mode }): Mode {
  return core.host.trust.isTrusted() ? session.mode : 'read-only';
}

/** What a session begins with: full access is never a default. */
export function firstMode(wanted: Mode): Mode {
  return wanted === 'danger-full-access' ? 'workspace-write' : wanted;
}
