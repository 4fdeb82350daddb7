import type { AppSession } from '#app';
import type { Event } from '#base/emitter';
import type { Core, ReadyCore } from './core';

/** What a place of its own makes of the core. */
interface Here {
  readonly session: () => AppSession | undefined;
  readonly show: (sessionId: string) => Promise<void>;
  readonly newSession: (ready: ReadyCore) => Promise<void>;
  readonly onDidChange: Event<void>;
}

/** The same core, seen from where another session is shown. */
export function seenCore(core: Core, { session, show, newSession, onDidChange }: Here): Core {
  return {
    get ready() {
      return core.ready;
    },
    get session() {
      return session();
    },
    ...{ show, newSession, onDidChange },
    onWillGo: core.onWillGo,
    start: () => core.start(),
    retry: () => core.retry(),
    chooseFolder: (folder) => core.chooseFolder(folder),
    leaveSession: (ready, sessionId) => core.leaveSession(ready, sessionId),
  };
}
