import { t } from '#base/l10n';
import { fail, ok, type Result } from '#base/result';
import { lastPruned, type PruneReport, type PruneWorld, prune, sweepStorage } from '#checkpoints/prune';
import type { Retention } from '#checkpoints/prune-plan';
import type { SessionId } from '#protocol/ids';
import { databaseBytes, deleteSetAside, setAsideFiles } from '#store/set-aside';
import type { Core } from './core';
import { deleteSession, whyBusy } from './delete-session';
import type { Sessions } from './sessions';

/** What one session takes, and why it can't be touched now. */
export interface SessionUsage {
  readonly id: SessionId;
  readonly title: string;
  readonly folder: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** What deleting it would free. */
  readonly bytes: number;
  /** Of it, what its checkpoints need. */
  readonly checkpointBytes: number;
  /** In words for people: it runs, or another window has it. */
  readonly busy?: string;
}

/** What Belay keeps on this machine, in bytes. */
export interface StorageUsage {
  readonly folder: string;
  readonly checkpoints: number;
  readonly outputs: number;
  readonly database: number;
  readonly setAside: { readonly files: number; readonly bytes: number };
  /** Milliseconds since 1970. */
  readonly lastPruned?: number;
  /** The latest first. */
  readonly sessions: readonly SessionUsage[];
}

/** What is kept of all sessions of all folders: how much, and what can go. */
export class Storage {
  readonly #core: Core;
  readonly #sessions: Pick<Sessions, 'isRunning' | 'letGo'>;
  readonly #world: PruneWorld;

  constructor(core: Core, sessions: Pick<Sessions, 'isRunning' | 'letGo'>) {
    const { store, host, owner, checkpoints } = core;
    this.#core = core;
    this.#sessions = sessions;
    this.#world = {
      ...{ store, blobs: checkpoints.blobs, owner, clock: host.clock, log: host.log },
      storage: host.environment.storage,
    };
  }

  usage(): StorageUsage {
    const { store, host } = this.#core;
    const { storage } = host.environment;
    const [blobs, outputs] = [store.references.ownBytes(), store.artifacts.ownBytes()];
    const aside = setAsideFiles(storage);
    const pruned = lastPruned(store);
    return {
      folder: storage,
      checkpoints: store.references.bytes(),
      outputs: store.artifacts.bytes(),
      database: databaseBytes(storage),
      setAside: { files: aside.length, bytes: aside.reduce((sum, { bytes }) => sum + bytes, 0) },
      ...(pruned === undefined ? {} : { lastPruned: pruned }),
      sessions: store.usage.sessions().map(({ textBytes, ...session }) => {
        const checkpointBytes = blobs.get(session.id) ?? 0;
        const busy = whyBusy(this.#core, this.#sessions, session.id);
        return {
          ...session,
          title: session.title || t('New session'),
          checkpointBytes,
          bytes: checkpointBytes + (outputs.get(session.id) ?? 0) + textBytes,
          ...(busy === undefined ? {} : { busy }),
        };
      }),
    };
  }

  /** Removes what is older or more than the settings allow. */
  async prune(signal?: AbortSignal): Promise<PruneReport> {
    const report = await prune(this.#world, {
      retention: this.#retention(),
      ...(signal ? { signal } : {}),
    });
    if (report.turns > 0) this.#core.changed();
    return report;
  }

  /** Forgets the earlier contents of all of a session's turns: it can't be undone any more. Fails in words for people. */
  async clearCheckpoints(id: SessionId): Promise<Result<number, string>> {
    const { store, host } = this.#core;
    const busy = whyBusy(this.#core, this.#sessions, id);
    if (busy !== undefined) return fail(busy);
    const turns = store.pruning
      .kept()
      .filter(({ sessionId }) => sessionId === id)
      .filter((turn) => store.pruning.forgetTurn(turn, host.clock.now()));
    this.#core.changed();
    await this.#sweep();
    return ok(turns.length);
  }

  /** Takes a session away with all that it has, of whatever folder. Its forks keep theirs. */
  async deleteSession(id: SessionId): Promise<Result<void, string>> {
    const deleted = await deleteSession(this.#core, this.#sessions, id);
    if (deleted.ok) await this.#sweep();
    return deleted;
  }

  /** Deletes damaged databases that were set aside; what only they needed goes with the next pruning. */
  deleteSetAside(): void {
    deleteSetAside(this.#core.host.environment.storage);
  }

  /** Why nobody's caches can be taken away now: a command may be using them. */
  commandsAtWork(): string | undefined {
    const { store, owner } = this.#core;
    const running = store.usage
      .sessions()
      .filter(({ id }) => store.leases.holder(id, owner.host) !== undefined)
      .some(({ id }) => store.pruning.unfinished().includes(id) || store.usage.hasBackgroundCommand(id));
    return running ? t('A command may be running. Wait for its end, or stop it.') : undefined;
  }

  lastPruned(): number | undefined {
    return lastPruned(this.#core.store);
  }

  async #sweep(): Promise<void> {
    await sweepStorage(this.#world).catch((error: unknown) =>
      this.#core.host.log.warn(`storage: what is no longer needed stays a while: ${String(error)}`),
    );
  }

  #retention(): Retention {
    const { retentionDays, retentionSessionMb, retentionTotalMb, retentionKeepTurns } =
      this.#core.host.settings.current();
    return {
      days: retentionDays,
      sessionMb: retentionSessionMb,
      totalMb: retentionTotalMb,
      keepTurns: retentionKeepTurns,
    };
  }
}
