import type { AppSession } from '#app';
import { t } from '#base/l10n';
import type { Result } from '#base/result';
import type { Core, ReadyCore } from './core';

/** The core for something that a person asked for. Where there is none this throws, in words that say what to do. */
export async function readyCore(core: Core): Promise<ReadyCore> {
  const state = await core.start();
  switch (state.kind) {
    case 'ready':
      return state;
    case 'failed':
      throw new Error(`${state.title}. ${state.detail}`);
    case 'no-folder':
      throw new Error(t('Open a folder first: Belay works in one folder.'));
    case 'choose':
      throw new Error(t('Choose a folder first: run “Belay: Choose Folder…”.'));
  }
}

/** The core and one of its sessions, by default the one shown. Throws in words for people where there is none. */
export async function sessionAt(
  core: Core,
  sessionId?: string,
): Promise<ReadyCore & { readonly session: AppSession }> {
  const ready = await readyCore(core);
  const session = sessionId === undefined ? core.session : ready.app.session(sessionId);
  if (!session) throw new Error(t('That session is not in this folder.'));
  return { ...ready, session };
}

/** Only one window writes to a session; in another one every change is refused aloud. */
export function writable(session: AppSession): AppSession {
  if (session.elsewhere) throw new Error(t('Another window works in this session. Take it over first.'));
  return session;
}

/** What could not be done is told as what was asked for and failed. */
export function worked<T>(result: Result<T, string>): T {
  if (!result.ok) throw new Error(result.error);
  return result.value;
}
