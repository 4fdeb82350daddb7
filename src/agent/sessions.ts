import { forkSession } from '#agent/fork/fork';
import { t } from '#base/l10n';
import { fail, ok, type Result } from '#base/result';
import { permittedMode } from '#gates/settings-files/forbids';
import type { SessionId } from '#protocol/ids';
import type { SessionSummary } from '#protocol/panel-state';
import type { Mode } from '#protocol/settings';
import type { Core } from './core';
import { Session } from './session';

/** A session that a crash had left open. */
export interface RecoveredSession {
  readonly id: SessionId;
  readonly title: string;
  readonly notes: readonly string[];
}

/** The sessions of one folder: those of the store, and those that are open here. */
export class Sessions {
  readonly #core: Core;
  readonly #open = new Map<SessionId, Session>();

  constructor(core: Core) {
    this.#core = core;
  }

  /** The latest first. A session in which nothing was said shows only where it is open. */
  list(): readonly SessionSummary[] {
    return this.#summaries(false);
  }

  /** Those that were put away, the latest first. */
  archived(): readonly SessionSummary[] {
    return this.#summaries(true);
  }

  isRunning(id: string): boolean {
    return this.#open.get(id as SessionId)?.running ?? false;
  }

  /** Does something in a session of this folder, which is open only for that if it wasn't before. */
  async briefly<T>(
    id: string,
    work: (session: Session) => Promise<Result<T, string>>,
  ): Promise<Result<T, string>> {
    const known = this.#open.has(id as SessionId);
    const session = this.get(id);
    if (!session) return fail(t('That session is gone: it was deleted, or it belongs to another folder.'));
    try {
      await session.recovered;
      return await work(session);
    } finally {
      if (!known) await this.letGo(session.id);
    }
  }

  /** Closes a session if it is open. */
  async letGo(id: SessionId): Promise<void> {
    const session = this.#open.get(id);
    this.#open.delete(id);
    await session?.close();
  }

  create({ mode, modelId = '' }: { readonly mode?: Mode; readonly modelId?: string }): Session {
    const { store, host, workspace, settingsFiles } = this.#core;
    const at = host.clock.now();
    const wanted = mode ?? firstMode(host.settings.current().mode);
    const chosen = permittedMode(wanted, settingsFiles.current());
    const stored = {
      id: host.random.id() as SessionId,
      folder: workspace.root,
      title: '',
      mode: chosen,
      modelId,
      at,
    };
    store.sessions.create(stored);
    const session = new Session(this.#core, { ...stored, createdAt: at });
    session.recordBirth();
    this.#open.set(session.id, session);
    this.#core.changed();
    return session;
  }

  /** A new session of what another of this folder was before a turn, or after its last. The original stays as it is. */
  fork(id: string, turn?: number): Result<Session, string> {
    const { store, workspace } = this.#core;
    const from = store.sessions.get(id as SessionId);
    if (from?.folder !== workspace.root) return fail(t('That session is not in this folder.'));
    const forked = forkSession(this.#core, from, turn);
    if (!forked.ok) return forked;
    const session = new Session(this.#core, forked.value);
    this.#open.set(session.id, session);
    this.#core.changed();
    return ok(session);
  }

  /** The session by that id, if it is open here. */
  opened(id: string): Session | undefined {
    return this.#open.get(id as SessionId);
  }

  /** The open session, or the stored one opened; undefined when this folder has none by that id. */
  get(id: string): Session | undefined {
    const known = this.#open.get(id as SessionId);
    if (known) return known;
    const stored = this.#core.store.sessions.get(id as SessionId);
    if (stored?.folder !== this.#core.workspace.root) return undefined;
    const session = new Session(this.#core, stored);
    this.#open.set(session.id, session);
    return session;
  }

  /** Sessions whose host died in the middle of a turn are brought to an end; empty ones that nobody has open go. */
  async recoverAll(): Promise<readonly RecoveredSession[]> {
    const { store, workspace, owner } = this.#core;
    const recovered: RecoveredSession[] = [];
    const unfinished = new Set(
      store.checkpoints.unfinished(workspace.root).map(({ sessionId }) => sessionId),
    );
    for (const { id, title } of store.sessions.list(workspace.root)) {
      if (store.leases.holder(id, owner.host)) continue;
      if (unfinished.has(id) || store.restores.unfinished(id).length > 0) {
        const session = this.get(id);
        const found = await session?.recovered;
        if (session && found && (found.turns > 0 || found.notes.length > 0))
          recovered.push({ id, title, notes: found.notes });
        // Opened only for this: whoever shows it takes the lease anew.
        session?.dispose();
        this.#open.delete(id);
      } else if (title === '') store.sessions.delete(id);
    }
    return recovered;
  }

  #summaries(archived: boolean): readonly SessionSummary[] {
    const { store, workspace } = this.#core;
    return store.sessions
      .list(workspace.root)
      .filter((stored) => (stored.archived ?? false) === archived)
      .filter(({ id, title }) => title !== '' || this.#open.has(id))
      .map(({ id, title, at }) => {
        const running = this.isRunning(id);
        const waiting = running ? store.approvals.pending(id).length : 0;
        return { id, title: title || t('New session'), at, running, waiting };
      });
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.values()].map((session) => session.close()));
    this.#open.clear();
  }
}

/** What a session begins with: full access is never a default. */
function firstMode(wanted: Mode): Mode {
  return wanted === 'danger-full-access' ? 'workspace-write' : wanted;
}
